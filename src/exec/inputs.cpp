// SPDX-License-Identifier: Apache-2.0
#include "exec/inputs.hpp"

#include <algorithm>

namespace hild::exec {

Inputs::Inputs(std::size_t count, std::vector<std::uint8_t> held) : held_(std::move(held)) {
  held_.resize(count, 0);
  for (auto& image : images_) image.values.assign(count, 0.0);
}

void Inputs::accept(MonoTime sampled) noexcept {
  if (known_ > 0 && sampled <= images_[newest_].sampled) {
    std::swap(images_[newest_].values, images_[spare()].values);
    return;
  }
  newest_ = spare();
  images_[newest_].sampled = sampled;
  known_ = std::min(known_ + 1, depth);
}

void Inputs::at(MonoTime t, int degree, std::span<double> u) const noexcept {
  const std::size_t points = std::min(static_cast<std::size_t>(degree) + 1, known_);
  const Image& last = image(0);
  if (points < 2) {
    std::ranges::copy(last.values, u.begin());
    return;
  }
  std::array<double, depth> weight{};
  for (std::size_t i = 0; i < points; ++i) {
    weight[i] = 1;
    for (std::size_t j = 0; j < points; ++j) {
      if (j == i) continue;
      const MonoTime tj = image(j).sampled;
      weight[i] *= static_cast<double>((t - tj).ns) /
                   static_cast<double>((image(i).sampled - tj).ns);
    }
  }
  for (std::size_t c = 0; c < held_.size(); ++c) {
    double sum = weight[0] * last.values[c];
    for (std::size_t i = 1; i < points; ++i) sum += weight[i] * image(i).values[c];
    u[c] = held_[c] != 0 ? last.values[c] : sum;
  }
}

}  // namespace hild::exec
