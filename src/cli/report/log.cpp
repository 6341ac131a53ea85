// SPDX-License-Identifier: Apache-2.0
#include "cli/report/log.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <ctime>

#include "cli/report/text.hpp"
#include "core/control_characters.hpp"
#include "core/decimal.hpp"
#include "core/json_parts.hpp"
#include "recording/framelog/calibration.hpp"
#include "recording/record/words.hpp"

namespace hild::report {
namespace {

namespace json = boost::json;
using framelog::Summary;
using framelog::value_of;

std::string overrun_words(const framelog::Overrun& o, const Summary& s) {
  const mcap::Map& run = s.head.description.run;
  const std::vector<std::string> models = framelog::listed(value_of(run, "models"));
  return record::overrun_line(o.header, o.next_span,
                              {value_of(run, "devices"), o.utilisation_before,
                               value_of(run, "evidence") == "true", models});
}

// ---- JSON --------------------------------------------------------------------------------------

template <class Pairs>
json::object object_of(const Pairs& pairs) {
  json::object all;
  for (const auto& [key, value] : pairs) all[key] = value;
  return all;
}

json::object description(const framelog::Description& d) {
  const auto attachment = [](const mcap::Attachment& a) {
    return json::object{{"name", a.name},
                        {"media_type", a.media_type},
                        {"bytes", a.data.size()},
                        {"created_ns", a.create_time}};
  };
  return {{"run", object_of(d.run)},         {"build", object_of(d.build)},
          {"machine", object_of(d.machine)}, {"start_ns", d.clock.realtime_ns},
          {"configuration", d.config},       {"attachments", array_of(d.attachments, attachment)}};
}

json::object signals(const framelog::LogHead& head) {
  json::object all;
  for (const auto part : {framelog::LogPart::inputs, framelog::LogPart::outputs,
                          framelog::LogPart::states, framelog::LogPart::counts}) {
    all[framelog::to_string(part)] =
        array_of(head.columns[static_cast<std::size_t>(part)], [](const auto& s) {
          return json::object{{"name", s.name}, {"unit", s.unit}};
        });
  }
  return all;
}

json::object step_times(const record::StepTimes& s) {
  return {{"step", s.step},
          {"frame", s.frame},
          {"lateness_us", in_us(s.lateness)},
          {"phases_us", by_name<io::Phase>(s.phases, in_us)}};
}

json::object overrun(const framelog::Overrun& o, const Summary& s) {
  const io::FrameHeader& h = o.header;
  return {{"step", h.step},
          {"frame", h.frame},
          {"t_s", in_seconds(h.t)},
          {"lateness_us", in_us(h.lateness)},
          {"cause", io::to_string(h.cause)},
          {"span", h.span},
          {"next_span", o.next_span},
          {"utilisation_before", o.utilisation_before},
          {"phases_us", by_name<io::Phase>(h.phases, in_us)},
          {"before", array_of(o.before, step_times)},
          {"words", overrun_words(o, s)}};
}

json::object overruns(const Summary& s) {
  json::object by_cause = by_name<io::Cause>(s.by_cause);
  by_cause.stable_erase(io::to_string(io::Cause::none));
  return {{"total", s.overruns},
          {"by_cause", std::move(by_cause)},
          {"list", array_of(s.overrun_list, [&](const auto& o) { return overrun(o, s); })}};
}

json::object spread(const exec::Histogram& h) {
  return {{"p50", in_us(h.quantile(0.5))},
          {"p99", in_us(h.quantile(0.99))},
          {"p999", in_us(h.quantile(0.999))},
          {"max", in_us(h.max())}};
}

json::object missing(const Summary& s) {
  const auto gap = [](const framelog::Gap& g) {
    return json::object{
        {"first", g.first}, {"last", g.last}, {"reason", framelog::to_string(g.reason)}};
  };
  return {{"dropped", s.missing[0]},
          {"not_written", s.missing[1]},
          {"left_out", s.missing[2]},
          {"unexplained", s.unexplained},
          {"gaps", array_of(s.gaps, gap)}};
}

json::object file_state(const framelog::LogScan& scan) {
  const auto damage = [](const mcap::Damage& d) {
    return json::object{{"offset", d.offset}, {"bytes", d.bytes}, {"what", d.what}};
  };
  return {{"bytes", scan.file.bytes},
          {"closed", scan.file.complete},
          {"chunks", scan.file.chunks},
          {"bad_messages", scan.bad_messages},
          {"damage_count", scan.file.damage_count},
          {"damages", array_of(scan.file.damages, damage)},
          {"totals", object_of(scan.totals)}};
}

// ---- text --------------------------------------------------------------------------------------

std::string recorded(const framelog::Description& d) {
  std::string text = fmt::format("recorded by hild {}", value_of(d.build, "version"));
  if (const auto host = value_of(d.machine, "host"); !host.empty()) {
    text += fmt::format(" on {}", host);
  }
  const std::time_t at = d.clock.realtime_ns / 1'000'000'000;
  if (at > 0) text += fmt::format(", {:%Y-%m-%d %H:%M:%S} UTC", fmt::gmtime(at));
  return text;
}

std::string branch_words(const framelog::Description& d, const Style& style) {
  if (!d.branch) return {};
  const framelog::Branch& b = *d.branch;
  const int width = style.width - 1;
  std::string out = fmt::format(
      " {}\n", cut(fmt::format("a branch of {} from frame {} on, at {:.6f} s{}", b.file, b.frame,
                               seconds(b.time), b.changes.empty() ? ", unchanged" : ""),
                   width, style));
  for (const std::string& change : b.changes) {
    out += fmt::format("   {}\n", cut(change, width - 2, style));
  }
  return out;
}

std::string title(const Summary& s, const std::string& file, const Style& style) {
  const framelog::Description& d = s.head.description;
  const bool offline = value_of(d.run, "offline") == "true";
  const std::string setup = fmt::format(
      "{} with {} at {} Hz, sampling: {}{}", value_of(d.run, "model"), value_of(d.run, "method"),
      value_of(d.run, "rate_hz"), value_of(d.run, "sampling"), offline ? ", offline" : "");
  const int width = style.width - 1;
  return title_line("hild log " + file, style) +
         fmt::format(" {}\n {}\n", cut(setup, width, style), cut(recorded(d), width, style)) +
         branch_words(d, style);
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
    out += fmt::format(" {}{:%Y-%m-%d %H:%M} UTC\n", left(device, 18, style), fmt::gmtime(at));
  }
  return out;
}

std::string count_line(std::string_view name, std::int64_t n, const Style& style) {
  return n == 0 ? "" : fmt::format(" {}{:>10}\n", left(name, 18, style), grouped(n));
}

std::string causes(const Summary& s, const Style& style) {
  std::string out;
  for (std::size_t c = 0; c < io::cause_count; ++c) {
    out += count_line(record::in_words(static_cast<io::Cause>(c)), s.by_cause[c], style);
  }
  return out;
}

// What a model did not get done, and of several models which did not.
std::string caps(const Summary& s, const Style& style) {
  std::string out;
  for (std::size_t c = 0; c < io::cap_count; ++c) {
    out += count_line(io::to_string(static_cast<io::Cap>(c)), s.capped[c], style);
  }
  for (const auto& [model, steps] : s.capped_by) out += count_line("by " + model, steps, style);
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
  return columns_line(fmt::format(" {:<18}{:>10}{:>10}{:>10}", "us", "p50", "p99", "max"), style) +
         out;
}

/// The first of a list, a line each, and how many follow.
template <class List, class Line>
std::string listed(const List& list, const Style& style, Line line) {
  constexpr std::size_t most = 20;
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
  const std::string steps = gap.first == gap.last
                                ? fmt::format("step {}", gap.first)
                                : fmt::format("steps {} to {}", gap.first, gap.last);
  return fmt::format(
      "{}: {}", steps,
      word_of(gap.reason, {"dropped, the recorder fell behind", "not written, the disk failed",
                           "left out, nothing to be recorded happened"}));
}

std::string mark_words(const framelog::MarkedStep& m) {
  const std::string head = fmt::format("{:.6f} s: {}", seconds(m.time), m.label);
  return m.text.empty() ? head : fmt::format("{}, {}", head, without_controls(m.text));
}

json::object mark_json(const framelog::MarkedStep& m) {
  json::object mark{{"frame", m.frame}, {"t_s", in_seconds(m.time)}, {"label", m.label}};
  if (!m.text.empty()) mark["text"] = m.text;
  return mark;
}

}  // namespace

