// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/json/array.hpp>

#include "config/near_names.hpp"
#include "control/server/interval_counts.hpp"
#include "control/server/method.hpp"
#include "core/decimal.hpp"
#include "recording/record/words.hpp"

namespace hild::server {
namespace {

// Ten to a decade, the preferred numbers R10, from 0.1 us to 80 s.
const std::vector<Duration>& shown_edges() {
  static const std::vector<Duration> all = [] {
    std::vector<Duration> e;
    for (std::int64_t decade = 1; decade <= 100'000'000; decade *= 10) {
      for (const int part : {100, 125, 160, 200, 250, 315, 400, 500, 630, 800}) {
        e.push_back({decade * part});
      }
    }
    return e;
  }();
  return all;
}

/// Every histogram of durations, with its name in the interface.
std::vector<std::pair<std::string, const exec::Histogram*>> histograms_of(
    const exec::Statistics& s) {
  std::vector<std::pair<std::string, const exec::Histogram*>> all{
      {"wake", &s.wake}, {"work", &s.work}, {"margin", &s.margin}, {"lateness", &s.lateness}};
  for (std::size_t p = 0; p < io::phase_count; ++p) {
    all.emplace_back("phase." + std::string(io::to_string(static_cast<io::Phase>(p))),
                     &s.phases[p]);
  }
  return all;
}

// From the first to the last interval that is not empty.
json::object histogram(const exec::Histogram& h) {
  const std::vector<std::int64_t> counts = counts_between(h, shown_edges());
  const auto holds = [](std::int64_t n) { return n > 0; };
  const auto first = std::ranges::find_if(counts, holds) - counts.begin();
  const auto last = counts.rend() - std::find_if(counts.rbegin(), counts.rend(), holds);
  json::array edges_us;
  json::array n;
  for (auto i = first; i < last; ++i) {
    const auto at = static_cast<std::size_t>(i);
    // Above the last edge there is the longest.
    edges_us.emplace_back(in_us(at < shown_edges().size() ? shown_edges()[at] : h.max()));
    n.emplace_back(counts[at]);
  }
  return {{"edges_us", std::move(edges_us)}, {"counts", std::move(n)}};
}

json::object phases_us(const std::array<Duration, io::phase_count>& phases) {
  json::object all;
  for (std::size_t p = 0; p < io::phase_count; ++p) {
    all[io::to_string(static_cast<io::Phase>(p))] = in_us(phases[p]);
  }
  return all;
}

// The last `most` of the steps before an overrun.
json::array steps_before(const OverrunHistory::Overrun& o, std::size_t most) {
  json::array all;
  const std::size_t n = std::min(most, o.before.size());
  for (const record::StepTimes& s : std::span(o.before).last(n)) {
    all.push_back({{"step", s.step},
                   {"frame", s.frame},
                   {"lateness_us", in_us(s.lateness)},
                   {"phases_us", phases_us(s.phases)}});
  }
  return all;
}

json::object overrun(const OverrunHistory::Overrun& o, const Run& run, std::size_t before) {
  const io::FrameHeader& h = o.header;
  const auto parts = run.description.parts;
  const std::vector<std::string> models(parts.begin(), parts.end());
  json::object all{
      {"step", h.step},
      {"frame", h.frame},
      {"time_s", in_seconds(h.t)},
      {"lateness_us", in_us(h.lateness)},
      {"cause", io::to_string(h.cause)},
      {"span", h.span},
      {"utilisation_before", o.utilisation_before},
      {"phases_us", phases_us(h.phases)},
      {"words", record::overrun_line(h, o.next_span,
                                     {run.devices, o.utilisation_before, run.evidence, models})}};
  if (before > 0) all["before"] = steps_before(o, before);
  return all;
}

}  // namespace

json::value histograms(const Context& context, Params& params) {
  const auto all = histograms_of(context.run.loop.statistics());
  json::object result;
  if (params.has("names")) {
    for (const std::string& name : params.texts("names")) {
      const auto it = std::ranges::find(all, name, [](const auto& h) { return h.first; });
      if (it == all.end()) {
        std::vector<std::string_view> known;
        known.reserve(all.size());
        for (const auto& [key, h] : all) known.push_back(key);
        params.reject("names", fmt::format("found {}, expected a histogram ({})",
                                           found(json::value(name)), config::suggest(name, known)));
      }
      result[name] = histogram(*it->second);
    }
  } else {
    for (const auto& [name, h] : all) result[name] = histogram(*h);
  }
  params.refuse_unknown();
  return result;
}

json::value overruns(const Context& context, Params& params) {
  const std::int64_t last =
      params.integer("last", 1, static_cast<std::int64_t>(OverrunHistory::kept), 20);
  const std::int64_t since = params.integer("since_step", 0, INT64_MAX, 0);
  const auto before = static_cast<std::size_t>(
      params.integer("before", 0, static_cast<std::int64_t>(OverrunHistory::steps_before), 0));
  params.refuse_unknown();
  const std::int64_t seen = context.overruns.seen();  // before they are listed: none is missed
  json::array all;
  for (const auto& o : context.overruns.newest(static_cast<std::size_t>(last), since)) {
    all.push_back(overrun(o, context.run, before));
  }
  return json::object{{"total", context.run.loop.statistics().overruns.get()},
                      {"seen", seen},
                      {"overruns", std::move(all)}};
}

}  // namespace hild::server
