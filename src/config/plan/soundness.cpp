// SPDX-License-Identifier: Apache-2.0
#include "config/plan/soundness.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>
#include <cmath>

#include "core/json_parts.hpp"

namespace hild::plan {
namespace {

namespace json = boost::json;

// "-50 +- 86.6i 1/s"
std::string mode_words(std::complex<double> lambda) {
  if (lambda.imag() == 0) return fmt::format("{:.3g} 1/s", lambda.real());
  return fmt::format("{:.3g} +- {:.3g}i 1/s", lambda.real(), std::abs(lambda.imag()));
}

std::string percent(double fraction) { return fmt::format("{:.3g} %", 100 * fraction); }

std::string bounded_by(const Soundness& s) {
  if (!s.limiting) return {};
  return fmt::format(", by its mode {}{}", mode_words(*s.limiting),
                     s.limiting_at > 0 ? fmt::format(" at {:.3g} s", s.limiting_at) : "");
}

std::string up_to(const Soundness& s) {
  if (s.stable_to == 0) return "at no step";
  return fmt::format("up to {}{}", short_time(s.stable_to), bounded_by(s));
}

std::string stability_words(const Soundness& s) {
  if (!s.stable()) {
    return fmt::format("UNSTABLE at this step of {}: stable {}", short_time(s.h), up_to(s));
  }
  if (!std::isfinite(s.stable_to)) return fmt::format("stable at any step ({})", s.seen);
  return fmt::format("stable at this step; {} ({}){}", up_to(s), s.seen,
                     s.doubled_stable() ? "" : "; not in the double steps after an overrun");
}

std::string accuracy_words(const Soundness& s) {
  std::string words;
  if (s.error) words = fmt::format("off by some {} at this step", percent(*s.error));
  if (!std::isfinite(s.accurate_to)) return words.empty() ? "not bounded by the step" : words;
  return fmt::format("{}{}within {} up to {}", words, words.empty() ? "" : "; ",
                     percent(s.accuracy), short_time(s.accurate_to));
}

}  // namespace

std::string short_time(double s) {
  if (!std::isfinite(s)) return "-";
  if (s <= 0) return "0";
  if (s >= 0.9995) return fmt::format("{:.3g} s", s);
  if (s >= 0.9995e-3) return fmt::format("{:.3g} ms", s * 1e3);
  if (s >= 0.9995e-6) return fmt::format("{:.3g} us", s * 1e6);
  return fmt::format("{:.3g} ns", s * 1e9);
}

std::vector<std::string> warnings_of(const Soundness& s, const std::string& config) {
  if (!s.known()) return {};
  const std::string whose = s.model.empty() ? "" : fmt::format("models.{}: ", s.model);
  const std::string next = fmt::format(
      "take a shorter frame.period or another integrator.method; `hild advise {}` finds them",
      config);
  if (!s.stable()) {
    return {
        fmt::format("{}{} is unstable at this step of {}: what it computes is not the plant{}; "
                    "stable {}; {}",
                    whose, s.method, short_time(s.h),
                    s.growth > 1 ? fmt::format(", it grows {:.3g} times a step", s.growth) : "",
                    up_to(s), next)};
  }
  if (!s.far_off()) return {};
  return {
      fmt::format("{}{} is off by some {} at this step of {}; {} takes a step of {} or less; {}",
                  whose, s.method, percent(*s.error), short_time(s.h), percent(s.accuracy),
                  short_time(s.accurate_to), next)};
}

std::string soundness_text(const Soundness& s) {
  const std::string whose = s.model.empty() ? "" : fmt::format("{}: ", s.model);
  if (!s.known()) {
    return fmt::format("  {:<16} {}cannot be judged: {}\n", "stability", whose, s.unknown);
  }
  std::string out = fmt::format("  {:<16} {}{}\n", "stability", whose, stability_words(s));
  out += fmt::format("  {:<16} {}{}\n", "accuracy", whose, accuracy_words(s));
  for (const auto& note : s.notes) out += fmt::format("  {:<16} {}\n", "", note);
  return out;
}

json::object soundness_json(const Soundness& s) {
  json::object o;
  if (!s.model.empty()) o["model"] = s.model;
  o["method"] = s.method;
  o["step_s"] = s.h;
  o["known"] = s.known();
  if (!s.known()) {
    o["why"] = s.unknown;
    return o;
  }
  o["seen"] = s.seen;
  o["stable"] = s.stable();
  o["doubled_stable"] = s.doubled_stable();
  o["stable_to_s"] = or_null(s.stable_to);
  o["limiting_mode"] = nullptr;
  if (s.limiting) {
    o["limiting_mode"] = {{"real", s.limiting->real()},
                          {"imaginary", std::abs(s.limiting->imag())},
                          {"at_s", s.limiting_at}};
  }
  o["growth_per_step"] = or_null(s.growth);
  o["accuracy"] = s.accuracy;
  o["error"] = s.error ? or_null(*s.error) : nullptr;
  o["accurate_to_s"] = or_null(s.accurate_to);
  o["notes"] = json::value_from(s.notes);
  return o;
}

}  // namespace hild::plan
