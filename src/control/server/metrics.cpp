// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "control/server/http_pages.hpp"
#include "control/server/interval_counts.hpp"
#include "control/server/prometheus_text.hpp"
#include "control/server/run_state.hpp"
#include "core/decimal.hpp"

namespace hild::server {
namespace {

// Of one model by cap; of several by model too.
void add_caps(PrometheusText& out, const exec::Statistics& s,
              std::span<const std::string_view> models) {
  out.family("hild_capped_steps_total", "counter",
             "Steps in which a model was cut short, by cap, and of several by model.");
  for (std::size_t c = 0; c < io::cap_count; ++c) {
    const std::string_view cap = io::to_string(static_cast<io::Cap>(c));
    if (models.empty()) out.sample(s.capped[c].get(), {{"cap", cap}});
    for (std::size_t m = 0; m < std::min(models.size(), io::most_cappers); ++m) {
      out.sample(s.capped_by[m][c].get(), {{"cap", cap}, {"model", models[m]}});
    }
  }
}

void add_counters(PrometheusText& out, const exec::Statistics& s,
                  std::span<const std::string_view> models) {
  for (const exec::CounterInfo& c : exec::counters) {
    const std::string name =
        c.metric.empty() ? fmt::format("hild_{}_total", c.name) : std::string(c.metric);
    out.family(name, "counter", c.help);
    out.sample((s.*c.counter).get());
  }
  out.single("hild_simulated_seconds_total", "counter", "Simulated time.",
             in_seconds(SimTime{s.sim_time_ns.get()}));
  out.family("hild_frame_overruns_total", "counter",
             "Steps that ended after the tick they were due at, by cause.");
  for (std::size_t c = 1; c < io::cause_count; ++c) {  // all but `none`
    out.sample(s.by_cause[c].get(), {{"cause", io::to_string(static_cast<io::Cause>(c))}});
  }
  add_caps(out, s, models);
  out.single("hild_clamped_frames_total", "counter",
             "Frames whose outputs were cut to their limits.", s.clamped_frames.get());
  out.single("hild_clamped", "gauge", "Whether outputs are cut to their limits now.",
             std::int64_t{s.clamped_since.get() >= 0 ? 1 : 0});
}

void add_devices(PrometheusText& out, const Run& run) {
  out.family("hild_device_events_total", "counter", "What devices count of their own, by device.");
  for (const Run::DeviceCounters& device : run.device_counters) {
    for (const io::DeviceCounter& c : device.counters) {
      out.sample(c.value->get(), {{"device", device.name}, {"event", c.name}});
    }
  }
}

void add_external_events(PrometheusText& out, const exec::Statistics& s) {
  out.family("hild_external_events_total", "counter",
             "Changes from outside by class and what became of them; each deferral counts.");
  for (std::size_t c = 0; c < exec::event_classes; ++c) {
    const exec::EventCounts& n = s.events_by_class[c];
    const std::string_view name = exec::to_string(static_cast<exec::EventClass>(c));
    out.sample(n.served.get(), {{"class", name}, {"result", "served"}});
    out.sample(n.deferred.get(), {{"class", name}, {"result", "deferred"}});
    out.sample(n.refused.get(), {{"class", name}, {"result", "refused"}});
  }
}

// Three to a decade, from 1 us to 10 s.
constexpr std::array edges{1_us,   2_us,   5_us, 10_us, 20_us, 50_us, 100_us, 200_us,
                           500_us, 1_ms,   2_ms, 5_ms,  10_ms, 20_ms, 50_ms,  100_ms,
                           200_ms, 500_ms, 1_s,  2_s,   5_s,   10_s};

/// One series of a histogram, or the only one.
void histogram(PrometheusText& out, const exec::Histogram& h,
               const PrometheusText::Labels& labels = {}) {
  const auto bucket = [&](std::int64_t n, const std::string& edge) {
    PrometheusText::Labels its = labels;
    its.emplace_back("le", edge);
    out.sample(n, its, "_bucket");
  };
  // Read once: what the loop adds meanwhile must not make a bucket hold more than all of them.
  const double sum = in_seconds(h.sum());
  const std::vector<std::int64_t> counts = counts_between(h, edges);
  std::int64_t up_to = 0;
  for (std::size_t i = 0; i < edges.size(); ++i) {
    up_to += counts[i];
    bucket(up_to, fmt::format("{}", in_seconds(edges[i])));
  }
  up_to += counts.back();
  bucket(up_to, "+Inf");
  out.sample(sum, labels, "_sum");
  out.sample(up_to, labels, "_count");
}

void add_histograms(PrometheusText& out, const exec::Statistics& s) {
  out.family("hild_frame_phase_duration_seconds", "histogram", "Time of a phase in a frame.");
  for (std::size_t p = 0; p < io::phase_count; ++p) {
    histogram(out, s.phases[p], {{"phase", io::to_string(static_cast<io::Phase>(p))}});
  }
  out.family("hild_wake_latency_seconds", "histogram",
             "From the instant to wake at to waking, at ticks and releases.");
  histogram(out, s.wake);
  out.family("hild_frame_work_seconds", "histogram", "Work in a frame, waiting left out.");
  histogram(out, s.work);
  // Kept in 1e-9, as nanoseconds are.
  out.family("hild_step_error_ratio", "histogram",
             "Estimated error of a step, as a part of the size of its state.");
  histogram(out, s.local_error);
}

// A topic is one of the things it may be: that one is 1, the others 0.
void add_state(PrometheusText& out, const Context& c, const exec::Image& image) {
  const std::vector<Topic> topics = topics_of(c, image);
  out.family("hild_state", "gauge", "What the run is up to: 1 for what a topic is, else 0.");
  for (const Topic& t : topics) {
    for (const std::string_view is : t.may_be) {
      out.sample(std::int64_t{is == t.is ? 1 : 0}, {{"of", t.of}, {"is", is}});
    }
  }
  const auto count = [&](std::string_view name, std::string_view help, std::string_view of) {
    out.family(name, "gauge", help);
    for (const Topic& t : topics) {
      if (t.of == of) out.sample(t.count);
    }
  };
  count("hild_alarms_open", "Alarms that are open.", "alarms");
  count("hild_faults_in_force", "Overrides of signals in force.", "faults");
  count("hild_stimuli_in_force", "Stimuli of inputs in force.", "stimuli");
  count("hild_recording_lost_frames", "Frames that are not in the recording.", "recording");
  if (!c.run.ended.raised()) return;
  out.single("hild_exit_code", "gauge", "Of the run, which has ended.",
             std::int64_t{c.run.ending().exit_code});
}

void add_signals(PrometheusText& out, const Context& c, const exec::Image& image) {
  if (image.frame < 0) return;
  const auto sample = [&](Place p, double value) {
    out.sample(value,
               {{"name", c.names.name(p)}, {"unit", c.names.unit(p)}, {"kind", to_string(p.kind)}});
  };
  out.family("hild_signal", "gauge",
             "Signals and parameters of the newest step, as the plant has them.");
  for (const Kind k : all_kinds) {
    for (const Place p : c.names.all(k)) sample(p, value_in(image, p));
  }
  // What wired lines carry, beside what the plant has.
  out.family("hild_signal_line", "gauge", "What the lines of the signals carry.");
  for (const Place p : c.names.all(Kind::input)) {
    const bool carries = !c.run.inputs[p.index].where.empty();
    if (carries && std::isfinite(image.sampled[p.index])) sample(p, image.sampled[p.index]);
  }
  for (const Place p : c.names.all(Kind::output)) {
    if (std::isfinite(image.lines[p.index])) sample(p, image.lines[p.index]);
  }
}

}  // namespace

std::string metrics(const Context& context) {
  PrometheusText out;
  const Run& run = context.run;
  const exec::Statistics& s = run.loop.statistics();
  out.family("hild_build_info", "gauge", "1, with the version.");
  out.sample(std::int64_t{1}, {{"version", run.version}});
  add_counters(out, s, run.description.parts);
  add_devices(out, run);
  add_external_events(out, s);
  add_histograms(out, s);
  out.single("hild_samples_lost_total", "counter", "Samples that subscribers did not get.",
             context.subscriptions.lost());
  out.single("hild_frame_period_seconds", "gauge", "The frame.", 1 / run.settings.grid.rate_hz());
  out.single("hild_utilisation_limit_ratio", "gauge", "Share of the frame that work may take.",
             run.settings.budget.utilisation);
  out.single("hild_control_clients", "gauge", "Clients connected.",
             static_cast<std::int64_t>(context.clients.size()));
  const exec::Image& image = newest_image(run);
  add_state(out, context, image);
  add_signals(out, context, image);
  return out.take();
}

}  // namespace hild::server
