// SPDX-License-Identifier: Apache-2.0
/// \file
/// The record of the step at hand, written as the step goes: into a slot of the ring, or, when that
/// is full, into memory that nobody reads. Real-time safe after construction.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "exec/meter.hpp"
#include "hild/io/frame_record.hpp"
#include "hild/rt/ring.hpp"

namespace hild::exec {

class StepRecord {
 public:
  /// `ring`: null, there are no records; else with slots of layout.bytes().
  StepRecord(const io::FrameLayout& layout, rt::SlotRing* ring)
      : layout_(layout),
        ring_(ring),
        unread_(layout.bytes()),
        kept_(layout.bytes()),
        slot_(layout_, unread_.data()) {}
  StepRecord(const StepRecord&) = delete;
  StepRecord& operator=(const StepRecord&) = delete;

  [[nodiscard]] const io::FrameLayout& layout() const noexcept { return layout_; }
  [[nodiscard]] io::FrameHeader& header() noexcept { return slot_.header(); }
  [[nodiscard]] io::FrameSlot& slot() noexcept { return slot_; }

  /// The record at hand, to be read later by who writes it: it stays as it is for lasts() records
  /// more, or until another one is kept.
  [[nodiscard]] io::FrameView keep() noexcept {
    const io::FrameView kept = slot_.view();
    if (!claimed_) std::swap(unread_, kept_);  // those that come are written elsewhere
    return kept;
  }
  [[nodiscard]] std::size_t lasts() const noexcept {
    return ring_ != nullptr ? ring_->slots() - 1 : SIZE_MAX;
  }

  /// Whether writes can still be noted: it was begun, and is not yet published.
  [[nodiscard]] bool open() const noexcept { return open_; }

  /// Begins the record of the first step before the run: what is read then belongs to it.
  void claim_first(Meter& meter) noexcept {
    claim(meter);
    first_ = true;
  }
  /// Begins a new record, unless that of the first step has been begun; `meter` writes there.
  void claim(Meter& meter) noexcept {
    if (first_) [[unlikely]] {
      first_ = false;
      return;
    }
    std::byte* const place = ring_ != nullptr ? ring_->claim() : nullptr;
    claimed_ = place != nullptr;
    slot_ = io::FrameSlot(layout_, claimed_ ? place : unread_.data());
    slot_.begin_anew();
    meter.tell(slot_.header());
    if (rest_) begin_rest();
  }
  /// Completes the record and hands it to the reader of the ring; counts it as dropped where the
  /// ring was full.
  void publish(Meter& meter, Statistics& statistics) noexcept {
    open_ = false;
    if (claimed_) {
      ring_->publish();
    } else if (ring_ != nullptr) {
      statistics.records_dropped.add();
    }
    meter.close(io::Phase::record);
  }

 private:
  [[gnu::noinline]] void begin_rest() noexcept {
    slot_.begin_rest();
    open_ = true;
  }

  io::FrameLayout layout_;
  rt::SlotRing* ring_;
  std::vector<std::byte> unread_;
  std::vector<std::byte> kept_;  // one of those that nobody else reads
  io::FrameSlot slot_;
  bool claimed_ = false;  // slot_ lies in the ring
  bool rest_ = layout_.runs() > 0 || layout_.heard() > 0;
  bool open_ = false;   // of those that have such: it was not published yet
  bool first_ = false;  // claimed before the run
};

}  // namespace hild::exec
