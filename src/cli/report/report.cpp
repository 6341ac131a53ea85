// SPDX-License-Identifier: Apache-2.0
#include "cli/report/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>

#include "cli/report/pretty_json.hpp"
#include "cli/report/write_file.hpp"
#include "core/decimal.hpp"
#include "core/json_parts.hpp"
#include "recording/record/standstill_log.hpp"

namespace hild::report {
namespace {

namespace json = boost::json;

// ---- what it is made of ------------------------------------------------------------------------

// 1, 2, 5, 10, 20 ... us
Duration edge_after(Duration edge) {
  std::int64_t decade = 1'000;
  while (edge.ns >= 10 * decade) decade *= 10;
  const std::int64_t digit = edge.ns / decade;
  return {decade * (digit < 2 ? 2 : digit < 5 ? 5 : 10)};
}

// Divided, so that 12 345 ns read 12.345.
Quantiles quantiles(const exec::Histogram& h) {
  return {in_us(h.quantile(0.5)), in_us(h.quantile(0.99)), in_us(h.quantile(0.999)), in_us(h.max()),
          in_us(h.mean())};
}

Quantiles share_of(const Quantiles& q, double period_us) {
  return {q.p50 / period_us, q.p99 / period_us, q.p999 / period_us, q.max / period_us,
          q.mean / period_us};
}

void add_setup(const config::Config& c, Report& r) {
  r.config = c.file;
  r.model = c.model.type;
  r.method = c.method;
  r.sampling = config::word_of(c.settings.sampling);
  r.rate_hz = c.settings.grid.rate_hz();
  r.period_us = 1e6 / r.rate_hz;
  r.budget = c.settings.budget.utilisation;
  r.evidence = c.evidence;
}

void add_counts(const exec::Statistics& s, const record::CauseCorrections* corrections, Report& r) {
  r.counts = exec::Counts(s);
  r.sim_time_s = static_cast<double>(s.sim_time_ns.get()) / 1e9;
  r.overruns = s.overruns.get();
  for (std::size_t c = 0; c < io::cause_count; ++c) {
    r.by_cause[c] = s.by_cause[c].get() + (corrections != nullptr ? corrections->of(c) : 0);
  }
  for (std::size_t c = 0; c < io::cap_count; ++c) r.capped[c] = s.capped[c].get();
  r.events_served = s.events_served.get();
  r.events_deferred = s.events_deferred.get();
  r.events_refused = s.events_refused.get();
  for (std::size_t c = 0; c < exec::event_classes; ++c) {
    const exec::EventCounts& counts = s.events_by_class[c];
    r.events_by_class[c] = {counts.served.get(), counts.deferred.get(), counts.refused.get(),
                            in_us(Duration{counts.prepare_ns.get()}),
                            in_us(Duration{counts.commit_ns.get()})};
  }
  r.clamped_frames = s.clamped_frames.get();
  r.clamp_stretches = s.clamp_stretches.get();
}

void add_times(const exec::Statistics& s, Report& r) {
  r.wake_latency = quantiles(s.wake);
  r.wake_bins = log_bins(s.wake);
  r.work = quantiles(s.work);
  r.local_error = share_of(quantiles(s.local_error), 1e6);  // kept in 1e-9, as nanoseconds are
  r.lateness = quantiles(s.lateness);
  for (std::size_t p = 0; p < io::phase_count; ++p) r.phases[p] = quantiles(s.phases[p]);
  for (std::size_t i = 0; i < s.passes.size() && s.passes[i].count() > 0; ++i) {
    r.passes.push_back(quantiles(s.passes[i]));
  }
  r.margin = {in_us(s.margin.min()), in_us(s.margin.quantile(0.01)), in_us(s.margin.quantile(0.5))};
  r.utilisation = share_of(r.work, r.period_us);
}

void add_outcome(const Run& run, Report& r) {
  r.outcome = run.outcome;
  for (const io::CutOutput& cut : run.cut_outputs) {
    r.clamped.emplace_back(run.config.model.description.outputs[cut.signal].name);
  }
  r.verdict =
      verdict(run.outcome, {.config = run.config.file,
                            .plant = &run.config.model.description,
                            .overrun = run.config.settings.overrun,
                            .by_cause = r.by_cause,
                            .device_failure = run.device_failure,
                            .interlocks = run.config.interlocks,
                            .alarms = run.config.alarms,
                            .frames = r.counts[&exec::Statistics::frames],
                            .clamped_frames = r.clamped_frames,
                            .inaccurate_steps = r.counts[&exec::Statistics::inaccurate_steps],
                            .clamped = fmt::format("`{}`", fmt::join(r.clamped, "`, `")),
                            .model_ending = run.model_ending});
  r.clamped_outputs = run.clamped_outputs;
  r.devices = run.devices;
  for (const Error& warning : run.warnings) r.warnings.push_back(warning.message);
  r.containment = plan::containment_of(run.config);
  if (r.containment && !r.containment->missing.empty()) {
    r.warnings.push_back(plan::words(*r.containment));
  }
  r.sequence = run.sequence;
  r.recordings = run.recordings;
  for (const Report::Recording& one : r.recordings) {
    if (!one.log.error.empty()) r.warnings.push_back(one.log.error);
  }
}

void add_cappers(const Run& run, Report& r) {
  const auto names = run.config.model.description.parts;
  for (std::size_t m = 0; m < std::min(names.size(), io::most_cappers); ++m) {
    Report::Capped one{.model = std::string(names[m])};
    for (std::size_t c = 0; c < io::cap_count; ++c) {
      one.steps[c] = run.statistics.capped_by[m][c].get();
    }
    const bool any = std::ranges::any_of(one.steps, [](std::int64_t n) { return n > 0; });
    if (any) r.capped_by.push_back(std::move(one));
  }
}

// ---- JSON --------------------------------------------------------------------------------------

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
  return {{"end", report::to_string(o.end)},
          {"fault", or_null(faulty ? report::to_string(o.fault) : "")},
          {"limit", or_null(o.limit_reached ? record::to_string(o.limit) : "")},
          {"exit_code", static_cast<int>(exit_code(o))},
          {"outputs_safe", o.safe},
          {"message", r.verdict.what},
          {"next", r.verdict.next}};
}

json::object recording(const Report::Recording& one) {
  const framelog::LogStatus& log = one.log;
  return json::object{{"recorder", one.recorder},     {"file", log.file},
                      {"files", log.files},           {"frames", log.frames},
                      {"dropped", log.dropped},       {"lost", log.lost},
                      {"bytes", log.bytes},           {"blocks", log.blocks},
                      {"blocks_max", log.blocks_max}, {"uncompressed_blocks", log.uncompressed},
                      {"error", or_null(log.error)}};
}

// Of several recorders the first: most runs have one.
json::value first_recording(const Report& r) {
  if (r.recordings.empty()) return nullptr;
  return recording(r.recordings.front());
}

json::object capped_by_model(const Report& r) {
  json::object o;
  for (const Report::Capped& one : r.capped_by) o[one.model] = by_name<io::Cap>(one.steps);
  return o;
}

json::object device_counts(const Report& r) {
  json::object o;
  for (const Report::Device& device : r.devices) {
    json::object counts;
    for (const Report::Device::Count& count : device.counts) counts[count.name] = count.value;
    o[device.name] = std::move(counts);
  }
  return o;
}

json::value ticks(const Report& r) {
  if (!r.ticks) return nullptr;
  json::object o{{"device", r.ticks->device}, {"period_us", nullptr}, {"jitter_us", nullptr}};
  if (r.ticks->came) {
    o["period_us"] = r.ticks->came->period_us;
    o["jitter_us"] = r.ticks->came->jitter_us;
  }
  return o;
}

json::value signal_json(const Report::Signal& s) {
  return {{"name", s.name}, {"unit", s.unit}, {"min", s.min}, {"max", s.max}, {"last", s.last}};
}

}  // namespace

