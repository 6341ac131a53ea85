// SPDX-License-Identifier: Apache-2.0
#include <boost/json.hpp>

#include "cli/report/pretty_json.hpp"
#include "cli/report/report.hpp"
#include "cli/report/write_file.hpp"
#include "core/json_parts.hpp"
#include "recording/record/standstill_log.hpp"

namespace hild::report {
namespace {

namespace json = boost::json;

json::object quantiles_json(const Quantiles& q) {
  return {{"mean", q.mean}, {"p50", q.p50}, {"p99", q.p99}, {"p999", q.p999}, {"max", q.max}};
}

json::object overruns(const Report& r) {
  json::object by_cause = by_name<io::Cause>(r.by_cause);
  by_cause.stable_erase(io::to_string(io::Cause::none));
  return {{"total", r.overruns},
          {"percent", r.overrun_percent()},
          {"by_cause", std::move(by_cause)},
          {"lateness_us", quantiles_json(r.lateness)}};
}

json::object utilisation(const Report& r) {
  json::object shares = quantiles_json(r.utilisation);
  shares["budget"] = r.budget;
  shares["over_budget"] = r.counts[&exec::Statistics::over_budget];
  return shares;
}

json::object event_counts(const EventClassCounts& counts) {
  return {{"served", counts.served},
          {"deferred", counts.deferred},
          {"refused", counts.refused},
          {"prepare_us", counts.prepare_us},
          {"commit_us", counts.commit_us}};
}

json::object outcome(const Report& r) {
  const exec::Outcome& o = r.outcome;
  const bool faulty = o.end == exec::End::model_fault;
  return {{"end", to_string(o.end)},
          {"fault", or_null(faulty ? to_string(o.fault) : "")},
          {"limit", or_null(o.limit_reached ? record::to_string(o.limit) : "")},
          {"exit_code", static_cast<int>(exit_code(o))},
          {"outputs_safe", o.safe},
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
                      {"error", or_null(log.error)}};
}

json::object capped_by_model(const Report& r) {
  json::object o;
  for (const Report::Capped& one : r.capped_by) o[one.model] = by_name<io::Cap>(one.steps);
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
      {"local_error", quantiles_json(r.local_error)},
      {"capped_steps", by_name<io::Cap>(r.capped)},
      {"capped_steps_by_model", capped_by_model(r)},
      {"external_events",
       {{"served", r.events_served},
        {"deferred", r.events_deferred},
        {"refused", r.events_refused},
        {"by_class", by_name<exec::EventClass>(r.events_by_class, event_counts)}}},
      {"clamped_outputs", r.clamped_outputs},
      {"clamped",
       {{"frames", r.clamped_frames},
        {"stretches", r.clamp_stretches},
        {"outputs", json::value_from(r.clamped)}}},
      {"wake_latency_us", quantiles_json(r.wake_latency)},
      {"work_us", quantiles_json(r.work)},
      {"phases_us", by_name<io::Phase>(r.phases, quantiles_json)},
      {"passes_us", array_of(r.passes, quantiles_json)},
      {"margin_us", {{"min", r.margin.min}, {"p1", r.margin.p1}, {"p50", r.margin.p50}}},
      {"utilisation", utilisation(r)},
      {"recording", recording(r)},
      {"containment", plan::containment_json(r.containment)},
      {"warnings", json::value_from(r.warnings)},
  };
  for (const exec::CounterInfo& c : exec::counters) o[c.name] = r.counts[c.counter];
  return o;
}

Result<void> write_json(const Report& report, const std::string& file) {
  return write_file(file, pretty(to_json(report)));
}

}  // namespace hild::report
