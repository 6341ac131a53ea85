// SPDX-License-Identifier: Apache-2.0
#include "exec/error_watch.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "hild/numerics/differences.hpp"

namespace hild::exec {
namespace {

// At some states, before it is the turn of others.
constexpr int looks_in_turn = 8;

// A share of the slopes of two states, or of one.
io::Pair of(io::Pair share, io::Pair slope) noexcept { return share * slope; }
double of(io::Pair share, double slope) noexcept { return share[0] * slope; }

}  // namespace

// The largest of estimates, as parts of the sizes of their states.
struct ErrorWatch::Worst {
  double* size;
  double part = -1;
  std::size_t which = 0;

  [[gnu::always_inline]] void take(std::size_t i, double x, double error) noexcept {
    size[i] = std::max(size[i], std::abs(x));
    compare(i, std::abs(error) / size[i]);
  }
  /// Of state i and the next one, each as if alone.
  [[gnu::always_inline]] void take(std::size_t i, io::Pair x, io::Pair error) noexcept {
    const io::Pair before = io::LoadPair{}(size + i);
    const io::Pair now = magnitude(x);
    const io::Pair largest = before < now ? now : before;
    std::memcpy(size + i, &largest, sizeof largest);
    const io::Pair its = magnitude(error) / largest;
    compare(i, its[0]);
    compare(i + 1, its[1]);
  }

