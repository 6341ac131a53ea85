// SPDX-License-Identifier: Apache-2.0
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>

#include "cli/report/log.hpp"
#include "cli/report/text.hpp"
#include "recording/framelog/calibration.hpp"
#include "recording/record/words.hpp"

namespace hild::report {
namespace {

using framelog::Summary;
using framelog::value_of;

std::string recorded(const framelog::Description& d) {
  std::string text = fmt::format("recorded by hild {}", value_of(d.build, "version"));
  if (const auto host = value_of(d.machine, "host"); !host.empty()) {
    text += fmt::format(" on {}", host);
  }
  const std::time_t at = d.clock.realtime_ns / 1'000'000'000;
  std::tm utc{};
  if (at > 0 && ::gmtime_r(&at, &utc) != nullptr) {
    text += fmt::format(", {:%Y-%m-%d %H:%M:%S} UTC", utc);
  }
  return text;
}

std::string title(const Summary& s, const std::string& file, const Style& style) {
  const framelog::Description& d = s.head.description;
  const bool offline = value_of(d.run, "offline") == "true";
  const std::string setup = fmt::format(
      "{} with {} at {} Hz, sampling: {}{}", value_of(d.run, "model"), value_of(d.run, "method"),
      value_of(d.run, "rate_hz"), value_of(d.run, "sampling"), offline ? ", offline" : "");
  const int width = style.width - 1;
  return fmt::format(" {}\n {}\n {}\n",
                     painted(cut("hild log " + file, width, style), Colour::bold, style),
                     cut(setup, width, style), cut(recorded(d), width, style));
}

std::string state(const Summary& s, const std::string& file, const Style& style) {
  const auto& scan = s.scan.file;
  const auto say = [&](const std::string& text, Colour colour) {
    return fmt::format(" {}\n", painted(wrapped(text, style.width - 1, 1), colour, style));
  };
  if (scan.stopped) return say("Only the beginning was read.", Colour::yellow);
  if (scan.complete && scan.damage_count == 0) return say("The log is whole.", Colour::green);
  const std::string remedy =
      fmt::format(" `hild log {} --recover NEW` writes what is whole.", file);
  if (scan.damage_count > 0) {
    return say(
        fmt::format("The log is damaged in {}.{}",
                    record::counted(static_cast<std::int64_t>(scan.damage_count), "place"), remedy),
        Colour::red);
  }
  return say("The log was not closed: the run was cut off, or still goes on." + remedy,
             Colour::yellow);
}

std::string counts(const Summary& s, const Style& style) {
  std::string out;
  const auto fact = [&](std::string_view name, const std::string& value, bool alarming = false) {
    const std::string padded = right(value, 24, style);
    out += fmt::format(" {}{}\n", left(name, 18, style),
                       alarming ? painted(padded, Colour::yellow, style) : padded);
  };
  const auto rare = [&](std::string_view name, std::int64_t n, bool alarming = false) {
    if (n != 0) fact(name, grouped(n), alarming);
  };
  fact("simulated time", fmt::format("{:.3f} .. {:.3f} s", s.first_t, s.last_t));
  fact("frames", grouped(s.frames));
  rare("  of signals only", s.frames == 0 ? s.rows : 0);
  fact("overruns", grouped(s.overruns), s.overruns > 0);
  for (const exec::CounterInfo& c : exec::counters) {
    if (framelog::tells(c)) {
      rare(c.in_table(), s.counts[c.counter], c.notice == exec::CounterInfo::Notice::alarming);
    }
  }
  rare("external events", s.external_events);
  rare("marks", s.marks);
  rare("keyframes", s.keyframes);
  rare("steps dropped", s.missing[0], true);
  rare("steps not written", s.missing[1], true);
  rare("steps left out", s.missing[2]);
  rare("steps missing", s.unexplained, true);
  return out;
}

std::string calibrations(const framelog::Description& d, const Style& style) {
  std::string out;
  for (const mcap::Attachment& a : d.attachments) {
    const std::string_view device = framelog::calibrated_device(a);
    if (device.empty()) continue;
    const auto at = static_cast<std::time_t>(a.create_time / 1'000'000'000);
    std::tm utc{};
    if (::gmtime_r(&at, &utc) == nullptr) continue;
    out += fmt::format(" {}{:%Y-%m-%d %H:%M} UTC\n", left(device, 18, style), utc);
  }
  return out;
}

std::string causes(const Summary& s, const Style& style) {
  std::string out;
  for (std::size_t c = 0; c < io::cause_count; ++c) {
    if (s.by_cause[c] == 0) continue;
    out += fmt::format(" {}{:>10}\n", left(record::in_words(static_cast<io::Cause>(c)), 18, style),
                       grouped(s.by_cause[c]));
  }
  return out;
}

// What a model did not get done, and of several models which did not.
std::string caps(const Summary& s, const Style& style) {
  std::string out;
  const auto line = [&](std::string_view name, std::int64_t steps) {
    if (steps != 0) out += fmt::format(" {}{:>10}\n", left(name, 18, style), grouped(steps));
  };
  for (std::size_t c = 0; c < io::cap_count; ++c) {
    line(io::to_string(static_cast<io::Cap>(c)), s.capped[c]);
  }
  for (const auto& [model, steps] : s.capped_by) line(fmt::format("by {}", model), steps);
  return out;
}

std::string times(const Summary& s, const Style& style) {
  std::string out;
  for (std::size_t p = 0; p < io::phase_count; ++p) {
    const auto phase = static_cast<io::Phase>(p);
    const exec::Histogram& h = s.phases[p];
    if (phase == io::Phase::wait || phase == io::Phase::idle || h.max().ns == 0) continue;
    out += fmt::format(" {}{:10.1f}{:10.1f}{:10.1f}\n", left(io::to_string(phase), 18, style),
                       microseconds(h.quantile(0.5)), microseconds(h.quantile(0.99)),
                       microseconds(h.max()));
  }
  if (out.empty()) return out;
  const std::string head =
      fmt::format(" {}{:>10}{:>10}{:>10}", left("us", 18, style), "p50", "p99", "max");
  return painted(head, Colour::faint, style) + '\n' + out;
}

/// The first `most` of a list, a line each, and how many follow.
template <class List, class Line>
std::string listed(const List& list, std::size_t most, const Style& style, Line line) {
  std::string out;
  for (std::size_t i = 0; i < std::min(most, list.size()); ++i) {
    out += fmt::format(" {}\n", wrapped(line(list[i]), style.width - 1, 3));
  }
  if (list.size() > most) {
    out += fmt::format(" and {} more; --json lists all\n",
                       grouped(static_cast<std::int64_t>(list.size() - most)));
  }
  return out;
}

std::string gap_words(const framelog::Gap& gap) {
  constexpr std::array reasons{"dropped, the recorder fell behind", "not written, the disk failed",
                               "left out, nothing to be recorded happened"};
  const std::string steps = gap.first == gap.last
                                ? fmt::format("step {}", gap.first)
                                : fmt::format("steps {} to {}", gap.first, gap.last);
  return fmt::format("{}: {}", steps, reasons[static_cast<std::size_t>(gap.reason)]);
}

}  // namespace

std::string log_text(const Summary& s, const std::string& file, const Style& style,
                     std::size_t most) {
  std::string out = title(s, file, style) + state(s, file, style) + '\n' + counts(s, style);
  out += part("Calibrated", calibrations(s.head.description, style), style);
  out += part("Overruns by cause", causes(s, style), style);
  const std::string_view devices = value_of(s.head.description.run, "devices");
  const bool evidence = value_of(s.head.description.run, "evidence") == "true";
  const auto overrun_words = [devices, evidence](const framelog::Overrun& o) {
    return record::overrun_line(o.header, o.next_span, {devices, o.utilisation_before, evidence});
  };
  out += part("Overruns", listed(s.overrun_list, most, style, overrun_words), style);
  out += part("Steps cut short by a cap", caps(s, style), style);
  out += part("Where the time goes", times(s, style), style);
  out += part("Gaps", listed(s.gaps, most, style, gap_words), style);
  out += part("Damage",
              listed(s.scan.file.damages, most, style,
                     [](const mcap::Damage& d) {
                       return fmt::format("byte {}: {} ({} bytes)", d.offset, d.what, d.bytes);
                     }),
              style);
  return out;
}

}  // namespace hild::report
