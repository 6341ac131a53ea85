// SPDX-License-Identifier: Apache-2.0
#include <boost/json.hpp>

#include "cli/report/log.hpp"
#include "core/decimal.hpp"
#include "core/json_parts.hpp"
#include "recording/record/words.hpp"

namespace hild::report {
namespace {

namespace json = boost::json;

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

json::object overrun(const framelog::Overrun& o, std::string_view devices, bool evidence) {
  const io::FrameHeader& h = o.header;
  return {
      {"step", h.step},
      {"frame", h.frame},
      {"t_s", static_cast<double>(h.t.ns) / 1e9},
      {"lateness_us", in_us(h.lateness)},
      {"cause", io::to_string(h.cause)},
      {"span", h.span},
      {"next_span", o.next_span},
      {"utilisation_before", o.utilisation_before},
      {"phases_us", by_name<io::Phase>(h.phases, in_us)},
      {"before", array_of(o.before, step_times)},
      {"words", record::overrun_line(h, o.next_span, {devices, o.utilisation_before, evidence})}};
}

json::object overruns(const framelog::Summary& s) {
  json::object by_cause = by_name<io::Cause>(s.by_cause);
  by_cause.stable_erase(io::to_string(io::Cause::none));
  json::array list;
  const auto devices = framelog::value_of(s.head.description.run, "devices");
  const bool evidence = framelog::value_of(s.head.description.run, "evidence") == "true";
  for (const auto& o : s.overrun_list) list.push_back(overrun(o, devices, evidence));
  return {{"total", s.overruns}, {"by_cause", std::move(by_cause)}, {"list", std::move(list)}};
}

json::object spread(const exec::Histogram& h) {
  return {{"p50", in_us(h.quantile(0.5))},
          {"p99", in_us(h.quantile(0.99))},
          {"p999", in_us(h.quantile(0.999))},
          {"max", in_us(h.max())}};
}

json::object missing(const framelog::Summary& s) {
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

}  // namespace

json::value log_json(const framelog::Summary& s, const std::string& file) {
  json::object all{{"log", file}, {"format", s.head.format}, {"file", file_state(s.scan)}};
  for (auto& [key, value] : description(s.head.description)) all[key] = value;
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
  all["capped_steps"] = by_name<io::Cap>(s.capped);
  all["capped_steps_by_model"] = object_of(s.capped_by);
  all["missing"] = missing(s);
  all["phases_us"] = by_name<io::Phase>(s.phases, spread);
  return all;
}

}  // namespace hild::report
