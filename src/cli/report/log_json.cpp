// SPDX-License-Identifier: Apache-2.0
#include <boost/json.hpp>

#include "cli/report/log.hpp"
#include "core/decimal.hpp"
#include "recording/record/words.hpp"

namespace hild::report {
namespace {

namespace json = boost::json;

json::object texts(const mcap::Map& map) {
  json::object all;
  for (const auto& [key, value] : map) all[key] = value;
  return all;
}

json::object description(const framelog::Description& d) {
  json::array attachments;
  for (const auto& a : d.attachments) {
    attachments.push_back({{"name", a.name},
                           {"media_type", a.media_type},
                           {"bytes", a.data.size()},
                           {"created_ns", a.create_time}});
  }
  return {{"run", texts(d.run)},         {"build", texts(d.build)},
          {"machine", texts(d.machine)}, {"start_ns", d.clock.realtime_ns},
          {"configuration", d.config},   {"attachments", std::move(attachments)}};
}

json::object signals(const framelog::LogHead& head) {
  json::object all;
  for (const auto part : {framelog::LogPart::inputs, framelog::LogPart::outputs,
                          framelog::LogPart::states, framelog::LogPart::counts}) {
    json::array names;
    for (const auto& [name, unit] : head.columns[static_cast<std::size_t>(part)]) {
      names.push_back({{"name", name}, {"unit", unit}});
    }
    all[framelog::to_string(part)] = std::move(names);
  }
  return all;
}

json::object phases_of(const std::array<Duration, io::phase_count>& times) {
  json::object phases;
  for (std::size_t p = 0; p < io::phase_count; ++p) {
    phases[io::to_string(static_cast<io::Phase>(p))] = in_us(times[p]);
  }
  return phases;
}

json::object overrun(const framelog::Overrun& o, std::string_view devices, bool evidence) {
  const io::FrameHeader& h = o.header;
  json::array before;
  for (const record::StepTimes& s : o.before) {
    before.push_back({{"step", s.step},
                      {"frame", s.frame},
                      {"lateness_us", in_us(s.lateness)},
                      {"phases_us", phases_of(s.phases)}});
  }
  return {
      {"step", h.step},
      {"frame", h.frame},
      {"t_s", static_cast<double>(h.t.ns) / 1e9},
      {"lateness_us", in_us(h.lateness)},
      {"cause", io::to_string(h.cause)},
      {"span", h.span},
      {"next_span", o.next_span},
      {"utilisation_before", o.utilisation_before},
      {"phases_us", phases_of(h.phases)},
      {"before", std::move(before)},
      {"words", record::overrun_line(h, o.next_span, {devices, o.utilisation_before, evidence})}};
}

json::object overruns(const framelog::Summary& s) {
  json::object by_cause;
  for (std::size_t c = 1; c < io::cause_count; ++c) {  // all but `none`
    by_cause[io::to_string(static_cast<io::Cause>(c))] = s.by_cause[c];
  }
  json::array list;
  const auto devices = framelog::value_of(s.head.description.run, "devices");
  const bool evidence = framelog::value_of(s.head.description.run, "evidence") == "true";
  for (const auto& o : s.overrun_list) list.push_back(overrun(o, devices, evidence));
  return {{"total", s.overruns}, {"by_cause", std::move(by_cause)}, {"list", std::move(list)}};
}

json::object phases(const framelog::Summary& s) {
  json::object all;
  for (std::size_t p = 0; p < io::phase_count; ++p) {
    const exec::Histogram& h = s.phases[p];
    all[io::to_string(static_cast<io::Phase>(p))] = {{"p50", in_us(h.quantile(0.5))},
                                                     {"p99", in_us(h.quantile(0.99))},
                                                     {"p999", in_us(h.quantile(0.999))},
                                                     {"max", in_us(h.max())}};
  }
  return all;
}

json::object capped(const framelog::Summary& s) {
  json::object all;
  for (std::size_t c = 0; c < io::cap_count; ++c) {
    all[io::to_string(static_cast<io::Cap>(c))] = s.capped[c];
  }
  return all;
}

json::object capped_by(const framelog::Summary& s) {
  json::object all;
  for (const auto& [model, steps] : s.capped_by) all[model] = steps;
  return all;
}

json::object missing(const framelog::Summary& s) {
  json::array gaps;
  for (const auto& gap : s.gaps) {
    gaps.push_back(
        {{"first", gap.first}, {"last", gap.last}, {"reason", framelog::to_string(gap.reason)}});
  }
  return {{"dropped", s.missing[0]},
          {"not_written", s.missing[1]},
          {"left_out", s.missing[2]},
          {"unexplained", s.unexplained},
          {"gaps", std::move(gaps)}};
}

json::object file_state(const framelog::LogScan& scan) {
  json::array damages;
  for (const auto& d : scan.file.damages) {
    damages.push_back({{"offset", d.offset}, {"bytes", d.bytes}, {"what", d.what}});
  }
  return {{"bytes", scan.file.bytes},
          {"closed", scan.file.complete},
          {"chunks", scan.file.chunks},
          {"bad_messages", scan.bad_messages},
          {"damage_count", scan.file.damage_count},
          {"damages", std::move(damages)},
          {"totals", texts(scan.totals)}};
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
  all["keyframes"] = s.keyframes;
  all["capped_steps"] = capped(s);
  all["capped_steps_by_model"] = capped_by(s);
  all["missing"] = missing(s);
  all["phases_us"] = phases(s);
  return all;
}

}  // namespace hild::report
