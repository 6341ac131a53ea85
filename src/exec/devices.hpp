// SPDX-License-Identifier: Apache-2.0
/// \file
/// Makes all device calls of a run: each is metered, and one that fails ends the run. Real-time
/// safe.
#pragma once

#include "exec/meter.hpp"
#include "exec/run_end.hpp"
#include "exec/step_record.hpp"
#include "hild/io/sampler.hpp"
#include "io/image_history.hpp"

namespace hild::exec {

class Devices {
 public:
  Devices(io::Sampler& sampler, Meter& meter, RunEnd& end, StepRecord& record) noexcept
      : sampler_(&sampler),
        meter_(&meter),
        end_(&end),
        noted_(record.layout().heard() > 0 ? &record : nullptr) {}

  /// A run begins: all devices are open.
  void begin_run() noexcept { counts_ = sampler_->counts(); }

  /// Writes the outputs `y`, unless they are empty, and reads the next image into `images`. False:
  /// a device failed, and the run ends. `unheard`: no other node hears of what is written.
  template <bool unheard = false>
  [[nodiscard]] bool read(std::span<const double> y, io::ImageHistory& images,
                          std::int64_t frame) noexcept {
    return call<unheard>(y, images.incoming(), images.instants(), frame);
  }
  /// Writes the outputs `y` and reads nothing. False: as above.
  [[nodiscard]] bool write(std::span<const double> y, std::int64_t frame) noexcept {
    return call<false>(y, {}, {}, frame);
  }
  /// Drives all outputs to their safe values within a step. False: a device did not take its own.
  [[nodiscard]] bool safe() noexcept {
    const bool all = sampler_->safe();
    if (noted_ != nullptr) note_written();
    return all;
  }
  /// The raw converter counts of the inputs that were read last.
  [[nodiscard]] std::span<const std::uint32_t> counts() const noexcept { return counts_; }
  [[nodiscard]] io::Sampler& sampler() const noexcept { return *sampler_; }

 private:
  template <bool unheard>
  [[gnu::always_inline]] bool call(std::span<const double> y, std::span<double> u,
                                   std::span<MonoTime> sampled, std::int64_t frame) noexcept {
    const bool alive = sampler_->exchange(y, u, meter_->last(), sampled);
    if (!unheard && noted_ != nullptr) [[unlikely]]
      note_written();
    meter_->close(io::Phase::device);
    if (alive) return true;
    end_->tell(End::device_failed, frame);
    return false;
  }

  // For who compares it with what other nodes have received. Before the meter goes on: the call
  // began when it was read last.
  [[gnu::noinline]] void note_written() noexcept {
    if (noted_->open() && sampler_->wrote())
      sampler_->written(noted_->slot().write(meter_->last()));
  }

  io::Sampler* sampler_;
  Meter* meter_;
  RunEnd* end_;
  StepRecord* noted_;  // where the writes go that other nodes hear of; null: none does
  std::span<const std::uint32_t> counts_;
};

}  // namespace hild::exec
