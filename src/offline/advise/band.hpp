// SPDX-License-Identifier: Apache-2.0
/// \file
/// The band a signal lies in. Not real-time.
#pragma once

#include <optional>
#include <span>

namespace hild::advise {

/// The frequency in Hz below which 99 % of the power of the samples lies, their mean taken off
/// (Hann's window; `rate_hz` samples a second). Nothing for a constant (changes below a thousandth
/// of its size), for what is as broad as noise, and for fewer than 16 samples.
[[nodiscard]] std::optional<double> band_of(std::span<const double> samples, double rate_hz);

}  // namespace hild::advise
