// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <numbers>

#include "cli/report/advice.hpp"
#include "cli/report/advice_words.hpp"
#include "cli/report/terminal.hpp"
#include "cli/report/text.hpp"
#include "core/doc_page.hpp"

namespace hild::report {
namespace {

using advise::Advice;
using advise::BandFrom;

std::string line(std::string_view text, const Style& style) {
  return fmt::format(" {}\n", wrapped(text, style.width - 2, 3));
}

std::string band_words(const Advice& a) {
  const double hz = a.known.band / (2 * std::numbers::pi);
  switch (a.known.band_from) {
    case BandFrom::wish:
      return fmt::format("band of interest {:.3g} Hz, as asked for", hz);
    case BandFrom::signals:
      return fmt::format("band of interest {:.3g} Hz: 99 % of the power of inputs and states", hz);
    case BandFrom::slowest_mode:
      return fmt::format("band of interest {:.3g} Hz, that of the slowest mode", hz);
    case BandFrom::nothing:
      break;
  }
  return "no band of interest: nothing moves, and there are only integrators";
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
                          to_string(a.sampling)),
              style);
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

std::string advice_text(const Advice& a, const Style& style) {
  const std::string title = fmt::format("hild advise {}: {} with {}, h = {}", a.config_file,
                                        a.model, a.method, short_time(a.h));
  std::string out =
      fmt::format(" {}\n", painted(cut(title, style.width - 1, style), Colour::bold, style));
  out += model_part(a, style) + '\n' + windows_table(a, style) + '\n' + windows_chart(a, style);
  out += stiff_part(a, style) + advice_part(a, style);
  if (!a.notes.empty()) out += '\n' + warnings_text(a.notes, style);
  return out;
}

}  // namespace hild::report
