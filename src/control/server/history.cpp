// SPDX-License-Identifier: Apache-2.0
#include "control/server/history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <cmath>

#include "control/rpc/message.hpp"
#include "control/server/change_words.hpp"
#include "control/server/method.hpp"
#include "core/decimal.hpp"

namespace hild::server {
namespace {

using namespace std::chrono_literals;

constexpr auto look_every = 200ms;
constexpr double tap_s = 2;  // of steps on their way here, at most

}  // namespace

History::Size History::size_for(std::size_t signals, double rate_hz) {
  const std::size_t row = (signals + 3) * sizeof(double);  // and step, frame, time
  const auto fit = static_cast<double>(std::max<std::size_t>(2, most_bytes / row));
  const double usual = std::max(1.0, std::ceil(rate_hz / most_rows_a_second));
  const double every = std::max(usual, std::ceil(in_seconds(reach) * rate_hz / (fit - 1)));
  return {static_cast<std::int64_t>(every),
          static_cast<std::size_t>(std::ceil(in_seconds(reach) * rate_hz / every)) + 1};
}

History::History(boost::asio::io_context& io, const io::FrameLayout& layout, const Names& names,
                 double rate_hz)
    : names_(names),
      size_(size_for(layout.inputs() + layout.outputs() + layout.states(), rate_hz)),
      tap_(layout, rate_hz, tap_s, size_.every),
      timer_(io),
      values_(size_.rows * (layout.inputs() + layout.outputs() + layout.states())),
      steps_(size_.rows),
      frames_(size_.rows),
      times_(size_.rows) {}

void History::start() {
  tap_.want(true);
  wait();
}

void History::close() {
  tap_.want(false);
  timer_.cancel();
}

void History::wait() {
  timer_.after(look_every, [this] {
    take();
    wait();
  });
}

void History::take() {
  tap_.drain([this](const SampleTap::Sample& sample) { keep(sample); });
}

void History::keep(const SampleTap::Sample& sample) {
  if (kept_ > 0 && sample.time < newest()) kept_ = 0;  // rewound: what was before is not its past
  const std::size_t at = kept_++ % size_.rows;
  steps_[at] = sample.step;
  frames_[at] = sample.frame;
  times_[at] = sample.time;
  std::ranges::copy(sample.values,
                    values_.begin() + static_cast<std::ptrdiff_t>(at * sample.values.size()));
}

SimTime History::newest() const { return times_[(kept_ - 1) % size_.rows]; }

std::optional<std::pair<SimTime, SimTime>> History::known() {
  take();
  const std::size_t rows = std::min(kept_, size_.rows);
  if (rows < 2) return {};
  return std::pair{times_[(kept_ - rows) % size_.rows], newest()};
}

void History::note(const exec::Transaction& made, std::int64_t frame, SimTime time,
                   std::span<const std::string> texts) {
  const std::span<const exec::Change> changes = made.changes();
  for (std::size_t i = 0; i < changes.size(); ++i) {
    const exec::Change& change = changes[i];
    std::string words = words_of(change, names_);
    if (words.empty()) continue;
    std::string text = i < texts.size() ? texts[i] : std::string();
    if (!text.empty()) words += fmt::format(": {}", text);
    if (made_.size() == most_changes) made_.pop_front();
    Made& made_now = made_.emplace_back(Made{frame, time, is_fault(change), std::move(words)});
    if (const auto* set = std::get_if<exec::SetParameter>(&change)) made_now.set = *set;
    made_now.text = std::move(text);
  }
}

json::array History::changes_since(SimTime since) const {
  json::array all;
  for (const Made& made : made_) {
    if (made.time < since) continue;
    json::object one{{"frame", made.frame},
                     {"time_s", in_seconds(made.time)},
                     {"is", made.fault ? "fault" : "change"},
                     {"words", made.words}};
    if (made.set) {
      const Place place{Kind::parameter, made.set->parameter};
      one["set"] = {{"name", names_.name(place)}, {"value", rpc::number(made.set->value)}};
    }
    if (!made.text.empty()) one["text"] = made.text;
    all.push_back(std::move(one));
  }
  return all;
}

json::array History::events_since(SimTime since) const {
  json::array all;
  for (const EventHistory::Step& step : events_.newest(since, most_events)) {
    all.push_back(
        {{"frame", step.frame}, {"time_s", in_seconds(step.time)}, {"events", step.events}});
  }
  return all;
}

json::value History::answer(Params& params) {
  take();
  std::vector<std::size_t> columns;
  json::array names;
  json::array units;
  if (params.has("names")) {
    for (const std::string& name : params.texts("names")) {
      const Place place = names_.find(name, signal_kinds, params.name_of("names"));
      columns.push_back(sample_column(names_, place));
      names.emplace_back(name);
      units.emplace_back(names_.unit(place));
    }
  }
  if (static_cast<std::int64_t>(columns.size()) > most_numbers) {
    params.reject("names",
                  fmt::format("{} names, expected {} at most", columns.size(), most_numbers));
  }
  const Duration last = params.has("last_s") ? params.duration("last_s") : reach;
  if (last > reach) {
    params.reject("last_s", fmt::format("found {:g} s, expected {:g} s at most", in_seconds(last),
                                        in_seconds(reach)));
  }
  const auto fit =
      most_numbers / static_cast<std::int64_t>(std::max<std::size_t>(1, columns.size()));
  const std::int64_t most = std::min(fit, params.integer("rows", 1, most_numbers, most_numbers));
  params.refuse_unknown();

  const SimTime since = (kept_ == 0 ? SimTime{} : newest()) - last;
  const std::size_t there = std::min(kept_, size_.rows);
  std::size_t first = kept_ - there;
  while (first < kept_ && times_[first % size_.rows] < since) ++first;
  // Thinned where there are too many: of the same steps whenever it is asked.
  const auto rows = static_cast<std::int64_t>(kept_ - first);
  const std::int64_t every = size_.every * std::max<std::int64_t>(1, (rows + most - 1) / most);
  const std::size_t width = values_.size() / size_.rows;
  json::array frames;
  json::array times;
  json::array values;
  for (std::size_t n = first; n < kept_ && !columns.empty(); ++n) {
    const std::size_t at = n % size_.rows;
    if (steps_[at] % every != 0) continue;
    frames.emplace_back(frames_[at]);
    times.emplace_back(in_seconds(times_[at]));
    json::array row;
    row.reserve(columns.size());
    for (const std::size_t c : columns) row.push_back(rpc::number(values_[at * width + c]));
    values.push_back(std::move(row));
  }
  return json::object{{"names", std::move(names)},
                      {"units", std::move(units)},
                      {"every", every},
                      {"reach_s", in_seconds(reach)},
                      {"frame", std::move(frames)},
                      {"time_s", std::move(times)},
                      {"values", std::move(values)},
                      {"changes", changes_since(since)},
                      {"state_events", events_since(since)}};
}

json::value history(const Context& context, Params& params) {
  return context.history.answer(params);
}

}  // namespace hild::server
