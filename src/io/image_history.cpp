// SPDX-License-Identifier: Apache-2.0
#include "io/image_history.hpp"

#include <algorithm>
#include <cmath>

namespace hild::io {
namespace {

// Of polynomials through the newest image and up to three before it, whose distances from it are
// `s` (less than 0): the weight at `x` of the first one named. What is left of 1 is the newest's.
double weight_of(double x, double s1) noexcept { return x / s1; }
double weight_of(double x, double s1, double s2) noexcept {
  return x * (x - s2) / (s1 * (s1 - s2));
}
double weight_of(double x, double s1, double s2, double s3) noexcept {
  return x * (x - s2) * (x - s3) / (s1 * (s1 - s2) * (s1 - s3));
}

}  // namespace

ImageHistory::ImageHistory(const std::vector<SampledInput>& inputs, std::size_t groups,
                           Duration spacing)
    : width_(inputs.size()),
      spacing_(spacing),
      groups_(groups),
      instants_(groups),
      values_((depth * groups + 2) * inputs.size()),
      users_(depth * groups + 2),
      spare_(users_.size()) {
  const auto append = [](std::vector<Run>& runs, std::size_t input) {
    if (!runs.empty() && runs.back().end == input) {
      ++runs.back().end;
    } else {
      runs.push_back({input, input + 1});
    }
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const SampledInput& input = inputs[i];
    Group& group = groups_[input.group];
    append(input.held ? held_ : group.interpolated, i);
    if (std::isfinite(input.jump)) group.watched.push_back({i, input.jump});
  }
  for (auto slot = static_cast<std::uint32_t>(users_.size()); slot-- > 2;) {
    spare_[spares_++] = slot;
  }
  users_[newest_] = users_[incoming_] = 1;
}

void ImageHistory::accept() noexcept {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    take(groups_[g], instants_[g]);
    newest_time_ = std::max(newest_time_, instants_[g]);
  }
  drop(newest_);
  newest_ = incoming_;
  incoming_ = spare_[--spares_];
  keep(incoming_);
}

void ImageHistory::take(Group& group, MonoTime sampled) noexcept {
  if (!group.watched.empty() && group.known > 0 && jumped(group)) shorten(group, 0);
  keep(incoming_);
  if (group.known > 0 && sampled - group.instants[0] <= spacing_) {
    drop(group.slots[0]);
    group.slots[0] = incoming_;
    group.instants[0] = std::max(group.instants[0], sampled);
    return;
  }
  if (group.known == depth) shorten(group, depth - 1);
  ++group.known;
  for (std::size_t i = depth - 1; i > 0; --i) {
    group.instants[i] = group.instants[i - 1];
    group.slots[i] = group.slots[i - 1];
  }
  group.instants[0] = sampled;
  group.slots[0] = incoming_;
}

void ImageHistory::shorten(Group& group, std::size_t known) noexcept {
  while (group.known > known) drop(group.slots[--group.known]);
}

// From what the group had there before.
bool ImageHistory::jumped(const Group& group) const noexcept {
  const std::span<const double> now = slot(incoming_);
  const std::span<const double> before = slot(group.slots[0]);
  return std::ranges::any_of(group.watched, [&](const Watched& w) {
    return std::abs(now[w.input] - before[w.input]) > w.jump;
  });
}

// ---- the polynomial ----------------------------------------------------------------------------

// Of so many points, or of fewer, of which noise and the steps of a converter are not made too
// much: after an overrun images lie close together and `t` far from them. Returns their number.
std::size_t ImageHistory::weigh(const Group& group, MonoTime t, std::size_t points,
                                Weights& weight) noexcept {
  const auto after_newest = [&](MonoTime at) {
    return static_cast<double>((at - group.instants[0]).ns);
  };
  const double x = after_newest(t);
  for (; points > 1; --points) {
    const double s1 = after_newest(group.instants[1]);
    if (points == 2) {
      weight[1] = weight_of(x, s1);
    } else if (const double s2 = after_newest(group.instants[2]); points == 3) {
      weight[1] = weight_of(x, s1, s2);
      weight[2] = weight_of(x, s2, s1);
    } else {
      const double s3 = after_newest(group.instants[3]);
      weight[1] = weight_of(x, s1, s2, s3);
      weight[2] = weight_of(x, s2, s1, s3);
      weight[3] = weight_of(x, s3, s1, s2);
    }
    double sum = 0;
    double gain = 0;
    for (std::size_t i = 1; i < points; ++i) {
      sum += weight[i];
      gain += std::abs(weight[i]);
    }
    if (gain + std::abs(1 - sum) <= largest_gain) break;
  }
  return points;
}

// What does not change is the same to the last bit: differences from the newest are weighed.
template <std::size_t Points>
void ImageHistory::combine(const Group& group, const Weights& weight,
                           std::span<double> u) const noexcept {
  std::array<const double*, Points> v;
  for (std::size_t j = 0; j < Points; ++j) v[j] = slot(group.slots[j]).data();
  for (const Run run : group.interpolated) {
#pragma GCC unroll 4
    for (std::size_t i = run.begin; i < run.end; ++i) {
      double sum = v[0][i];
      for (std::size_t j = 1; j < Points; ++j) sum += weight[j] * (v[j][i] - v[0][i]);
      u[i] = sum;
    }
  }
}

void ImageHistory::at(MonoTime t, Degrees degrees, std::span<double> u) const noexcept {
  for (const Group& group : groups_) {
    const Duration after = t - group.instants[0];
    const int degree = after.ns > 0 ? degrees.beyond : after.ns < 0 ? degrees.within : 0;
    Weights weight;
    switch (weigh(group, t, std::min(static_cast<std::size_t>(degree) + 1, group.known), weight)) {
      case 4:
        combine<4>(group, weight, u);
        break;
      case 3:
        combine<3>(group, weight, u);
        break;
      case 2:
        combine<2>(group, weight, u);
        break;
      default:
        combine<1>(group, weight, u);
    }
  }
  const double* const now = slot(newest_).data();
  for (const Run run : held_) {
    for (std::size_t i = run.begin; i < run.end; ++i) u[i] = now[i];
  }
}

}  // namespace hild::io
