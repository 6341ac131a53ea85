// SPDX-License-Identifier: Apache-2.0
/// \file
/// The sampler: the second door through which non-determinism enters. The frame loop asks it for
/// input images and hands it outputs; behind it are devices, or the record of an earlier run.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include "hild/core/time.hpp"
#include "hild/io/device_fault.hpp"
#include "hild/rt/atomic.hpp"

namespace hild::io {

/// All that the frame loop knows of devices. One thread at a time.
class Sampler {
 public:
  Sampler() = default;
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;
  virtual ~Sampler() = default;

  /// One device call a device at `now`: writes the outputs `y` (in signal units; empty: none) and
  /// reads the inputs into `u` (in signal units; empty: none), and when the image of each group was
  /// made into `sampled` (none where no inputs are read). False once a device has failed. Real-time
  /// safe.
  [[nodiscard]] virtual bool exchange(std::span<const double> y, std::span<double> u, MonoTime now,
                                      std::span<MonoTime> sampled) noexcept = 0;

  /// Returns as soon as the next exchange() has an image of `group` that arrived at `from` or
  /// later, and at `until` at the latest; at once where the device cannot wait for it. The thread
  /// that exchanges; real-time safe but for its waiting.
  virtual void await_image(std::size_t /*group*/, MonoTime /*from*/, MonoTime /*until*/) noexcept {}
  /// How long after they are made images of `group` that are waited for arrive.
  [[nodiscard]] virtual Duration delivery(std::size_t /*group*/) const noexcept { return {}; }

  /// Image groups of the inputs: what is made at one instant. Always as many, at least one.
  [[nodiscard]] virtual std::size_t groups() const noexcept { return 1; }

  /// Raw counts of the inputs read last, of those whose converter has them, in the order of the
  /// inputs: always the same memory. Real-time safe.
  [[nodiscard]] virtual std::span<const std::uint32_t> counts() const noexcept { return {}; }

  /// Counts output values that were cut to their limits; null where none can be. Always the same
  /// counter.
  [[nodiscard]] virtual const rt::Counter* cut_values() const noexcept { return nullptr; }

  /// What each output line carries since the last call that wrote, in signal units, in the order of
  /// the outputs; not a number where there is no line. True while one is on its way: by a ramp, a
  /// slew limit, a safe action that takes time. The thread that exchanges; real-time safe.
  virtual bool lines(std::span<double> carried) const noexcept {
    for (double& v : carried) v = std::numeric_limits<double>::quiet_NaN();
    return false;
  }

  /// How many of its lines other nodes hear of (Device::link). Always as many.
  [[nodiscard]] virtual std::size_t heard() const noexcept { return 0; }
  /// Whether the last exchange() or safe() wrote lines. The thread that exchanges; real-time safe.
  [[nodiscard]] virtual bool wrote() const noexcept { return false; }
  /// What the first lines that other nodes hear of carry, in the units of their channels and the
  /// order of the outputs, as many as there is room for. Likewise.
  virtual void written(std::span<double> /*values*/) const noexcept {}

  /// Takes the outputs to their safe values from the next exchange on, and keeps them there until a
  /// person lets them follow the model again. The thread that exchanges; real-time safe.
  virtual void disarm() noexcept {}

  /// How many faults its devices can be given, which are numbered from 0.
  [[nodiscard]] virtual std::size_t faults() const noexcept { return 0; }
  /// Which values a fault may have; none where there is no such fault. Real-time safe.
  [[nodiscard]] virtual std::optional<Interval> fault_range(std::size_t /*fault*/) const noexcept {
    return {};
  }
  /// The fault is there from the next exchange on, or is not. The thread that exchanges; real-time
  /// safe.
  virtual void set_fault(std::size_t /*fault*/, bool /*there*/, double /*value*/) noexcept {}

  /// Drives every output of every device that still answers to its safe value. False when one did
  /// not take it. Real-time safe.
  virtual bool safe() noexcept = 0;
};

}  // namespace hild::io
