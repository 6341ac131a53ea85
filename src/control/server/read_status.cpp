// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "control/server/method.hpp"
#include "control/server/run_state.hpp"
#include "control/server/showing.hpp"
#include "core/decimal.hpp"
#include "core/json_parts.hpp"
#include "exec/followed_ticks.hpp"

namespace hild::server {
namespace {

std::string_view to_string(exec::Sampling sampling) {
  static constexpr std::string_view words[] = {"frame", "stage", "extrapolate", "behind"};
  return words[static_cast<std::size_t>(sampling)];
}

/// In us.
json::object quantiles_us(const exec::Histogram& h) {
  return {{"p50", in_us(h.quantile(0.5))},
          {"p99", in_us(h.quantile(0.99))},
          {"p999", in_us(h.quantile(0.999))},
          {"max", in_us(h.max())}};
}

json::object overruns_of(const exec::Statistics& s, const record::CauseCorrections* corrections) {
  json::object by_cause;
  for (std::size_t c = 1; c < io::cause_count; ++c) {  // all but `none`
    by_cause[io::to_string(static_cast<io::Cause>(c))] =
        s.by_cause[c].get() + (corrections != nullptr ? corrections->of(c) : 0);
  }
  const std::int64_t steps = s.steps.get();
  const std::int64_t total = s.overruns.get();
  const double share = steps > 0 ? static_cast<double>(total) / static_cast<double>(steps) : 0;
  return {{"total", total}, {"percent", 100 * share}, {"by_cause", std::move(by_cause)}};
}

json::object external_events(const exec::Statistics& s) {
  json::object by_class;
  for (std::size_t c = 0; c < exec::event_classes; ++c) {
    const exec::EventCounts& n = s.events_by_class[c];
    by_class[exec::to_string(static_cast<exec::EventClass>(c))] = {
        {"served", n.served.get()},
        {"deferred", n.deferred.get()},
        {"refused", n.refused.get()},
        {"prepare_us", in_us({n.prepare_ns.get()})},
        {"commit_us", in_us({n.commit_ns.get()})}};
  }
  return {{"served", s.events_served.get()},
          {"deferred", s.events_deferred.get()},
          {"refused", s.events_refused.get()},
          {"by_class", std::move(by_class)}};
}

json::object utilisation(const exec::Statistics& s, const exec::Settings& settings) {
  const double period = static_cast<double>(settings.grid.period().ns);
  const auto share = [&](double q) { return static_cast<double>(s.work.quantile(q).ns) / period; };
  return {{"p50", share(0.5)},
          {"p99", share(0.99)},
          {"max", static_cast<double>(s.work.max().ns) / period},
          {"limit", settings.budget.utilisation}};
}

json::object local_error(const exec::Statistics& s, const exec::Settings& settings) {
  const double limit = settings.accuracy.limit;
  // Kept in 1e-9, as nanoseconds are.
  return {{"p50", seconds(s.local_error.quantile(0.5))},
          {"p99", seconds(s.local_error.quantile(0.99))},
          {"max", seconds(s.local_error.max())},
          {"limit", std::isfinite(limit) ? json::value(limit) : json::value()}};
}

json::value ticks(const exec::Statistics& s, const exec::Settings& settings) {
  const auto came = exec::followed_ticks(s, settings);
  if (!came) return nullptr;
  return {{"period_us", came->period_us}, {"jitter_us", came->jitter_us}};
}

void add_times(const exec::Statistics& s, json::object& o) {
  o["wake_latency_us"] = quantiles_us(s.wake);
  o["work_us"] = quantiles_us(s.work);
  json::object margin = quantiles_us(s.margin);
  margin["min"] = in_us(s.margin.min());
  margin["p1"] = in_us(s.margin.quantile(0.01));
  o["margin_us"] = std::move(margin);
  json::object phases;
  for (std::size_t p = 0; p < io::phase_count; ++p) {
    phases[io::to_string(static_cast<io::Phase>(p))] = quantiles_us(s.phases[p]);
  }
  o["phases_us"] = std::move(phases);
  json::array passes;
  for (std::size_t i = 0; i < s.passes.size() && s.passes[i].count() > 0; ++i) {
    passes.push_back(quantiles_us(s.passes[i]));
  }
  o["passes_us"] = std::move(passes);
}

// Of several recorders that record the first.
json::value recording_of(const std::vector<Run::Recorder>& recorders) {
  const auto one = std::ranges::find(recorders, "recording", &Run::Recorder::state);
  if (one == recorders.end()) return nullptr;
  return json::object{{"file", one->file},
                      {"blocks", one->blocks},
                      {"blocks_max", one->blocks_max},
                      {"lost", one->lost},
                      {"error", one->error}};
}

json::object caps_of(const std::array<rt::Counter, io::cap_count>& steps) {
  json::object o;
  for (std::size_t c = 0; c < io::cap_count; ++c) {
    if (const std::int64_t n = steps[c].get(); n > 0) {
      o[io::to_string(static_cast<io::Cap>(c))] = n;
    }
  }
  return o;
}

// Steps that reached a cap; of several models, of each that did.
json::object capped_steps(const Run& run) {
  const exec::Statistics& s = run.loop.statistics();
  json::object by_model;
  const auto names = run.description.parts;
  for (std::size_t m = 0; m < std::min(names.size(), io::most_cappers); ++m) {
    json::object one = caps_of(s.capped_by[m]);
    if (!one.empty()) by_model[names[m]] = std::move(one);
  }
  json::object o{{"steps", caps_of(s.capped)}};
  if (!names.empty()) o["by_model"] = std::move(by_model);
  return o;
}

json::object device_counts(const Run& run) {
  json::object o;
  for (const Run::DeviceCounters& device : run.device_counters) {
    json::object counts;
    for (const io::DeviceCounter& c : device.counters) counts[c.name] = c.value->get();
    o[device.name] = std::move(counts);
  }
  return o;
}

}  // namespace

json::value status(const Context& context, Params& params) {
  params.refuse_unknown();
  const Run& run = context.run;
  const exec::Statistics& s = run.loop.statistics();
  const exec::Image image = newest_step(run);
  const std::vector<Topic> topics = topics_of(context, image);
  json::object o{{"state", topics.front().is},
                 {"told", told(topics)},
                 {"ending", ending_of(run)},
                 {"model", run.model},
                 {"method", run.method},
                 {"sampling", to_string(run.settings.sampling)},
                 {"period_s", 1 / run.settings.grid.rate_hz()},
                 {"frame", image.frame},
                 {"sim_time_s", in_seconds(SimTime{s.sim_time_ns.get()})},
                 {"overruns", overruns_of(s, run.corrections)},
                 {"capped", capped_steps(run)},
                 {"external_events", external_events(s)},
                 {"clamped",
                  {{"now", s.clamped_since.get() >= 0},
                   {"frames", s.clamped_frames.get()},
                   {"stretches", s.clamp_stretches.get()}}}};
  for (const exec::CounterInfo& c : exec::counters) o[c.name] = (s.*c.counter).get();
  add_times(s, o);
  o["ticks"] = ticks(s, run.settings);
  o["phase_error_us"] =
      run.settings.align ? json::value(in_us({s.phase_error_ns.get()})) : json::value();
  o["utilisation"] = utilisation(s, run.settings);
  o["local_error"] = local_error(s, run.settings);
  o["devices"] = device_counts(run);
  o["overrides"] = context.active.overrides(context.names, image.frame);
  o["injected"] = context.active.injected(context.names, image.frame);
  o["stimuli"] = context.active.stimuli(context.names, image.time);
  o["clients"] = context.clients.size();
  o["samples_lost"] = context.subscriptions.lost();
  const std::vector<Run::Recorder> recorders = run.recorders();
  o["recording"] = recording_of(recorders);
  o["recorders"] = array_of(recorders, [](const Run::Recorder& one) { return to_json(one); });
  o["rewinding"] = to_json(run.rewinding());
  o["showing"] = context.showing.told(Showing::Clock::now());
  o["armed"] = run.armed();
  o["writing"] = context.writing;
  o["control"] = context.ownership.told();
  o["version"] = run.version;
  o["pid"] = getpid();
  return o;
}

}  // namespace hild::server
