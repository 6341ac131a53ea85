// SPDX-License-Identifier: Apache-2.0
#include "cli/report/json.hpp"

#include <boost/json.hpp>

#include "cli/report/pretty_json.hpp"
#include "cli/report/write_file.hpp"

namespace hild::report {
namespace {

namespace json = boost::json;

json::object quantiles(const Quantiles& q) {
  return {{"mean", q.mean}, {"p50", q.p50}, {"p99", q.p99}, {"p999", q.p999}, {"max", q.max}};
}

json::object overruns(const Report& r) {
  json::object by_cause;
  for (std::size_t c = 1; c < io::cause_count; ++c) {  // all but `none`
    by_cause[io::to_string(static_cast<io::Cause>(c))] = r.by_cause[c];
  }
  return {{"total", r.overruns},
          {"percent", r.overrun_percent()},
          {"by_cause", std::move(by_cause)},
          {"lateness_us", quantiles(r.lateness)}};
}

json::object phases(const Report& r) {
  json::object all;
  for (std::size_t p = 0; p < io::phase_count; ++p) {
    all[io::to_string(static_cast<io::Phase>(p))] = quantiles(r.phases[p]);
  }
  return all;
}

json::array passes(const Report& r) {
  json::array all;
  for (const Quantiles& q : r.passes) all.push_back(quantiles(q));
  return all;
}

json::object utilisation(const Report& r) {
  json::object shares = quantiles(r.utilisation);
  shares["budget"] = r.budget;
  shares["over_budget"] = r.counts[&exec::Statistics::over_budget];
  return shares;
}

json::object events_by_class(const Report& r) {
  json::object all;
  for (std::size_t c = 0; c < exec::event_classes; ++c) {
    const EventClassCounts& counts = r.events_by_class[c];
    all[exec::to_string(static_cast<exec::EventClass>(c))] = {{"served", counts.served},
                                                              {"deferred", counts.deferred},
                                                              {"refused", counts.refused},
                                                              {"prepare_us", counts.prepare_us},
                                                              {"commit_us", counts.commit_us}};
  }
  return all;
}

json::object outcome(const Report& r) {
  return {{"end", r.end},
          {"fault", r.fault.empty() ? json::value(nullptr) : json::value(r.fault)},
          {"limit", r.limit.empty() ? json::value(nullptr) : json::value(r.limit)},
          {"exit_code", r.exit_code},
          {"outputs_safe", r.outputs_safe},
          {"message", r.verdict.what},
          {"next", r.verdict.next}};
}

json::value recording(const Report& r) {
  if (!r.recording) return nullptr;
  const framelog::LogStatus& log = *r.recording;
  return json::object{{"file", log.file},
                      {"frames", log.frames},
                      {"dropped", log.dropped},
                      {"lost", log.lost},
                      {"bytes", log.bytes},
                      {"blocks", log.blocks},
                      {"blocks_max", log.blocks_max},
                      {"uncompressed_blocks", log.uncompressed},
                      {"error", log.error.empty() ? json::value(nullptr) : json::value(log.error)}};
}

json::object capped(const std::array<std::int64_t, io::cap_count>& steps) {
  json::object o;
  for (std::size_t c = 0; c < io::cap_count; ++c) {
    o[io::to_string(static_cast<io::Cap>(c))] = steps[c];
  }
  return o;
}

json::object capped_by_model(const Report& r) {
  json::object o;
  for (const Report::Capped& one : r.capped_by) o[one.model] = capped(one.steps);
  return o;
}

}  // namespace

json::value to_json(const Report& r) {
  json::object o{
      {"config", r.config},
      {"model", r.model},
      {"method", r.method},
      {"sampling", r.sampling},
      {"rate_hz", r.rate_hz},
      {"outcome", outcome(r)},
      {"sim_time_s", r.sim_time_s},
      {"overruns", overruns(r)},
      {"local_error", quantiles(r.local_error)},
      {"capped_steps", capped(r.capped)},
      {"capped_steps_by_model", capped_by_model(r)},
      {"external_events",
       {{"served", r.events_served},
        {"deferred", r.events_deferred},
        {"refused", r.events_refused},
        {"by_class", events_by_class(r)}}},
      {"clamped_outputs", r.clamped_outputs},
      {"clamped",
       {{"frames", r.clamped_frames},
        {"stretches", r.clamp_stretches},
        {"outputs", json::array(r.clamped.begin(), r.clamped.end())}}},
      {"wake_latency_us", quantiles(r.wake_latency)},
      {"work_us", quantiles(r.work)},
      {"phases_us", phases(r)},
      {"passes_us", passes(r)},
      {"margin_us", {{"min", r.margin.min}, {"p1", r.margin.p1}, {"p50", r.margin.p50}}},
      {"utilisation", utilisation(r)},
      {"recording", recording(r)},
      {"containment", plan::containment_json(r.containment)},
      {"warnings", json::array(r.warnings.begin(), r.warnings.end())},
  };
  for (const exec::CounterInfo& c : exec::counters) o[c.name] = r.counts[c.counter];
  return o;
}

Result<void> write_json(const Report& report, const std::string& file) {
  return write_file(file, pretty(to_json(report)));
}

}  // namespace hild::report
