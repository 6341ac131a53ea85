// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "cli/report/advice.hpp"

namespace hild::report {
namespace {

using advise::Advice;
using advise::Offer;
using advise::Remedy;

std::string_view what_ends(advise::StepLimit limit) {
  static constexpr std::array<std::string_view, 5> words{
      "nothing", "stability", "the accuracy of the modes", "the accuracy of the response to inputs",
      "the accuracy of sampled inputs"};
  return words[static_cast<std::size_t>(limit)];
}

std::string longer_step(const Offer& o, const Advice& a) {
  const std::string to = fmt::format("a longer step: {} with {}", short_time(o.h), a.method);
  if (!o.helps) {
    return fmt::format("{} is what the machine can do, but it is unstable beyond {}", to,
                       short_time(a.ours().upper.stability));
  }
  if (a.ours().candidate.rates)
    return to + "; its error is not known, compare with `hild simulate`";
  return fmt::format("{}, at an error of {:.2g} ({:.3g} times what was asked for)", to, o.error,
                     o.price);
}

std::string cheaper_function(const Offer& o, const Advice& a) {
  constexpr std::string_view tables =
      "look for what repeats in its derivatives; interpolation in tables costs most";
  if (!std::isfinite(o.factor)) return "a cheaper function: no cost is low enough";
  if (o.states.empty()) {
    return fmt::format(
        "a cheaper function: everything in a frame {:.3g} times faster; no modes lie apart that "
        "could go; {}",
        o.factor, tables);
  }
  return fmt::format(
      "a cheaper function: without {} ({:.0f} % of the states), set to where their derivatives "
      "vanish, wrong by {:.2g} where the band ends, h may be {}; {}",
      names_of(a, o.states), 100 * o.share, o.error, short_time(o.h),
      o.helps ? std::string("that opens the window")
              : fmt::format("what is left has to be {:.3g} times faster; {}", o.factor, tables));
}

std::string cheaper_method(const Offer& o) {
  if (o.method.empty()) return "a method that suits better: none is stable with any step";
  if (o.helps) {
    return fmt::format("a method that suits better: {} has a window up to {}", o.method,
                       short_time(o.h));
  }
  return fmt::format(
      "a method that suits better: none fits; {} comes closest and lacks a factor of {:.3g}",
      o.method, o.factor);
}

std::string faster_machine(const Offer& o, const Advice& a) {
  if (!o.helps) return fmt::format("a faster machine: none makes {} stable", a.method);
  return fmt::format("a faster machine: {:.3g} times this one for {}", o.factor, a.method);
}

}  // namespace

std::string_view to_string(advise::StepLimit limit) noexcept {
  static constexpr std::array<std::string_view, 5> words{"none", "stability", "modes", "inputs",
                                                         "sampling"};
  return words[static_cast<std::size_t>(limit)];
}

std::string_view to_string(advise::Remedy remedy) noexcept {
  static constexpr std::array<std::string_view, 4> words{"longer_step", "cheaper_function",
                                                         "cheaper_method", "faster_machine"};
  return words[static_cast<std::size_t>(remedy)];
}

std::string_view to_string(advise::BandFrom from) noexcept {
  static constexpr std::array<std::string_view, 4> words{"wish", "signals", "slowest_mode", "none"};
  return words[static_cast<std::size_t>(from)];
}

std::string short_time(double s) {
  if (!std::isfinite(s)) return "-";
  if (s <= 0) return "0";
  if (s >= 0.9995) return fmt::format("{:.3g} s", s);
  if (s >= 0.9995e-3) return fmt::format("{:.3g} ms", s * 1e3);
  if (s >= 0.9995e-6) return fmt::format("{:.3g} us", s * 1e6);
  return fmt::format("{:.3g} ns", s * 1e9);
}

std::string names_of(const Advice& advice, const std::vector<std::size_t>& states) {
  constexpr std::size_t most = 12;
  std::string all;
  for (std::size_t i = 0; i < std::min(states.size(), most); ++i) {
    all += fmt::format("{}{}", i == 0 ? "" : ", ", advice.states[states[i]]);
  }
  if (states.size() > most) all += fmt::format(" and {} more", states.size() - most);
  return all;
}

std::string verdict_of(const Advice& a) {
  const advise::Window& w = a.ours();
  const std::string h = short_time(a.h);
  const std::string window =
      fmt::format("{} ... {}", short_time(w.lower), short_time(w.upper.least()));
  if (w.holds_calmly(a.h)) {
    return fmt::format("{} with h = {} is inside its window, {}.", a.method, h, window);
  }
  if (w.holds(a.h)) {
    return fmt::format(
        "{} with h = {} is inside its window, {}, but one frame in a hundred may "
        "overrun: at the p99 of the costs it begins at {}.",
        a.method, h, window, short_time(w.lower_p99));
  }
  if (!w.open()) {
    return fmt::format("{} has no window: the machine needs {} a step, and {} ends at {}.",
                       a.method, short_time(w.lower), what_ends(w.upper.limit()),
                       short_time(w.upper.least()));
  }
  if (a.h < w.lower) {
    return fmt::format("h = {} is too short for {}: the machine needs {} a step.", h, a.method,
                       short_time(w.lower));
  }
  return fmt::format("h = {} is too long for {}: {} ends at {}.", h, a.method,
                     what_ends(w.upper.limit()), short_time(w.upper.least()));
}

std::string words_of(const Offer& o, const Advice& a) {
  switch (o.remedy) {
    case Remedy::longer_step:
      return longer_step(o, a);
    case Remedy::cheaper_function:
      return cheaper_function(o, a);
    case Remedy::cheaper_method:
      return cheaper_method(o);
    case Remedy::faster_machine:
      break;
  }
  return faster_machine(o, a);
}

}  // namespace hild::report
