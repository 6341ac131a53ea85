// SPDX-License-Identifier: Apache-2.0
#include "cli/report/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <cmath>
#include <numbers>

#include "cli/report/terminal.hpp"
#include "cli/report/text.hpp"
#include "core/doc_page.hpp"
#include "core/json_parts.hpp"

namespace hild::report {
namespace {

namespace json = boost::json;
using advise::Advice;
using advise::Offer;
using advise::Window;

// ---- words -------------------------------------------------------------------------------------

std::string_view to_string(advise::StepLimit limit) noexcept {
  return word_of(limit, {"none", "stability", "modes", "inputs", "sampling"});
}

std::string_view to_string(advise::Remedy remedy) noexcept {
  return word_of(remedy, {"longer_step", "cheaper_function", "cheaper_method", "faster_machine"});
}

std::string_view to_string(advise::BandFrom from) noexcept {
  return word_of(from, {"wish", "signals", "slowest_mode", "none"});
}

// The names of some states, "i_L, u_C"; of many, the first and how many more.
std::string names_of(const Advice& advice, const std::vector<std::size_t>& states) {
  constexpr std::size_t most = 12;
  std::string all;
  for (std::size_t i = 0; i < std::min(states.size(), most); ++i) {
    all += fmt::format("{}{}", i == 0 ? "" : ", ", advice.states[states[i]]);
  }
  if (states.size() > most) all += fmt::format(" and {} more", states.size() - most);
  return all;
}

std::string_view what_ends(advise::StepLimit limit) {
  return word_of(limit,
                 {"nothing", "stability", "the accuracy of the modes",
                  "the accuracy of the response to inputs", "the accuracy of sampled inputs"});
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

std::string cheaper_method(const Offer& o, const Advice& /*a*/) {
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

// A remedy in words, with its numbers.
std::string words_of(const Offer& o, const Advice& a) {
  constexpr std::array words{longer_step, cheaper_function, cheaper_method, faster_machine};
  return words[static_cast<std::size_t>(o.remedy)](o, a);
}

// ---- JSON --------------------------------------------------------------------------------------

json::array names(const Advice& a, const std::vector<std::size_t>& states) {
  return array_of(states, [&](std::size_t k) { return json::value(a.states[k]); });
}

json::object point(const advise::Point& p) {
  return {{"t_s", p.t}, {"eigenvalues", array_of(p.modes.lambda, [](advise::Complex l) {
                           return json::array{l.real(), l.imag()};
                         })}};
}

json::object trajectory(const advise::Trajectory& t) {
  return {{"duration_s", seconds(t.duration)},
          {"method", t.method},
          {"shortest_step_s", t.shortest_step},
          {"input_band_hz", json::value_from(t.input_hz)},
          {"state_band_hz", json::value_from(t.state_hz)},
          {"points", array_of(t.points, point)}};
}

json::object modes(const advise::Modes& m) {
  return {{"slowest", m.slowest},
          {"fastest", m.fastest},
          {"stiffness_ratio", m.stiffness},
          {"stiff", m.stiff()},
          {"least_damping", json::value_from(m.least_damping)},
          {"grows", m.grows}};
}

json::value split(const Advice& a) {
  const auto& s = a.known.split;
  if (!s) return nullptr;
  return {{"fast", names(a, s->fast)},       {"slow", names(a, s->slow)},
          {"fastest_slow", s->fastest_slow}, {"slowest_fast", s->slowest_fast},
          {"fastest_fast", s->fastest_fast}, {"ratio", s->ratio()}};
}

json::object costs(const plan::Costs& c) {
  return {{"wake_us", microseconds(c.wake)},
          {"device_us", microseconds(c.io)},
          {"pass_us", microseconds(c.pass)},
          {"outputs_us", microseconds(c.outputs)}};
}

json::value attempt(const std::optional<advise::Attempt>& a) {
  if (!a) return nullptr;
  return {{"h_s", a->h},
          {"span_s", a->span},
          {"claimed", json::value_from(a->claimed)},
          {"measured", json::value_from(a->measured)},
          {"survived", a->measured.has_value()}};
}

json::object window(const Window& w) {
  return {{"method", w.candidate.name},
          {"configured", w.candidate.configured},
          {"order", w.order},
          {"passes", w.passes},
          {"sampling", config::word_of(w.sampling)},
          {"needs_future", w.future},
          {"costs", {{"median", costs(w.costs.median)}, {"p99", costs(w.costs.p99)}}},
          {"lower_s", or_null(w.lower)},
          {"lower_p99_s", or_null(w.lower_p99)},
          {"upper_s", or_null(w.upper.least())},
          {"stability_s", or_null(w.upper.stability)},
          {"stability_of_modes_s", or_null(w.stability_of_modes.value_or(w.upper.stability))},
          {"modes_s", or_null(w.upper.modes)},
          {"inputs_s", or_null(w.upper.inputs)},
          {"sampling_s", or_null(w.upper.sampling)},
          {"limited_by", to_string(w.upper.limit())},
          {"open", w.open()},
          {"open_at_p99", w.calm()},
          {"trials", {{"lower", attempt(w.at_lower)}, {"upper", attempt(w.at_upper)}}}};
}

json::value recommendation(const Advice& a) {
  if (!a.chosen) return nullptr;
  return {{"method", a.windows[*a.chosen].candidate.name},
          {"h_s", a.chosen_h},
          {"changes", *a.chosen != a.configured || a.chosen_h != a.h},
          {"yaml", json::value_from(a.yaml)}};
}

json::object remedy(const Advice& a, const advise::Offer& o) {
  return {{"remedy", to_string(o.remedy)}, {"helps", o.helps},
          {"price", or_null(o.price)},     {"h_s", or_null(o.h)},
          {"error", or_null(o.error)},     {"states", names(a, o.states)},
          {"share_of_cost", o.share},      {"factor", or_null(o.factor)},
          {"method", or_null(o.method)},   {"words", words_of(o, a)}};
}

// ---- text --------------------------------------------------------------------------------------

std::string row(const Advice& a, std::size_t i, const Style& style) {
  const Window& w = a.windows[i];
  const char mark = a.chosen == i ? '>' : w.candidate.configured ? '=' : ' ';
  const advise::Upper& u = w.upper;
  const double accurate = std::min({u.modes, u.inputs, u.sampling});
  const std::string line =
      fmt::format("{}{}{:>2}{:>3}{:>9}{:>9}{:>10}{:>10}  {}  {}", mark,
                  left(w.candidate.name + (w.future ? "*" : ""), 17, style), w.order, w.passes,
                  short_time(w.lower), short_time(w.lower_p99),
                  short_time(u.stability) + (w.stability_of_modes ? "!" : ""), short_time(accurate),
                  left(to_string(u.limit()), 9, style),
                  w.calm()   ? "open"
                  : w.open() ? "tight"
                             : "none");
  if (a.chosen == i) return painted(line, Colour::green, style) + '\n';
  return (w.open() ? line : painted(line, Colour::faint, style)) + '\n';
}

constexpr int name_width = 18;

// Whole decades of h, and the columns they are drawn in.
class Axis {
 public:
  Axis(const Advice& a, int columns) : columns_(columns) {
    double low = a.h;
    double high = a.h;
    for (const Window& w : a.windows) {
      for (const double end : {w.lower, w.lower_p99, w.upper.least()}) {
        if (!std::isfinite(end) || end <= 0) continue;
        low = std::min(low, end);
        high = std::max(high, end);
      }
    }
    low_ = std::floor(std::log10(low));
    high_ = std::max(low_ + 1, std::ceil(std::log10(high)));
  }

  [[nodiscard]] int columns() const { return columns_; }
  // Ends beyond the axis are at its end.
  [[nodiscard]] int at(double h) const {
    if (!(h > 0)) return 0;
    if (!std::isfinite(h)) return columns_ - 1;
    const double share = (std::log10(h) - low_) / (high_ - low_);
    return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * (columns_ - 1)));
  }
  [[nodiscard]] std::string labels() const {
    std::string line(static_cast<std::size_t>(columns_ + 8), ' ');
    std::size_t free = 0;
    for (double decade = low_; decade <= high_; ++decade) {
      const std::string text = short_time(std::pow(10.0, decade));
      const auto at_column = static_cast<std::size_t>(at(std::pow(10.0, decade)));
      if (at_column < free || at_column + text.size() > static_cast<std::size_t>(columns_))
        continue;
      line.replace(at_column, text.size(), text);
      free = at_column + text.size() + 1;
    }
    return line.substr(0, line.find_last_not_of(' ') + 1);
  }

 private:
  int columns_;
  double low_ = 0;
  double high_ = 1;
};

// Of one column of a row, in words of the legend.
std::string_view cell(const Window& w, const Axis& axis, int column, bool marked, bool utf8) {
  const int lower = axis.at(w.lower);
  const int upper = axis.at(w.upper.least());
  if (!w.open()) {
    if (column == upper) return "<";
    if (column == lower) return ">";
  } else if (column >= lower && column <= upper) {
    if (marked) return utf8 ? "┃" : "|";
    if (column < axis.at(w.lower_p99)) return utf8 ? "░" : "-";
    return utf8 ? "█" : "#";
  }
  if (marked) return utf8 ? "│" : "|";
  return " ";
}

std::string line(std::string_view text, const Style& style) {
  return fmt::format(" {}\n", wrapped(text, style.width - 2, 3));
}

std::string band_words(const Advice& a) {
  if (a.known.band_from == advise::BandFrom::nothing) {
    return "no band of interest: nothing moves, and there are only integrators";
  }
  return fmt::format(
      "band of interest {:.3g} Hz{}", a.known.band / (2 * std::numbers::pi),
      word_of(a.known.band_from, {", as asked for", ": 99 % of the power of inputs and states",
                                  ", that of the slowest mode"}));
}

std::string modes_words(const Advice& a) {
  const auto& m = a.known.modes;
  const auto& t = a.known.trajectory;
  std::string out = fmt::format(
      "{} modes over {:.3g} s at {} points (by {}): |lambda| from {:.3g} "
      "to {:.3g} 1/s, stiffness ratio {:.3g}",
      a.states.size(), seconds(t.duration), t.points.size(), t.method, m.slowest, m.fastest,
      m.stiffness);
  if (m.least_damping) out += fmt::format(", least damping {:.3g}", *m.least_damping);
  if (m.grows) out += ", some grow";
  return out;
}

std::string model_part(const Advice& a, const Style& style) {
  std::string out = line(modes_words(a), style);
  out += line(
      fmt::format("{}; accuracy {:g}; inputs {}", band_words(a), a.wishes.accuracy,
                  a.known.demand.input > 0 ? fmt::format("up to {:.3g} rad/s", a.known.demand.input)
                                           : "constant"),
      style);
  out += line(fmt::format("budget {:.0f} % of the frame, sampling: {}", 100 * a.budget,
                          config::word_of(a.sampling)),
              style);
  return out;
}

// "1.2e-03"
std::string error_cell(const std::optional<double>& error, std::string_view none) {
  return error ? fmt::format("{:.1e}", *error) : std::string(none);
}

std::string attempt_cells(const std::optional<advise::Attempt>& a) {
  if (!a) return fmt::format("{:>10}{:>10}{:>11}", "-", "-", "-");
  return fmt::format("{:>10}{:>10}{:>11}", short_time(a->h), error_cell(a->claimed, "-"),
                     error_cell(a->measured, "fails"));
}

bool exceeds(const std::optional<advise::Attempt>& a, double accuracy) {
  return a && a->measured && *a->measured > 2 * std::max(accuracy, a->claimed.value_or(0));
}

std::string lowered_words(const Window& w) {
  return fmt::format("{}: stable up to {} by its modes, but in trials only up to {}",
                     w.candidate.name, short_time(*w.stability_of_modes),
                     short_time(w.upper.stability));
}

std::string trials_part(const Advice& a, const Style& style) {
  std::string rows;
  std::string lowered;
  bool more = false;
  for (const Window& w : a.windows) {
    if (w.stability_of_modes) lowered += line(lowered_words(w), style);
    if (!w.at_lower && !w.at_upper) continue;
    rows += fmt::format(" {}{}{}\n", left(w.candidate.name, 16, style), attempt_cells(w.at_lower),
                        attempt_cells(w.at_upper));
    more = more || exceeds(w.at_lower, a.wishes.accuracy) || exceeds(w.at_upper, a.wishes.accuracy);
  }
  if (rows.empty() && lowered.empty()) return {};
  std::string out = heading("Tried beside the reference, at both ends of the windows", style);
  if (!rows.empty()) {
    out += columns_line(
        fmt::format(" {:<16}{:>10}{:>10}{:>11}{:>10}{:>10}{:>11}", "method", "shortest", "claimed",
                    "measured", "longest", "claimed", "measured"),
        style);
  }
  out += rows + lowered;
  if (more) {
    out += line(
        "More is measured than claimed where inputs jump within a step, or the model is "
        "far from linear: " +
            doc_page("advise"),
        style);
  }
  return out;
}

std::string stiff_part(const Advice& a, const Style& style) {
  const auto& split = a.known.split;
  const bool possible = a.windows.back().candidate.rates.has_value();
  if (!a.known.modes.stiff() && !(split && possible)) return {};
  std::string out = heading(a.known.modes.stiff() ? "Stiff" : "Fast and slow", style);
  if (!split) {
    return out + line("No gap divides the modes: take an implicit method.", style);
  }
  out += line(fmt::format("fast: {} (|lambda| from {:.3g} to {:.3g} 1/s)", names_of(a, split->fast),
                          split->slowest_fast, split->fastest_fast),
              style);
  out += line(fmt::format("slow: {} (to {:.3g} 1/s), ratio k = {:.0f}", names_of(a, split->slow),
                          split->fastest_slow, split->ratio()),
              style);
  return out + line(possible ? "The row multirate has the fast states in a partition of their own."
                             : "The model has no partitions to match; list them in the model "
                               "(`partitions`, " +
                                   doc_page("CONTRIBUTING") + ") for method: multirate.",
                    style);
}

std::string advice_part(const Advice& a, const Style& style) {
  std::string out = heading("Advice", style);
  out += verdict_text({.what = verdict_of(a), .next = {}}, a.in_window(), style);
  if (!a.chosen) {
    out += line("No method has a window. What can be done, the best first:", style);
  } else if (*a.chosen == a.configured && a.chosen_h == a.h) {
    return out + line("Nothing needs to change.", style);
  } else {
    out += line(fmt::format("Recommended: {} with h = {}. Nothing has been changed; the lines are",
                            a.windows[*a.chosen].candidate.name, short_time(a.chosen_h)),
                style);
    for (const auto& yaml : a.yaml) out += fmt::format("   {}\n", yaml);
    if (!a.offers.empty()) out += line("What else can be done, the best first:", style);
  }
  int n = 0;
  for (const auto& offer : a.offers) {
    out += fmt::format(" {}. {}\n", ++n, wrapped(words_of(offer, a), style.width - 5, 4));
  }
  return out;
}

}  // namespace

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

json::object advice_json(const Advice& a) {
  return {{"config", a.config_file},
          {"model", a.model},
          {"configured",
           {{"method", a.method},
            {"h_s", a.h},
            {"sampling", config::word_of(a.sampling)},
            {"in_window", a.in_window()}}},
          {"accuracy", a.wishes.accuracy},
          {"bandwidth_hz", a.known.band / (2 * std::numbers::pi)},
          {"bandwidth_from", to_string(a.known.band_from)},
          {"budget", a.budget},
          {"trajectory", trajectory(a.known.trajectory)},
          {"modes", modes(a.known.modes)},
          {"split", split(a)},
          {"windows", array_of(a.windows, window)},
          {"recommendation", recommendation(a)},
          {"remedies", array_of(a.offers, [&](const auto& o) { return remedy(a, o); })},
          {"verdict", verdict_of(a)},
          {"notes", json::value_from(a.notes)}};
}

std::string windows_table(const Advice& a, const Style& style) {
  std::string out =
      columns_line(fmt::format(" {:<17}{:>2}{:>3}{:>9}{:>9}{:>10}{:>10}  {:<9}  {}", "method", "k",
                               "N", "needs", "p99", "stable", "accurate", "limit", "window"),
                   style);
  bool future = false;
  bool lowered = false;
  for (std::size_t i = 0; i < a.windows.size(); ++i) {
    out += row(a, i, style);
    future = future || a.windows[i].future;
    lowered = lowered || a.windows[i].stability_of_modes;
  }
  if (future) out += " * needs inputs from the future: under sampling: extrapolate\n";
  if (lowered)
    out += " ! longer steps are stable by the modes, but runs with them did not survive\n";
  return out;
}

std::string windows_chart(const Advice& a, const Style& style) {
  const Axis axis(a, style.width - name_width - 2);
  const int mark = axis.at(a.h);
  std::string out;
  for (std::size_t i = 0; i < a.windows.size(); ++i) {
    std::string bars;
    for (int column = 0; column < axis.columns(); ++column) {
      bars += cell(a.windows[i], axis, column, column == mark, style.utf8);
    }
    out += fmt::format("{}{}{}\n", a.chosen == i ? '>' : ' ',
                       left(a.windows[i].candidate.name, name_width, style),
                       bars.substr(0, bars.find_last_not_of(' ') + 1));
  }
  const std::string indent(name_width + 1, ' ');
  out += indent + painted(axis.labels(), Colour::faint, style) + '\n';
  return out + fmt::format(
                   " {} window   {} only at the median of the costs   < > ends of none   "
                   "{} h = {}\n",
                   style.utf8 ? "█" : "#", style.utf8 ? "░" : "-", style.utf8 ? "│" : "|",
                   short_time(a.h));
}

std::string advice_text(const Advice& a, const Style& style) {
  std::string out = title_line(fmt::format("hild advise {}: {} with {}, h = {}", a.config_file,
                                           a.model, a.method, short_time(a.h)),
                               style);
  out += model_part(a, style) + '\n' + windows_table(a, style) + '\n' + windows_chart(a, style);
  out += trials_part(a, style) + stiff_part(a, style) + advice_part(a, style);
  if (!a.notes.empty()) out += '\n' + warnings_text(a.notes, style);
  return out;
}

}  // namespace hild::report
