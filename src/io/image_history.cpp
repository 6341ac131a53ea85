// SPDX-License-Identifier: Apache-2.0
#include "io/image_history.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace hild::io {
namespace {

using Weights = std::array<double, ImageHistory::depth>;

// Two inputs at once, as every x86-64 and ARMv8 can.
using Pair [[gnu::vector_size(16)]] = double;

struct LoadPair {
  Pair operator()(const double* values) const noexcept {
    Pair pair;
    std::memcpy(&pair, values, sizeof pair);
    return pair;
  }
};
struct LoadOne {
  double operator()(const double* value) const noexcept { return *value; }
};

// What does not change is the same to the last bit: differences from the newest are weighed.
template <std::size_t Points, class Load>
[[gnu::always_inline]] inline auto weighed(const Weights& weight,
                                           const std::array<const double*, Points>& row,
                                           std::size_t i, Load load) noexcept {
  const auto newest = load(row[0] + i);
  auto sum = newest + weight[1] * (load(row[1] + i) - newest);
  if constexpr (Points > 2) sum += weight[2] * (load(row[2] + i) - newest);
  if constexpr (Points > 3) sum += weight[3] * (load(row[3] + i) - newest);
  return sum;
}

// Of the polynomial through the newest image and those before it, whose distances from it are `s`
// (less than 0): the weights of those before it, at `x`. What is left of 1 is that of the newest.
// Whether noise and the steps of a converter are not made too much of: after an overrun images lie
// close together and `x` far from them.
template <std::size_t Points>
[[gnu::always_inline]] inline bool weigh(double x, double s1, double s2, double s3,
                                         Weights& weight) noexcept {
  double w2 = 0;
  double w3 = 0;
  if constexpr (Points == 2) {
    weight[1] = x / s1;
  } else if constexpr (Points == 3) {
    const double d = s1 - s2;
    weight[1] = x * (x - s2) / (s1 * d);
    weight[2] = w2 = -x * (x - s1) / (s2 * d);
  } else {
    const double d12 = s1 - s2;
    const double d13 = s1 - s3;
    const double d23 = s2 - s3;
    const double x1 = x * (x - s1);
    const double x23 = (x - s2) * (x - s3);
    weight[1] = x * x23 / (s1 * d12 * d13);
    weight[2] = w2 = -x1 * (x - s3) / (s2 * d12 * d23);
    weight[3] = w3 = x1 * (x - s2) / (s3 * d13 * d23);
  }
  const double w1 = weight[1];
  const double newest = 1 - w1 - w2 - w3;
  return std::abs(newest) + std::abs(w1) + std::abs(w2) + std::abs(w3) <=
         ImageHistory::largest_gain;
}

}  // namespace

ImageHistory::ImageHistory(const std::vector<SampledInput>& inputs, std::size_t groups,
                           Duration spacing)
    : spacing_(spacing),
      groups_(groups),
      instants_(groups),
      whole_(inputs.size()),
      incoming_(whole_),
      newest_(whole_),
      single_(groups == 1) {
  const auto append = [](std::vector<Stretch>& runs, std::size_t input, std::size_t place) {
    if (!runs.empty() && runs.back().input + runs.back().count == input &&
        runs.back().place + runs.back().count == place) {
      ++runs.back().count;
    } else {
      runs.push_back({input, place, 1});
    }
  };
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Group& group = groups_[inputs[i].group];
    if (std::isfinite(inputs[i].jump)) group.watched.push_back({i, group.size, inputs[i].jump});
    auto& runs = inputs[i].held ? group.held : group.interpolated;
    append(runs, i, group.size);
    append(group.all, i, group.size);
    ++group.size;
  }
  for (Group& group : groups_) group.values.resize(Group::rows * group.size);
  if (!single_) return;
  incoming_ = {groups_[0].values.data() + groups_[0].next() * whole_.size(), whole_.size()};
}

void ImageHistory::accept() noexcept {
  if (!single_) {
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      static_cast<void>(take(groups_[g], instants_[g]));
      copy(groups_[g], groups_[g].row(0));
    }
    return;
  }
  Group& group = groups_.front();
  if (!take(group, instants_.front())) copy(group, group.row(0));
  const std::size_t size = newest_.size();
  newest_ = {group.row(0), size};
  incoming_ = {group.values.data() + group.next() * size, size};
}