 private:
  static io::Pair magnitude(io::Pair x) noexcept {
    using Bits [[gnu::vector_size(16)]] = std::int64_t;
    Bits bits;
    std::memcpy(&bits, &x, sizeof bits);
    bits &= INT64_MAX;
    std::memcpy(&x, &bits, sizeof x);
    return x;
  }
  [[gnu::always_inline]] void compare(std::size_t i, double its) noexcept {
    if (!(its > part)) return;
    part = its;
    which = i;
  }
};

ErrorWatch::ErrorWatch(model::Stepper& plant, model::Stepper::In u)
    : plant_(&plant),
      u_(u),
      slopes_(std::min(static_cast<std::size_t>(plant.method().order) + 2, most_slopes)),
      look_(look_of_method()),
      part_{.size = std::min(plant.description().states.size(), most_states),
            .all = plant.description().states.size() <= most_states},
      scratch_(plant.description().states.size()) {
  Weights nodes{};
  for (std::size_t k = 0; k < slopes_; ++k) nodes[k] = 1 - static_cast<double>(k);
  shares_.even = numerics::interpolatory_weights(nodes, slopes_, 1.0);
  start_.resize(part_.size);
  values_.resize(slopes_ * part_.size);
  for (std::size_t k = 0; k < slopes_; ++k) slope_[k].f = values_.data() + k * part_.size;
  size_.reserve(scratch_.size());
  for (const model::State& s : plant.description().states) {
    size_.push_back(numerics::least_moved * s.nominal);
  }
}

ErrorWatch::Look ErrorWatch::look_of_method() const noexcept {
  if (plant_->method().embedded.order > 0) return look_at_pair;
  switch (slopes_) {
    case 3:
      return look_by<3>;
    case 4:
      return look_by<4>;
    case 5:
      return look_by<5>;
    default:
      return look_by<most_slopes>;
  }
}

ErrorWatch::Estimate ErrorWatch::forget_cut() noexcept {
  cut_ = false;
  forget();
  return {};
}

ErrorWatch::Estimate ErrorWatch::look_at_pair(ErrorWatch& watch, SimTime /*t*/,
                                              SimTime /*end*/) noexcept {
  if (!watch.plant_->error_estimate(watch.scratch_)) return {};
  const auto x = watch.plant_->states();
  Worst worst{watch.size_.data()};
  for (std::size_t i = 0; i < x.size(); ++i) worst.take(i, x[i], watch.scratch_[i]);
  return {worst.part, worst.which};
}

template <std::size_t N>
ErrorWatch::Estimate ErrorWatch::look_by(ErrorWatch& watch, SimTime t, SimTime end) noexcept {
  const auto [x0, f0] = watch.plant_->step_start();
  if (x0.empty()) return {};  // it advances itself
  if (f0.empty()) return watch.look_at_end<N>(end, x0.data());
  watch.begin_slope<N>(t);
  return watch.looked(watch.take<N>(f0.data(), watch.start_.data(), x0.data()));
}

// By one evaluation more.
template <std::size_t N>
ErrorWatch::Estimate ErrorWatch::look_at_end(SimTime end, const double* x0) noexcept {
  const model::Stepper::In x1 = plant_->states();
  plant_->system().derivatives(seconds(end), x1, u_, scratch_);
  begin_slope<N>(end);
  return looked(take<N>(scratch_.data(), x0 + part_.first, x1.data()));
}

ErrorWatch::Estimate ErrorWatch::looked(const Estimate& found) noexcept {
  if (!part_.all && found.known() && ++part_.looks >= looks_in_turn) turn();
  return found;
}

// The oldest makes room for one at t.
template <std::size_t N>
[[gnu::always_inline]] inline void ErrorWatch::begin_slope(SimTime t) noexcept {
  const Duration length = t - slope_[0].t;
  // As DerivativeHistory takes a grid to be even.
  const auto longer = static_cast<std::uint64_t>((length - pace_.length).ns);
  pace_.even_steps = longer + 1 <= 2 ? pace_.even_steps + 1 : 0;
  pace_.length = length;
  double* const oldest = slope_[N - 1].f;
  for (std::size_t k = N - 1; k > 0; --k) slope_[k] = slope_[k - 1];
  slope_[0] = {t, oldest};
  if (known_ < N) ++known_;
}

// The newest slope is `f`, and the step ends there that went from `x0` (of the states looked at) to
// `x1`: what the slopes make of it.
template <std::size_t N>
[[gnu::always_inline]] inline ErrorWatch::Estimate ErrorWatch::take(const double* f,
                                                                    const double* x0,
                                                                    const double* x1) noexcept {
  f += part_.first;
  x1 += part_.first;
  double* const newest = slope_[0].f;
  double* const start = start_.data();
  if (known_ < N) {
    std::copy_n(f, part_.size, newest);
    std::copy_n(x1, part_.size, start);
    return {};
  }
  if (pace_.even_steps + 2 < N) {
    weigh_uneven();
  } else if (pace_.length != shares_.even_length) {
    weigh_even();
  }
  Worst worst{size_.data() + part_.first};
  [&]<std::size_t... K>(std::index_sequence<K...> /*slopes before*/)
      __attribute__((always_inline)) {
    const std::array<const double*, N - 1> before{slope_[K + 1].f...};
    const std::size_t n = part_.size;
    const auto take = [&](std::size_t i, auto load) __attribute__((always_inline)) {
      const auto slope = load(f + i);
      const auto end = load(x1 + i);
      const auto moved = end - load(x0 + i);
      std::memcpy(newest + i, &slope, sizeof slope);
      std::memcpy(start + i, &end, sizeof end);
      worst.take(
          i, end,
          moved - (of(shares_.now[0], slope) + ... + of(shares_.now[K + 1], load(before[K] + i))));
    };
    std::size_t i = 0;
    for (; i + 2 <= n; i += 2) take(i, io::LoadPair{});
    if (i < n) take(i, io::LoadOne{});
  }
  (std::make_index_sequence<N - 1>{});
  return {worst.part, part_.first + worst.which};
}

void ErrorWatch::weigh(const Weights& weights) noexcept {
  const double h = seconds(pace_.length);
  for (std::size_t k = 0; k < slopes_; ++k) {
    const double share = h * weights[k];
    shares_.now[k] = io::Pair{share, share};
  }
}

void ErrorWatch::weigh_even() noexcept {
  weigh(shares_.even);
  shares_.even_length = pace_.length;
}

// Of a step before one that was doubled or partial.
void ErrorWatch::weigh_uneven() noexcept {
  const SimTime start = slope_[1].t;
  Weights nodes{};
  for (std::size_t k = 0; k < slopes_; ++k) {
    nodes[k] = static_cast<double>((slope_[k].t - start).ns) / static_cast<double>(pace_.length.ns);
  }
  weigh(numerics::interpolatory_weights(nodes, slopes_, 1.0));
  shares_.even_length = {};
}

// Others are looked at from here on.
void ErrorWatch::turn() noexcept {
  part_.first = part_.first + most_states < size_.size() ? part_.first + most_states : 0;
  part_.size = std::min(most_states, size_.size() - part_.first);
  part_.looks = 0;
  forget();
}

}  // namespace hild::exec
