// SPDX-License-Identifier: Apache-2.0
/// \file
/// The partitions of a model as the kernel of multirate integration uses them: their states by
/// number, their minor steps, and which states are evaluated in which. Real-time safe.
#pragma once

#include <array>
#include <cstddef>

#include "hild/model/multirate.hpp"

namespace hild::model {

/// Which states the partitions of a model have, and when they step.
template <class M>
struct Partitioning {
  static constexpr std::size_t nx = M::states.size();  ///< states of the model
  /// Neighbouring states.
  struct Neighbours {
    std::size_t first = 0;  ///< number of the first of them
    std::size_t last = 0;   ///< number after that of the last
  };
  /// States by number, neighbours joined.
  struct Runs {
    std::array<Neighbours, nx> run{};  ///< the first `count` are used
    std::size_t count = 0;             ///< how many there are

    /// Adds state `s`, which is not yet there, to the last run where it follows it; `apart`, as it
    /// must be for the first of all, begins another run.
    constexpr void add(std::size_t s, bool apart) noexcept {
      if (!apart && run[count - 1].last == s) {
        ++run[count - 1].last;
      } else {
        run[count++] = {s, s + 1};
      }
    }
    /// The first run.
    [[nodiscard]] constexpr const Neighbours* begin() const noexcept { return run.data(); }
    /// Behind the last run.
    [[nodiscard]] constexpr const Neighbours* end() const noexcept { return run.data() + count; }
  };
  /// One partition.
  struct Part {
    std::array<std::size_t, nx> state{};  ///< numbers of its states, rising; `count` are used
    std::size_t count = 0;                ///< how many states it has
    int span = 1;                         ///< minor steps in a step
    int iterations = 0;                   ///< of Newton's method, where it is implicit
    bool implicit = false;                ///< solved at the end of its step
    bool two = false;                     ///< takes the derivative of the step before
    Runs all;                             ///< all its states
    Runs shared;                          ///< the same by shares, each for a pass of its step
    /// Share c of `span` is shared.run[share[c]] ... shared.run[share[c + 1] - 1].
    std::array<std::size_t, max_ratio + 1> share{};
  };

  std::array<Part, max_partitions> part{};  ///< in the order of the model; `count` are used
  std::size_t count = 0;                    ///< how many partitions there are
  int minors = 1;                           ///< minor steps in a frame
  bool extrapolates = false;                ///< fast partitions see lines, not held values

  /// Of rates that have passed check_rates(). `partial`: states can be evaluated alone. Else all
  /// are at once, each partition's in another pass.
  constexpr Partitioning(const Multirate& rates, bool partial) noexcept
      : count(rates.count),
        minors(rates.minor_steps()),
        extrapolates(rates.interface == Interface::extrapolate) {
    for (std::size_t i = 0; i < count; ++i) {
      Part& p = part[i];
      for (std::size_t s = 0; s < nx; ++s) {
        for (const auto name : M::partitions[i].states) {
          if (name == M::states[s].name) p.state[p.count++] = s;
        }
      }
      p.span = minors / rates.rates[i].ratio;
      p.implicit = rates.rates[i].method->implicit();
      p.iterations = rates.rates[i].method->iterations;
      p.two = rates.rates[i].method->history == 1;
      for (std::size_t k = 0; k < p.count; ++k) p.all.add(p.state[k], k == 0);
      share_out(p, static_cast<int>(i), partial);
    }
  }

  /// Whether a partition's last slope is asked for later.
  [[nodiscard]] constexpr bool remembers(const Part& p) const noexcept {
    return !p.implicit && (p.two || extrapolates);
  }

 private:
  static constexpr void share_out(Part& p, int index, bool partial) noexcept {
    for (int c = 0; c < p.span; ++c) {
      const auto cut = [&](int share) -> std::size_t {
        if (!partial) return share > index % p.span ? p.count : 0;
        return p.count * static_cast<std::size_t>(share) / static_cast<std::size_t>(p.span);
      };
      p.share[static_cast<std::size_t>(c)] = p.shared.count;
      for (std::size_t k = cut(c); k < cut(c + 1); ++k) p.shared.add(p.state[k], k == cut(c));
    }
    p.share[static_cast<std::size_t>(p.span)] = p.shared.count;
  }
};

}  // namespace hild::model
