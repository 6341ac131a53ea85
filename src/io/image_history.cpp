// SPDX-License-Identifier: Apache-2.0
#include "io/image_history.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hild/io/pair.hpp"

namespace hild::io {
namespace {

using Weights = std::array<double, ImageHistory::depth>;

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

// Of the polynomial through the newest image and those before it, made `s` ns after it (less than
// 0): the weights of those before it, at `x`. What is left of 1 is that of the newest. Whether
// noise and the steps of a converter are not made too much of: after an overrun images lie close
// together and `x` far from them.
template <std::size_t Points>
[[gnu::always_inline]] inline bool weigh(double x, const std::array<double, ImageHistory::depth>& s,
                                         Weights& weight) noexcept {
  if constexpr (Points == 2) {
    weight[1] = x / s[1];
  } else {
    const Pair both{s[1], s[2]};
    const Pair other{s[2], s[1]};
    const Pair from = x - other;
    Pair above = x * from;
    Pair below = both * (both - other);
    if constexpr (Points == 4) {
      const Pair apart = both - s[3];
      above *= x - s[3];
      below *= apart;
      weight[3] = x * (from[0] * from[1]) / (s[3] * (apart[0] * apart[1]));
    }
    const Pair ratio = above / below;
    weight[1] = ratio[0];
    weight[2] = ratio[1];
  }
  double newest = 1 - weight[1];
  double gain = std::abs(weight[1]);
  if constexpr (Points > 2) newest -= weight[2], gain += std::abs(weight[2]);
  if constexpr (Points > 3) newest -= weight[3], gain += std::abs(weight[3]);
  return std::abs(newest) + gain <= ImageHistory::largest_gain;
}

}  // namespace

ImageHistory::ImageHistory(const std::vector<SampledInput>& inputs, std::size_t groups,
                           Duration spacing)
    : spacing_(spacing),
      groups_(groups),
      made_(groups),
      instants_(made_),
      whole_(inputs.size()),
      incoming_(whole_),
      newest_(whole_),
      single_(groups == 1) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Group& group = groups_[inputs[i].group];
    if (std::isfinite(inputs[i].jump)) group.watched.push_back({i, group.size, inputs[i].jump});
    auto& runs = inputs[i].held ? group.held : group.interpolated;
    append(runs, i, group.size);
    append(group.all, i, group.size);
    ++group.size;
  }
  for (Group& group : groups_) {
    group.values.resize(group.rows.size() * group.size);
    for (std::size_t age = 0; age < group.rows.size(); ++age) {
      group.rows[age] = group.values.data() + age * group.size;
    }
  }
  if (single_) incoming_ = {groups_[0].rows.back(), whole_.size()};
}

void ImageHistory::accept_groups() noexcept {
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    static_cast<void>(take(groups_[g], instants_[g]));
    copy(groups_[g], groups_[g].rows[0]);
  }
  find_newest_time();
}

void ImageHistory::find_newest_time() noexcept {
  newest_time_ = groups_.front().newest;
  for (const Group& group : groups_) newest_time_ = std::max(newest_time_, group.newest);
}

void ImageHistory::copy(const Group& group, double* row) noexcept {
  for (const Stretch& run : group.all) {
    copy_values(incoming_.subspan(run.from, run.count), row + run.to);
  }
}

// Where an input jumped from what the group had there before.
void ImageHistory::begin_anew_after_jump(Group& group) noexcept {
  if (group.known == 0) return;
  const double* const before = group.rows[0];
  const bool jumped = std::ranges::any_of(group.watched, [&](const Watched& w) {
    return std::abs(incoming_[w.input] - before[w.place]) > w.jump;
  });
  if (jumped) group.known = 0;
}

void ImageHistory::transfer(Archive& archive) noexcept {
  if (newest_.data() != whole_.data()) std::ranges::copy(newest_, whole_.begin());
  archive(whole_);
  for (Group& group : groups_) {
    const std::size_t n = archive.size(group.known, depth, "images kept");
    for (std::size_t age = 0; age < n; ++age) {
      MonoTime made{group.newest.ns + static_cast<std::int64_t>(group.after_newest[age])};
      archive(made, std::span(group.rows[age], group.size));
      if (!archive.loads()) continue;
      if (age == 0) group.newest = made;
      group.after_newest[age] = static_cast<double>((made - group.newest).ns);
    }
    if (archive.loads()) group.known = n;
  }
  if (!archive.loads()) return;
  find_newest_time();
  if (!single_) return;
  const Group& group = groups_.front();
  const std::size_t size = whole_.size();
  newest_ = group.known > 0 ? std::span<const double>(group.rows[0], size) : whole_;
}

// ---- the polynomial ----------------------------------------------------------------------------

template <std::size_t Points>
[[gnu::always_inline]] inline bool ImageHistory::combine(const Group& group, Duration after_newest,
                                                         double* u) noexcept {
  Weights weight;
  if (!weigh<Points>(static_cast<double>(after_newest.ns), group.after_newest, weight))
    return false;
  const auto rows = [&]<std::size_t... Age>(std::index_sequence<Age...> /*ages*/) {
    return std::array<const double*, Points>{group.rows[Age]...};
  }
  (std::make_index_sequence<Points>{});
  for (const Stretch& run : group.interpolated) {
    by_pairs(run.to, run.to + run.count, u + run.from - run.to,
             [&](std::size_t i, auto load) { return weighed<Points>(weight, rows, i, load); });
  }
  return true;
}

// Of a lower degree where images are too few, or the gain too large.
void ImageHistory::between(const Group& group, Duration after_newest, Degrees degrees,
                           double* u) noexcept {
  const int degree = after_newest.ns > 0 ? degrees.beyond : degrees.within;
  const std::size_t points = std::min(static_cast<std::size_t>(degree + 1), group.known);
  const bool done = (points > 3 && combine<4>(group, after_newest, u)) ||
                    (points > 2 && combine<3>(group, after_newest, u)) ||
                    (points > 1 && combine<2>(group, after_newest, u));
  if (!done) hold(group, group.all, u);
  if (!group.held.empty()) [[unlikely]]
    hold(group, group.held, u);
}

}  // namespace hild::io