std::vector<Bin> log_bins(const exec::Histogram& histogram) {
  constexpr Duration last = 10'000_s;  // the histogram's last bucket lies before it
  std::vector<Bin> bins;
  const std::int64_t all = histogram.count();
  std::int64_t seen = 0;
  Duration low{};
  for (Duration high = 1_us; seen < all && low < last; high = edge_after(high)) {
    const std::int64_t count = histogram.between(low, high);
    if (count > 0 || seen > 0) bins.push_back({low, high, count});
    seen += count;
    low = high;
  }
  return bins;
}

std::vector<Report::Signal> ranges_of(std::span<const PlottedSignal> signals) {
  std::vector<Report::Signal> ranges;
  for (const PlottedSignal& signal : signals) {
    if (signal.points.empty()) continue;
    const auto low = std::ranges::min_element(signal.points, {}, &PlotPoint::low);
    const auto high = std::ranges::max_element(signal.points, {}, &PlotPoint::high);
    ranges.push_back({signal.name, signal.unit, low->low, high->high, signal.latest});
  }
  return ranges;
}

std::vector<Report::Device> counted_by(std::span<const io::Member> devices) {
  std::vector<Report::Device> all;
  for (const io::Member& member : devices) {
    Report::Device device{std::string(member.name.view()), {}};
    for (const io::DeviceCounter& counter : member.device->counters()) {
      device.counts.push_back({std::string(counter.name), counter.value->get(), counter.alarming});
    }
    if (!device.counts.empty()) all.push_back(std::move(device));
  }
  return all;
}

Report make_report(const Run& run) {
  Report r;
  add_setup(run.config, r);
  add_counts(run.statistics, run.corrections, r);
  add_times(run.statistics, r);
  if (run.config.settings.follow) {
    r.ticks = {run.config.frame.follows, exec::followed_ticks(run.statistics, run.config.settings)};
  }
  if (run.config.settings.align) {
    r.phase_error_us = in_us({run.statistics.phase_error_ns.get()});
  }
  add_outcome(run, r);
  add_cappers(run, r);
  return r;
}

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
      {"devices", device_counts(r)},
      {"wake_latency_us", quantiles_json(r.wake_latency)},
      {"work_us", quantiles_json(r.work)},
      {"phases_us", by_name<io::Phase>(r.phases, quantiles_json)},
      {"passes_us", array_of(r.passes, quantiles_json)},
      {"margin_us", {{"min", r.margin.min}, {"p1", r.margin.p1}, {"p50", r.margin.p50}}},
      {"utilisation", utilisation(r)},
      {"recording", first_recording(r)},
      {"recordings", array_of(r.recordings, recording)},
      {"sequence", r.sequence},
      {"signals", array_of(r.signals, signal_json)},
      {"ticks", ticks(r)},
      {"phase_error_us", json::value_from(r.phase_error_us)},
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
