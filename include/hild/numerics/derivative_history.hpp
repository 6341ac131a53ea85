// SPDX-License-Identifier: Apache-2.0
/// \file
/// The derivatives that an explicit method works with: those of the passes of the step at hand, and
/// of the steps before with the times they were taken at. Real-time safe after construction.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "hild/core/archive.hpp"
#include "hild/numerics/space.hpp"
#include "hild/numerics/tableau.hpp"
#include "hild/numerics/weights.hpp"

namespace hild::numerics {

/// A ring of the derivatives F_0 of the last steps, and F_1 ... of the step at hand. Space and
/// Tableau as ExplicitStep has them; a constant tableau keeps no more than its method needs.
template <class Space, class Tableau>
class DerivativeHistory {
 public:
  using Vector = typename Space::Vector;  ///< memory of the derivatives of a pass
  using Target = typename Space::Target;  ///< where a weighted sum of them is written

  /// Empty. Allocates where the space is Dynamic.
  explicit DerivativeHistory(Space space) {
    for (auto& f : first) f = space.vector();
    for (auto& f : later) f = space.vector();
  }

 private:
  // Derivatives kept: at the starts of steps, and of the later passes of this one.
  static constexpr std::size_t slots = [] {
    if constexpr (Tableau::constant) return static_cast<std::size_t>(Tableau::method().history) + 1;
    return max_history + 1;
  }();
  static constexpr std::size_t later_passes = [] {
    if constexpr (Tableau::constant) {
      constexpr const Method& m = Tableau::method();
      const int most = m.starter == nullptr ? m.passes : std::max(m.passes, m.starter->passes);
      return std::max(std::size_t{1}, static_cast<std::size_t>(most) - 1);
    }
    return max_passes - 1;
  }();

 public:
  using Later = std::array<Vector, later_passes>;  ///< of F_1 ..., at least one

  /// F_0 of the step at hand.
  ///@{
  [[nodiscard]] const Vector& start() const noexcept { return first[head()]; }
  [[nodiscard]] Vector& start() noexcept { return first[head()]; }
  ///@}
  /// F_i of it.
  [[nodiscard]] Vector& of(int pass) noexcept {
    return pass == 0 ? start() : later[static_cast<std::size_t>(pass - 1)];
  }
  /// The derivative of a term, one value a state; its place holds until the next keep().
  [[nodiscard]] [[gnu::always_inline]] const double* of(const Term& t) const noexcept {
    if (t.earlier) return first[before(t.index)].data();
    return t.index == 0 ? start().data() : later[t.index - 1].data();
  }
  /// How many of earlier steps are known.
  [[nodiscard]] int known() const noexcept { return known_; }

  /// F_0, taken at time t, is one of a step before from here on.
  void keep(SimTime t) noexcept {
    stamp_[head_] = t;
    head_ = head_ + 1 == slots ? 0 : head_ + 1;
    if (known_ + 1 < static_cast<int>(slots)) ++known_;
  }
  /// Those of the steps before, the newest first: so many are known.
  template <std::size_t Count>
  void copy_earlier(std::array<Vector, Count>& to) const noexcept {
    for (std::size_t k = 0; k < Count; ++k) to[k] = first[before(k)];
  }
  /// They are to be these; their times stay.
  template <std::size_t Count>
  void set_earlier(const std::array<Vector, Count>& from) noexcept {
    for (std::size_t k = 0; k < Count; ++k) first[before(k)] = from[k];
  }
  /// No earlier step is known any more: what follows a jump.
  void forget() noexcept { known_ = 0; }

  /// Whether the last `count` steps before t were of length h, or of the whole nanoseconds next to
  /// it: a grid of a rate of which no period is whole has steps of both, and is even. What a
  /// nanosecond more or less would change of the weights comes to nothing over a few such steps.
  [[nodiscard]] bool evenly_spaced(SimTime t, Duration h, int count) const noexcept {
    const std::int64_t rounding = h.ns >= shortest_rounded.ns ? 1 : 0;
    for (int k = 0; k < count; ++k) {
      const SimTime earlier = stamp_[before(static_cast<std::size_t>(k))];
      const std::int64_t longer = (t - earlier - h).ns;
      if (longer > rounding || longer < -rounding) return false;
      t = earlier;
    }
    return true;
  }
  /// How many steps of length h before t those of earlier steps were taken.
  void ages(SimTime t, Duration h, std::span<double> age) const noexcept {
    for (std::size_t k = 0; k < age.size(); ++k) {
      age[k] = static_cast<double>((t - stamp_[before(k)]).ns) / static_cast<double>(h.ns);
    }
  }

  /// sum_i weight_i F_i, over so many passes in their order.
  void weigh(const PassWeights& weight, int passes, Target out) const noexcept {
    const double* f = start().data();
    for (std::size_t s = 0; s < out.size(); ++s) out[s] = weight[0] * f[s];
    for (std::size_t i = 1; i < static_cast<std::size_t>(passes); ++i) {
      f = later[i - 1].data();
      for (std::size_t s = 0; s < out.size(); ++s) out[s] += weight[i] * f[s];
    }
  }

  /// Those of at most `earlier` earlier steps, the newest first, and F_0 ... of the step at hand,
  /// as many as there are `passes`.
  void transfer(Archive& archive, int earlier, int passes) noexcept {
    const auto most = static_cast<std::size_t>(earlier);
    const std::size_t n =
        archive.size(std::min(static_cast<std::size_t>(known_), most), most, "earlier steps known");
    if (archive.loads()) {
      head_ = 0;
      known_ = static_cast<int>(n);
    }
    for (std::size_t k = 0; k < n; ++k) archive(stamp_[before(k)], first[before(k)]);
    for (int i = 0; i < passes; ++i) archive(of(i));
  }

  std::array<Vector, slots> first;  ///< F_0 of this step and of those before
  Later later;                      ///< F_1 ... of this step

 private:
  // Of a shorter step a nanosecond is too large a part.
  static constexpr Duration shortest_rounded{10'000};

  [[nodiscard]] std::size_t head() const noexcept {
    if constexpr (slots == 1) return 0;
    return head_;
  }
  [[nodiscard]] std::size_t before(std::size_t k) const noexcept {
    return head_ > k ? head_ - 1 - k : head_ + slots - 1 - k;
  }

  std::array<SimTime, slots> stamp_{};
  std::size_t head_ = 0;
  int known_ = 0;
};

}  // namespace hild::numerics
