// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/band.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>
#include <unsupported/Eigen/FFT>
#include <vector>

namespace hild::advise {
namespace {

constexpr double part_of_power = 0.99;
constexpr double constant = 1e-3;  // of the size of the signal: noise and the steps of converters
constexpr double broad = 0.9;      // of the frequencies there are: nothing but noise is so broad

}  // namespace

std::optional<double> band_of(std::span<const double> samples, double rate_hz) {
  const std::size_t n = samples.size();
  if (n < 16) return std::nullopt;
  const auto count = static_cast<double>(n);
  const double mean = std::accumulate(samples.begin(), samples.end(), 0.0) / count;
  std::vector<double> windowed(n);
  double moving = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const double away = samples[i] - mean;
    moving += away * away;
    const double turn = 2 * std::numbers::pi * static_cast<double>(i) / count;
    windowed[i] = away * 0.5 * (1 - std::cos(turn));
  }
  if (!(std::sqrt(moving / count) > constant * std::abs(mean))) return std::nullopt;

  std::vector<std::complex<double>> spectrum;
  Eigen::FFT<double>().fwd(spectrum, windowed);
  double total = 0;
  for (std::size_t i = 1; i <= n / 2; ++i) total += std::norm(spectrum[i]);
  double below = 0;
  for (std::size_t i = 1; i <= n / 2; ++i) {
    below += std::norm(spectrum[i]);
    if (below < part_of_power * total) continue;
    const double share = static_cast<double>(i) / count;
    if (share > broad / 2) return std::nullopt;
    return share * rate_hz;
  }
  return std::nullopt;
}

}  // namespace hild::advise
