// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whole frames of several rates that the compiler knows, with inputs that hold: straight code, of
/// the bits of MultirateStepping's passes. Each frame is unrolled over its minor steps; the work of
/// a slow partition is done where its step begins, since nothing that it depends on changes before
/// its end. Real-time safe.
#pragma once

#include <utility>

#include "hild/core/time.hpp"
#include "hild/model/partition_steps.hpp"

namespace hild::model {

/// Made for one call of take(), of references to what the kernel keeps. Rates is FixedRates.
template <class M, class Rates>
class UnrolledFrames {
  using D = Data<M>;
  using Steps = PartitionSteps<M, Rates>;
  using Vector = typename Steps::Vector;
  using Part = typename Steps::Part;
  using Point = typename Steps::Point;

 public:
  Steps& by;      ///< what takes a partition's step
  Point& now;     ///< where the frames begin, then where the last of them began
  Point& next;    ///< where they end
  Vector& slope;  ///< as MultirateStepping::start_derivative()

  /// `count` > 0 frames of length h from t; returns the start of the last.
  SimTime take(SimTime t, Duration h, int count, M& model, typename D::U u,
               typename D::P p) noexcept {
    const double minor = seconds(h) / parts().minors;
    Point to;
    Point old;
    copy(now, to);
    Vector f;
    Vector first = slope;
    for (int n = 0; n < count; ++n, t += h) {
      if (n + 1 == count) copy(to, old);
      const auto minor_step = [&]<std::size_t... J>(std::index_sequence<J...>) {
        (step<J>(seconds(t), minor, model, u, p, to, f, first), ...);
      };
      minor_step(std::make_index_sequence<static_cast<std::size_t>(parts().minors)>{});
    }
    slope = first;
    copy(old, now);
    copy(to, next);
    return t + -h;
  }

 private:
  static constexpr const auto& parts() noexcept { return Steps::parts(); }

  static void copy(const Point& from, Point& into) noexcept {
    constexpr bool remembers = [] {
      for (const Part& part : parts().part) {
        if (parts().remembers(part)) return true;
      }
      return false;
    }();
    if constexpr (remembers) {
      into = from;
    } else {
      into.x = from.x;
    }
  }

  // Minor step J of the frame that began at t.
  template <std::size_t J>
  void step(double t, double minor, M& model, typename D::U u, typename D::P p, Point& to,
            Vector& f, Vector& first) const noexcept {
    constexpr int now_at = static_cast<int>(J);
    const double at = t + now_at * minor;
    const auto into = [](std::size_t i) { return now_at % parts().part[i].span; };
    const auto after = [](std::size_t i) { return (now_at + 1) % parts().part[i].span; };
    Vector scratch;
    const Vector& x = by.seen(to, minor, into, scratch);
    const auto evaluate_one = [&]<std::size_t I>(std::integral_constant<std::size_t, I> /*i*/) {
      constexpr const Part& part = parts().part[I];
      if constexpr (!part.implicit && now_at % part.span == 0) {
        Steps::evaluate(part, part.all, model, at, x, u, p, f);
      }
    };
    const auto move_one = [&]<std::size_t I>(std::integral_constant<std::size_t, I> /*i*/) {
      constexpr const Part& part = parts().part[I];
      if constexpr (!part.implicit && (now_at + 1) % part.span == 0) {
        if constexpr (now_at + 1 == part.span) by.take_slope(I, f, first);
        by.move(I, minor, f, to);
      }
    };
    const auto solve_one = [&]<std::size_t I>(std::integral_constant<std::size_t, I> /*i*/) {
      constexpr const Part& part = parts().part[I];
      if constexpr (part.implicit && (now_at + 1) % part.span == 0) {
        by.solve(I, model, at + minor, u, p, minor, after, to);
      }
    };
    const auto each = [&]<std::size_t... I>(std::index_sequence<I...>, auto&& what) {
      (what(std::integral_constant<std::size_t, I>{}), ...);
    };
    constexpr auto every = std::make_index_sequence<parts().count>{};
    each(every, evaluate_one);
    each(every, move_one);
    each(every, solve_one);
  }
};

}  // namespace hild::model
