// SPDX-License-Identifier: Apache-2.0
#include "cli/report/terminal.hpp"

#include <fmt/format.h>

#include "cli/report/bar_chart.hpp"
#include "cli/report/tables.hpp"
#include "cli/report/text.hpp"

namespace hild::report {
namespace {

std::string title(const Report& r, const Style& style) {
  const std::string setup =
      fmt::format("{} with {} at {:g} Hz, sampling: {}", r.model, r.method, r.rate_hz, r.sampling);
  return fmt::format(" {}\n {}\n",
                     painted(cut(fmt::format("hild run {}", r.config), style.width - 1, style),
                             Colour::bold, style),
                     cut(setup, style.width - 1, style));
}

}  // namespace

std::string verdict_text(const Verdict& v, bool good, const Style& style) {
  const int width = style.width - 1;
  std::string out = fmt::format(
      " {}\n", painted(wrapped(v.what, width, 1), good ? Colour::green : Colour::red, style));
  if (!v.next.empty()) out += fmt::format(" {}\n", wrapped("Next: " + v.next + ".", width, 1));
  return out;
}

std::string warnings_text(std::span<const std::string> warnings, const Style& style) {
  std::string out;
  for (const std::string& warning : warnings) {
    const std::string text = wrapped("warning: " + warning, style.width - 1, 3);
    out +=
        fmt::format(" {}{}\n", painted(text.substr(0, 8), Colour::yellow, style), text.substr(8));
  }
  return out;
}

std::string terminal_report(const Report& r, std::span<const PlottedSignal> signals,
                            const Style& style) {
  std::string out = title(r, style);
  out += verdict_text(r.verdict, r.exit_code == 0, style);
  out += '\n' + counts_table(r, style);
  out += part("Overruns by cause", causes_table(r, style), style);
  out += part("Where the time goes", times_table(r, style), style);
  out += part("Utilisation", load_table(r, style), style);
  out += part("Wake latency", bar_chart(r.wake_bins, style), style);
  for (const PlottedSignal& signal : signals) out += '\n' + line_plot(signal, style);
  if (!r.warnings.empty()) out += '\n' + warnings_text(r.warnings, style);
  return out;
}

}  // namespace hild::report
