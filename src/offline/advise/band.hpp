// SPDX-License-Identifier: Apache-2.0
/// \file
/// The frequency band of a signal. Not real-time.
#pragma once

#include <optional>
#include <span>

namespace hild::advise {

/// The frequency in Hz below which 99 % of the power of the samples lies, without their mean
/// (Hann's window; `rate_hz` samples a second). Nothing for a constant (changes below a thousandth
/// of its size), for a signal as broad as noise, and for fewer than 16 samples.
[[nodiscard]] std::optional<double> band_of(std::span<const double> samples, double rate_hz);

}  // namespace hild::advise