// Whether the image is one more; else it replaces the newest.
bool ImageHistory::take(Group& group, MonoTime sampled) noexcept {
  if (group.known > 0 && !group.watched.empty() && jumped(group)) group.known = 0;
  const bool more = group.known == 0 || sampled - group.newest > spacing_;
  if (more) {
    group.head = group.next();
    group.known = std::min(group.known + 1, depth);
    group.newest = sampled;
  } else {
    group.newest = std::max(group.newest, sampled);
  }
  group.instants[group.head] = group.newest;
  return more;
}

void ImageHistory::copy(const Group& group, double* row) noexcept {
  for (const Stretch& run : group.all) {
    copy_values(incoming_.subspan(run.input, run.count), row + run.place);
  }
}

// From what the group had there before.
bool ImageHistory::jumped(const Group& group) const noexcept {
  const double* const before = group.row(0);
  return std::ranges::any_of(group.watched, [&](const Watched& w) {
    return std::abs(incoming_[w.input] - before[w.place]) > w.jump;
  });
}

void ImageHistory::transfer(Archive& archive) noexcept {
  if (newest_.data() != whole_.data()) std::ranges::copy(newest_, whole_.begin());
  archive(whole_);
  for (Group& group : groups_) {
    const std::size_t n = archive.size(group.known, depth, "images kept");
    if (archive.loads()) group.known = group.head = n;
    for (std::size_t age = 0; age < n; ++age) {
      archive(group.instants[group.at(age)], std::span(group.row(age), group.size));
    }
    if (archive.loads() && n > 0) group.newest = group.instants[group.at(0)];
  }
  if (!archive.loads() || !single_) return;
  Group& group = groups_.front();
  const std::size_t size = whole_.size();
  newest_ = group.known > 0 ? std::span<const double>(group.row(0), size) : whole_;
  incoming_ = {group.values.data() + group.next() * size, size};
}

// ---- the polynomial ----------------------------------------------------------------------------

template <std::size_t Points>
[[gnu::always_inline]] inline bool ImageHistory::combine(const Group& group, Duration after_newest,
                                                         double* u) noexcept {
  const auto distance = [&](std::size_t age) {
    return age < Points ? static_cast<double>((group.instants[group.at(age)] - group.newest).ns)
                        : 0.0;
  };
  Weights weight;
  if (!weigh<Points>(static_cast<double>(after_newest.ns), distance(1), distance(2), distance(3),
                     weight)) {
    return false;
  }
  const auto rows = [&]<std::size_t... Age>(std::index_sequence<Age...> /*ages*/) {
    return std::array<const double*, Points>{group.row(Age)...};
  }
  (std::make_index_sequence<Points>{});
  for (const Stretch& run : group.interpolated) {
    double* const to = u + run.input - run.place;
    const std::size_t end = run.place + run.count;
    std::size_t i = run.place;
    for (; i + 2 <= end; i += 2) {
      const Pair two = weighed<Points>(weight, rows, i, LoadPair{});
      std::memcpy(to + i, &two, sizeof two);
    }
    if (i < end) to[i] = weighed<Points>(weight, rows, i, LoadOne{});
  }
  return true;
}

// Of a lower degree where images are too few, or the gain too large.
void ImageHistory::between(const Group& group, Duration after_newest, Degrees degrees,
                           double* u) noexcept {
  const int degree = after_newest.ns > 0 ? degrees.beyond : degrees.within;
  const std::size_t points = std::min(static_cast<std::size_t>(degree) + 1, group.known);
  const bool done = (points > 3 && combine<4>(group, after_newest, u)) ||
                    (points > 2 && combine<3>(group, after_newest, u)) ||
                    (points > 1 && combine<2>(group, after_newest, u));
  if (!done) hold(group, group.all, u);
  if (!group.held.empty()) [[unlikely]]
    hold(group, group.held, u);
}

}  // namespace hild::io
