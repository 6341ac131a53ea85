// SPDX-License-Identifier: Apache-2.0
#include "exec/change_check.hpp"

#include <cmath>
#include <utility>

namespace hild::exec {
namespace {

std::optional<io::Interval> range_of(const Targets& targets, std::uint32_t fault) noexcept {
  if (targets.sampler == nullptr) return {};
  return targets.sampler->fault_range(fault);
}

/// Looks at all fields, those that do not belong to the change too. The first fault counts.
class Checker {
 public:
  explicit Checker(const Targets& targets) noexcept : targets_(targets) {}
  [[nodiscard]] Refusal found() const noexcept { return found_; }
  [[nodiscard]] static constexpr bool has(bool /*belongs*/) noexcept { return true; }

  void target(const Field& /*f*/, Target target, std::uint32_t index) noexcept {
    if (target == Target::device_fault) {
      return refuse(!range_of(targets_, index), Refusal::unknown_target);
    }
    const std::size_t there = target == Target::parameter ? targets_.parameters.size()
                              : target == Target::input   ? targets_.inputs
                              : target == Target::alarm   ? targets_.alarms
                                                          : targets_.outputs;
    refuse(index >= there, Refusal::unknown_target);
  }
  void signal(const Field& f, Side side, std::uint32_t index) noexcept {
    target(f, side == Side::input ? Target::input : Target::output, index);
  }
  void setting(const Field& f, Target t, std::uint32_t index, double value) noexcept {
    target(f, t, index);
    number(f, value, {});
  }
  template <class E, std::size_t n>
  void choice(const Field& /*f*/, E value, const std::array<Word, n>& /*words*/,
              E /*otherwise*/ = {}) noexcept {
    refuse(static_cast<std::size_t>(value) >= n, Refusal::unknown_target);
  }
  void number(const Field& /*f*/, double value, const Quantity& q) noexcept {
    refuse(!std::isfinite(value), Refusal::not_finite);
    refuse(value < q.low || value > q.high, Refusal::out_of_limits);
  }
  void scaled(const Field& f, double amplitude, const Field& /*of*/,
              const PlaybackTable& /*trusted*/) noexcept {
    number(f, amplitude, {});
  }
  template <class T>
  void whole(const Field& /*f*/, T value, const Whole& w) noexcept {
    refuse(std::cmp_less(value, w.low) || (w.high != INT64_MAX && std::cmp_greater(value, w.high)),
           w.place ? Refusal::unknown_target : Refusal::out_of_limits);
  }
  void flag(const Field& /*f*/, bool /*value*/) noexcept {}
  void time(const Field& /*f*/, Duration value, bool /*required*/) noexcept {
    refuse(value.ns < 0, Refusal::out_of_limits);
  }
  void frames(const Field& /*f*/, std::int64_t value) noexcept {
    refuse(value < 0, Refusal::out_of_limits);
  }
  template <class C>
  void part() noexcept {}

 private:
  void refuse(bool bad, Refusal why) noexcept {
    if (bad && found_ == Refusal::none) found_ = why;
  }
  const Targets& targets_;
  Refusal found_ = Refusal::none;
};

template <class C>
Refusal beyond_fields(const C& c, const Targets& targets) noexcept {
  if constexpr (requires { c.refused(); }) return c.refused();
  if constexpr (std::is_same_v<C, SetParameter>)
    return c.refused_by(targets.parameters[c.parameter]);
  if constexpr (std::is_same_v<C, InjectFault>) {
    const auto allowed = range_of(targets, c.fault);
    if (!allowed || c.value < allowed->low || c.value > allowed->high) {
      return Refusal::out_of_limits;
    }
  }
  return Refusal::none;
}

}  // namespace

Refusal check(const Change& change, const Targets& targets) noexcept {
  return std::visit(
      [&]<class C>(const C& c) noexcept {
        Checker checker(targets);
        C::fields(checker, c);
        return checker.found() == Refusal::none ? beyond_fields(c, targets) : checker.found();
      },
      change);
}

Refusal check_table(const PlaybackTable& table) noexcept {
  if (table.size == 0 || table.times == nullptr || table.values == nullptr)
    return Refusal::bad_table;
  for (std::size_t i = 0; i < table.size; ++i) {
    if (!std::isfinite(table.times[i]) || !std::isfinite(table.values[i]))
      return Refusal::not_finite;
    if (i == 0) continue;
    if (table.times[i] <= table.times[i - 1]) return Refusal::bad_table;
    // Between them is interpolated.
    if (!std::isfinite(table.values[i] - table.values[i - 1])) return Refusal::not_finite;
  }
  return Refusal::none;
}

}  // namespace hild::exec
