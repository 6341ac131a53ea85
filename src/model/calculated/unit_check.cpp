// SPDX-License-Identifier: Apache-2.0
#include "model/calculated/unit_check.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace hild::model {
namespace {

int power_of(const std::string& base, const UnitPowers& unit) {
  const auto found = std::ranges::find(unit, base, &UnitInBase::Power::base);
  return found == unit.end() ? 0 : found->power;
}

// Numbers of both signs over many decades, so that differences, minima and comparisons go either
// way. They are the same each time: what is accepted once is accepted always.
class Chance {
 public:
  void fill(std::span<double> numbers) {
    for (double& x : numbers) {
      const double size = std::pow(10.0, decades_ * (2 * uniform() - 1));
      x = uniform() < 0.3 ? -size : size;
    }
    decades_ = decades_ > 0.2 ? decades_ * 0.97 : 9;
  }

 private:
  double uniform() { return static_cast<double>(engine_() >> 11U) * 0x1p-53; }
  std::mt19937_64 engine_{20011};
  double decades_ = 9;
};

// How the value goes with the unit of one base: powers seen, smallest and largest.
struct Seen {
  double least = HUGE_VAL;
  double most = -HUGE_VAL;
  bool torn = false;  ///< another sign, or zero and not zero

  void take(double before, double after, double log_of_scale) {
    if (!std::isfinite(before) || !std::isfinite(after)) return;
    if (before == 0 && after == 0) return;
    if (before == 0 || after == 0 || std::signbit(before) != std::signbit(after)) {
      torn = true;
      return;
    }
    const double power = std::log(after / before) / log_of_scale;
    least = std::min(least, power);
    most = std::max(most, power);
  }
  [[nodiscard]] bool none() const { return !torn && least > most; }
};

constexpr double slack = 1e-6;

Seen try_base(Formula& formula, std::span<const UnitPowers> units, const std::string& base) {
  Seen seen;
  Chance chance;
  std::vector<double> x(units.size());
  for (int trial = 0; trial < 400; ++trial) {
    chance.fill(x);
    const double scale = trial % 2 == 0 ? 1024 : 1 / 8.0;
    std::ranges::copy(x, formula.numbers().begin());
    const double before = formula.value();
    for (std::size_t i = 0; i < x.size(); ++i) {
      formula.numbers()[i] = x[i] * std::pow(scale, power_of(base, units[i]));
    }
    seen.take(before, formula.value(), std::log(scale));
  }
  return seen;
}

}  // namespace

Result<void> check_units(Formula& formula, std::span<const UnitPowers> numbers,
                         const UnitPowers& result) {
  std::set<std::string> bases;
  for (const auto& unit : numbers) {
    for (const auto& [base, power] : unit) bases.insert(base);
  }
  for (const auto& [base, power] : result) bases.insert(base);
  for (const std::string& base : bases) {
    const Seen seen = try_base(formula, numbers, base);
    if (seen.none()) continue;  // always zero, or nothing at all
    if (seen.torn || seen.most - seen.least > slack) {
      return fail(
          "it adds, compares or puts into a function values of different units: what it gives "
          "depends on whether "
          "\"{}\" is taken as a unit or another one",
          base);
    }
    const int expected = power_of(base, result);
    if (std::abs(seen.least - expected) > slack) {
      return fail("it gives a value that goes with {}^{:.3g}, and its unit with {}^{}", base,
                  seen.least, base, expected);
    }
  }
  return {};
}

}  // namespace hild::model
