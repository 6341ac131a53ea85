// SPDX-License-Identifier: Apache-2.0
#include "exec/error_watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "hild/numerics/differences.hpp"

namespace hild::exec {
namespace {

// At some states, before it is the turn of others.
constexpr int looks_in_turn = 8;

/// The largest of estimates, as parts of the sizes of their states.
struct Worst {
  double* size;
  double part = -1;
  std::size_t which = 0;

  [[gnu::always_inline]] void take(std::size_t i, double x, double error) noexcept {
    size[i] = std::max(size[i], std::abs(x));
    const double its = std::abs(error) / size[i];
    if (!(its > part)) return;
    part = its;
    which = i;
  }
};

}  // namespace

ErrorWatch::ErrorWatch(const model::Stepper& plant)
    : pair_(plant.method().embedded.order > 0),
      slopes_(std::min(static_cast<std::size_t>(plant.method().order) + 2, most_slopes)),
      looked_at_(std::min(plant.description().states.size(), most_states)),
      scratch_(plant.description().states.size()) {
  Weights nodes{};
  for (std::size_t k = 0; k < slopes_; ++k) nodes[k] = 1 - static_cast<double>(k);
  even_ = numerics::interpolatory_weights(nodes, slopes_, 1.0);
  start_.resize(looked_at_);
  for (Slope& slope : ring_) slope.f.resize(looked_at_);
  size_.reserve(scratch_.size());
  for (const model::State& s : plant.description().states) {
    size_.push_back(numerics::least_moved * s.nominal);
  }
}

ErrorWatch::Estimate ErrorWatch::look(model::Stepper& plant, SimTime t, SimTime end,
                                      model::Stepper::In u) noexcept {
  if (std::exchange(cut_, false)) {
    forget();
    return {};
  }
  if (pair_ && plant.error_estimate(scratch_)) {
    const auto x = plant.states();
    Worst worst{size_.data()};
    for (std::size_t i = 0; i < x.size(); ++i) worst.take(i, x[i], scratch_[i]);
    return {worst.part, worst.which, !x.empty()};
  }
  const auto [x0, f0] = plant.step_start();
  if (x0.empty()) return {};  // it advances itself
  const bool at_end = f0.empty();
  if (at_end) {
    plant.system().derivatives(seconds(end), plant.states(), u, scratch_);
    add(end, scratch_.data() + first_);
  } else {
    add(t, f0.data() + first_);
  }
  Estimate found;
  if (known_ == slopes_) {
    found = at_end ? compare(x0.data() + first_, plant.states().data() + first_)
                   : compare(start_.data(), x0.data() + first_);
  }
  std::copy_n(x0.data() + first_, looked_at_, start_.data());
  if (looked_at_ < size_.size() && found.known && ++looks_ >= looks_in_turn) turn();
  return found;
}

void ErrorWatch::add(SimTime t, const double* f) noexcept {
  const Duration length = t - ring_[newest_].t;
  // As DerivativeHistory takes a grid to be even.
  even_steps_ = std::abs((length - length_).ns) <= 1 ? even_steps_ + 1 : 0;
  length_ = length;
  newest_ = newest_ + 1 < slopes_ ? newest_ + 1 : 0;
  known_ = std::min(known_ + 1, slopes_);
  ring_[newest_].t = t;
  std::copy_n(f, looked_at_, ring_[newest_].f.data());
}

ErrorWatch::Estimate ErrorWatch::compare(const double* x0, const double* x1) noexcept {
  if (even_steps_ + 2 < slopes_) renew_weights();
  switch (slopes_) {
    case 3:
      return compare_by<3>(x0, x1);
    case 4:
      return compare_by<4>(x0, x1);
    case 5:
      return compare_by<5>(x0, x1);
    default:
      return compare_by<most_slopes>(x0, x1);
  }
}

// The step from x0 to x1, which the newest slope is at the end of.
template <std::size_t N>
ErrorWatch::Estimate ErrorWatch::compare_by(const double* x0, const double* x1) noexcept {
  const Weights& weight = even_steps_ + 2 < slopes_ ? uneven_ : even_;
  const double h = seconds(length_);
  std::array<const double*, N> f;
  std::array<double, N> w;
  for (std::size_t k = 0; k < N; ++k) {
    f[k] = before(k).f.data();
    w[k] = h * weight[k];
  }
  Worst worst{size_.data() + first_};
  for (std::size_t i = 0; i < looked_at_; ++i) {
    double step = w[0] * f[0][i];
    for (std::size_t k = 1; k < N; ++k) step += w[k] * f[k][i];
    worst.take(i, x1[i], x1[i] - x0[i] - step);
  }
  return {worst.part, first_ + worst.which, looked_at_ > 0};
}

// Of a step before one that was doubled or partial.
void ErrorWatch::renew_weights() noexcept {
  const SimTime start = before(1).t;
  Weights nodes{};
  for (std::size_t k = 0; k < slopes_; ++k) {
    nodes[k] = static_cast<double>((before(k).t - start).ns) / static_cast<double>(length_.ns);
  }
  uneven_ = numerics::interpolatory_weights(nodes, slopes_, 1.0);
}

// Others are looked at from here on.
void ErrorWatch::turn() noexcept {
  first_ = first_ + most_states < size_.size() ? first_ + most_states : 0;
  looked_at_ = std::min(most_states, size_.size() - first_);
  looks_ = 0;
  forget();
}

}  // namespace hild::exec
