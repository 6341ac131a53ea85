// SPDX-License-Identifier: Apache-2.0
/// \file
/// Passes the values of every step to subscribers: copied on the recorder's thread into a ring,
/// read on the server's. While nobody wants them nothing is copied; when the server falls behind
/// samples are lost, which the step numbers reveal.
#pragma once

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
    std::int64_t frame = 0;  ///< the frame at which it started
    SimTime time{};          ///< of its end, to which outputs and states belong
    std::span<const double> values;
  };

  /// Makes room for `seconds` of steps, but no more than a few MiB.
  SampleTap(const io::FrameLayout& layout, double rate_hz, double seconds = 0.5);

  /// Takes a record, on the recorder's thread. A frozen frame is no step, and leaves no sample.
  void frame(const io::FrameView& record) override;

  // ---- the server's thread ----

  /// Sets whether samples are wanted from now on; those left from before are dropped.
  void want(bool wanted);
  /// Hands all samples in the ring, at most one filling of it, to `use`; oldest first.
  template <class Use>
  void drain(Use use) {
    for (std::size_t n = 0; n < ring_.slots(); ++n) {
      const std::byte* const slot = ring_.front();
      if (slot == nullptr) return;
      use(read(slot));
      ring_.release();
    }
  }

 private:
  [[nodiscard]] Sample read(const std::byte* slot) const noexcept;

  std::size_t values_;
  std::size_t passes_;
  rt::SlotRing ring_;
  rt::Counter wanted_;
};

}  // namespace hild::server
