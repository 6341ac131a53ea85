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
      : sampler_(&sampler), meter_(&meter), end_(&end), record_(&record) {}

  /// A run begins: all devices are open.
  void begin_run() noexcept { counts_ = sampler_->counts(); }

  /// Writes the outputs `y`, unless they are empty, and reads the next image into `images`. False:
  /// a device failed, and the run ends.
  [[nodiscard]] bool read(std::span<const double> y, io::ImageHistory& images,
                          std::int64_t frame) noexcept {
    return call(y, images.incoming(), images.instants(), frame);
  }
  /// Writes the outputs `y` and reads nothing. False: as above.
  [[nodiscard]] bool write(std::span<const double> y, std::int64_t frame) noexcept {
    return call(y, {}, {}, frame);
  }
  /// Drives all outputs to their safe values within a step. False: a device did not take its own.
  [[nodiscard]] bool safe() noexcept {
    const MonoTime at = meter_->last();
    const bool all = sampler_->safe();
    if (record_->layout().heard() > 0) note_written(at);
    return all;
  }
  /// The raw converter counts of the inputs that were read last.
  [[nodiscard]] std::span<const std::uint32_t> counts() const noexcept { return counts_; }
  [[nodiscard]] io::Sampler& sampler() const noexcept { return *sampler_; }

 private:
  [[gnu::always_inline]] bool call(std::span<const double> y, std::span<double> u,
                                   std::span<MonoTime> sampled, std::int64_t frame) noexcept {
    const MonoTime at = meter_->last();
    const bool alive = sampler_->exchange(y, u, at, sampled);
    meter_->close(io::Phase::device);
    if (record_->layout().heard() > 0) [[unlikely]]
      note_written(at);
    if (alive) return true;
    end_->tell(End::device_failed, frame);
    return false;
  }

  // For who compares it with what other nodes have received.
  [[gnu::noinline]] void note_written(MonoTime at) noexcept {
    if (record_->open() && sampler_->wrote()) sampler_->written(record_->slot().write(at));
  }

  io::Sampler* sampler_;
  Meter* meter_;
  RunEnd* end_;
  StepRecord* record_;
  std::span<const std::uint32_t> counts_;
};

}  // namespace hild::exec
