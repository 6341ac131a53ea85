// SPDX-License-Identifier: Apache-2.0
#include "exec/inputs.hpp"

#include <algorithm>
#include <cmath>

namespace hild::exec {

Inputs::Inputs(std::size_t count, std::vector<std::uint8_t> held, Duration spacing)
    : held_(std::move(held)), spacing_(spacing) {
  held_.resize(count, 0);
  for (auto& image : images_) image.values.assign(count, 0.0);
}

void Inputs::accept(MonoTime sampled) noexcept {
  Image& newest = images_[newest_];
  if (known_ > 0 && sampled - newest.sampled <= spacing_) {
    std::swap(newest.values, images_[spare()].values);
    newest.sampled = std::max(newest.sampled, sampled);
    return;
  }
  newest_ = spare();
  images_[newest_].sampled = sampled;
  known_ = std::min(known_ + 1, depth);
}

// The weights of the newest images at `t`; returns the sum of their sizes, which is what becomes of
// noise and of the steps of a converter at worst.
double Inputs::weigh(MonoTime t, std::size_t points, Weights& weight) const noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < points; ++i) {
    weight[i] = 1;
    for (std::size_t j = 0; j < points; ++j) {
      if (j == i) continue;
      const MonoTime tj = image(j).sampled;
      weight[i] *=
          static_cast<double>((t - tj).ns) / static_cast<double>((image(i).sampled - tj).ns);
    }
    sum += std::abs(weight[i]);
  }
  return sum;
}

void Inputs::at(MonoTime t, int degree, std::span<double> u) const noexcept {
  std::size_t points = std::min(static_cast<std::size_t>(degree) + 1, known_);
  const Image& last = image(0);
  Weights weight{};
  // After an overrun images lie close together and `t` far from them: a lower degree will do.
  while (points > 1 && weigh(t, points, weight) > largest_gain) --points;
  if (points < 2) {
    std::ranges::copy(last.values, u.begin());
    return;
  }
  for (std::size_t c = 0; c < held_.size(); ++c) {
    double sum = weight[0] * last.values[c];
    for (std::size_t i = 1; i < points; ++i) sum += weight[i] * image(i).values[c];
    u[c] = held_[c] != 0 ? last.values[c] : sum;
  }
}

}  // namespace hild::exec