std::string log_text(const Summary& s, const std::string& file, const Style& style) {
  std::string out = title(s, file, style) + state(s, file, style) + '\n' + counts(s, style);
  out += part("Calibrated", calibrations(s.head.description, style), style);
  out += part("Marks", listed(s.mark_list, style, mark_words), style);
  out += part("Overruns by cause", causes(s, style), style);
  const auto of_overrun = [&](const framelog::Overrun& o) { return overrun_words(o, s); };
  out += part("Overruns", listed(s.overrun_list, style, of_overrun), style);
  out += part("Steps cut short by a cap", caps(s, style), style);
  out += part("Where the time goes", times(s, style), style);
  out += part("Gaps", listed(s.gaps, style, gap_words), style);
  const auto damage_words = [](const mcap::Damage& d) {
    return fmt::format("byte {}: {} ({} bytes)", d.offset, d.what, d.bytes);
  };
  return out + part("Damage", listed(s.scan.file.damages, style, damage_words), style);
}

json::object branch_json(const framelog::Branch& b) {
  const auto parsed = [](const std::string& change) {
    boost::system::error_code error;
    json::value value = json::parse(change, error);
    return error ? json::value(change) : value;
  };
  return {{"of", b.file},
          {"of_start_ns", b.start_ns},
          {"step", b.step},
          {"frame", b.frame},
          {"t_s", in_seconds(b.time)},
          {"begins_at_step", b.begins_at},
          {"changes", array_of(b.changes, parsed)}};
}

json::value log_json(const framelog::Summary& s, const std::string& file) {
  json::object all{{"log", file}, {"format", s.head.format}, {"file", file_state(s.scan)}};
  for (auto& [key, value] : description(s.head.description)) all[key] = value;
  if (const auto& branch = s.head.description.branch) all["branch"] = branch_json(*branch);
  all["signals"] = signals(s.head);
  all["frames"] = s.frames;
  all["first_t_s"] = s.first_t;
  all["last_t_s"] = s.last_t;
  all["overruns"] = overruns(s);
  for (const exec::CounterInfo& c : exec::counters) {
    if (framelog::tells(c)) all[c.name] = s.counts[c.counter];
  }
  all["external_events"] = s.external_events;
  all["marks"] = s.marks;
  all["mark_list"] = array_of(s.mark_list, mark_json);
  all["keyframes"] = s.keyframes;
  all["capped_steps"] = by_name<io::Cap>(s.capped);
  all["capped_steps_by_model"] = object_of(s.capped_by);
  all["missing"] = missing(s);
  all["phases_us"] = by_name<io::Phase>(s.phases, spread);
  return all;
}

}  // namespace hild::report
