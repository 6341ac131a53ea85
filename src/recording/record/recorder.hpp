// SPDX-License-Identifier: Apache-2.0
/// \file
/// Takes the frame records out of the loop's ring, on a thread of the ordinary scheduler, and hands
/// each to every sink.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hild/rt/atomic.hpp"
#include "hild/rt/doorbell.hpp"
#include "hild/rt/ring.hpp"
#include "hild/rt/thread.hpp"
#include "recording/record/overrun_attribution.hpp"
#include "recording/record/sink.hpp"

namespace hild::record {

/// How a recorder and a loop that may wait, as on a virtual clock, wait for each other: none naps,
/// and no record is dropped.
struct Handover {
  rt::Doorbell records;  ///< rung by the loop: there are records to be taken
  rt::Doorbell places;   ///< rung by the recorder: places have been given back
};

class Recorder {
 public:
  /// `ring`, the sinks and `attribution` outlive the recorder. The attribution corrects the causes
  /// of late steps before a sink sees them; null: they stay what the loop found.
  Recorder(rt::SlotRing& ring, const io::FrameLayout& layout, std::vector<Sink*> sinks,
           OverrunAttribution* attribution = nullptr);
  /// Keyframes are taken out of this ring, which outlives the recorder; null: there are none. To be
  /// called before start().
  void take_keyframes(rt::SlotRing* ring) noexcept { keyframes_ = ring; }
  /// The loop waits instead of dropping records; `handover` outlives the recorder. To be called
  /// before start().
  void wait_by(Handover& handover) noexcept { handover_ = &handover; }
  /// Sets what is called at once, on the recorder's thread, when a sink is given up. To be called
  /// before start().
  void on_failure(std::function<void(const std::string&)> tell) { tell_ = std::move(tell); }
  ~Recorder();  ///< calls stop()

  /// Error: no thread could be started.
  [[nodiscard]] Result<void> start();
  /// Hands over all records that are left and flushes the sinks, once. Call it after the loop has
  /// ended; afterwards the sinks may be read. Without start() it does the whole work.
  void stop();

  /// Records handed over so far.
  [[nodiscard]] std::int64_t records() const noexcept { return records_.get(); }
  /// Why sinks were given up; after stop().
  [[nodiscard]] const std::vector<std::string>& failures() const noexcept { return failures_; }

 private:
  void take_until_stopped();
  std::size_t drain();
  void drain_keyframes(MonoTime due);
  template <class Call>
  void each_sink(Call call);

  rt::SlotRing& ring_;
  rt::SlotRing* keyframes_ = nullptr;
  Handover* handover_ = nullptr;
  io::FrameLayout layout_;
  std::vector<Sink*> sinks_;
  OverrunAttribution* attribution_;
  std::function<void(const std::string&)> tell_ = [](const std::string&) {};
  std::vector<std::string> failures_;
  rt::Counter records_;
  rt::Flag stop_;
  bool stopped_ = false;
  std::optional<rt::Thread> thread_;
};

}  // namespace hild::record
