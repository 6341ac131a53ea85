// SPDX-License-Identifier: Apache-2.0
/// \file
/// Passes the values of every step to subscribers: copied on the recorder's thread into a ring,
/// read on the server's. While nobody wants them nothing is copied; when the server falls behind
/// samples are lost, which the step numbers reveal.
#pragma once

#include <algorithm>
#include <cstring>
#include <span>

#include "hild/rt/atomic.hpp"
#include "hild/rt/ring.hpp"
#include "recording/record/sink.hpp"

namespace hild::server {

class SampleTap final : public record::Sink {
 public:
  /// One step, in place in the ring: inputs (of its last pass), outputs, states.
  struct Sample {
    std::int64_t step = 0;
    std::int64_t frame = 0;         ///< the frame at which it started
    SimTime time{};                 ///< of its end, to which outputs and states belong
    std::uint32_t alarms = 0;       ///< a bit for each alarm that is active at its end
    std::uint32_t alarms_open = 0;  ///< a bit for each that is open
    std::span<const double> values;
  };

  /// Takes every `every`-th step, and makes room for `seconds` of steps, but no more than a few
  /// MiB.
  SampleTap(const io::FrameLayout& layout, double rate_hz, double seconds = 0.5,
            std::int64_t every = 1)
      : values_(layout.inputs() + layout.outputs() + layout.states()),
        every_(every),
        ring_(bytes(), slots_for(rate_hz * seconds / static_cast<double>(every))) {}

  /// Takes a record, on the recorder's thread. A frozen frame is no step, and leaves no sample.
  void frame(const io::FrameView& record) override {
    const io::FrameHeader& h = record.header();
    if (wanted_.get() == 0 || h.frozen || record.passes() == 0 || h.step % every_ != 0) return;
    std::byte* at = ring_.claim();
    if (at == nullptr) return;
    const SimTime end = h.t + (h.deadline - h.due);
    const std::int64_t numbers[] = {h.step, h.frame, end.ns, h.alarms, h.alarms_open};
    std::memcpy(at, numbers, head);
    at += head;
    for (const auto part :
         {record.inputs(record.passes() - 1), record.outputs(), record.states()}) {
      if (part.empty()) continue;
      std::memcpy(at, part.data(), part.size_bytes());
      at += part.size_bytes();
    }
    ring_.publish();
  }

  // ---- the server's thread ----

  /// Sets whether samples are wanted from now on; those left from before are dropped.
  void want(bool wanted) {
    drain([](const Sample&) {});
    wanted_.set(wanted ? 1 : 0);
  }
  /// Hands all samples in the ring, at most one filling of it, to `use`; oldest first.
  template <class Use>
  void drain(Use use) {
    for (std::size_t n = 0; n < ring_.slots(); ++n) {
      const std::byte* const slot = ring_.front();
      if (slot == nullptr) return;
      std::int64_t numbers[5];
      std::memcpy(numbers, slot, head);
      const auto* const values = reinterpret_cast<const double*>(slot + head);
      use(Sample{numbers[0],
                 numbers[1],
                 {numbers[2]},
                 static_cast<std::uint32_t>(numbers[3]),
                 static_cast<std::uint32_t>(numbers[4]),
                 {values, values_}});
      ring_.release();
    }
  }

 private:
  static constexpr std::size_t head = 5 * sizeof(std::int64_t);  // as in Sample
  static constexpr double most_bytes = 8 << 20;

  [[nodiscard]] std::size_t bytes() const { return head + sizeof(double) * values_; }
  [[nodiscard]] std::size_t slots_for(double steps) const {
    const double most = most_bytes / static_cast<double>(bytes());
    return static_cast<std::size_t>(std::clamp(steps, 64.0, most));
  }

  std::size_t values_;
  std::int64_t every_;
  rt::SlotRing ring_;
  rt::Counter wanted_;
};

}  // namespace hild::server
