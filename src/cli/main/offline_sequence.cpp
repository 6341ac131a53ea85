// SPDX-License-Identifier: Apache-2.0
#include "cli/main/offline_sequence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <utility>

#include "cli/main/commands.hpp"
#include "cli/terminal/print.hpp"
#include "control/sequence/parse.hpp"
#include "control/server/refused.hpp"

namespace hild::commands {
namespace {

namespace json = boost::json;
using sequence::Failure;

constexpr std::array present_kinds{server::Kind::parameter, server::Kind::input,
                                   server::Kind::output, server::Kind::state};

/// Frames without a step after which simulated time is taken to stand still.
std::int64_t most_still(const exec::Settings& settings) {
  return std::max<std::int64_t>(1000, settings.grid.frames_in(5_s));
}

template <class All>
void add_names(std::vector<sequence::Named>& to, sequence::Kind kind, const All& all) {
  for (const auto& one : all) {
    const std::string unit(one.unit);
    to.push_back({kind, std::string(one.name), unit.empty() ? "1" : unit});
  }
}

}  // namespace

sequence::Names names_of(const plan::Assembly& assembly) {
  const model::Description& d = assembly.config.model.description;
  std::vector<sequence::Named> all;
  all.reserve(d.parameters.size() + d.inputs.size() + d.outputs.size() + d.states.size());
  add_names(all, sequence::Kind::parameter, d.parameters);
  add_names(all, sequence::Kind::input, d.inputs);
  add_names(all, sequence::Kind::output, d.outputs);
  add_names(all, sequence::Kind::device_fault, assembly.bus->device_faults());
  add_names(all, sequence::Kind::alarm, assembly.config.alarms);
  add_names(all, sequence::Kind::state, d.states);
  for (const config::Record& one : assembly.config.recorders) {
    all.push_back({sequence::Kind::recorder, one.name, "1"});
  }
  return sequence::Names(std::move(all));
}

OfflineSequence::OfflineSequence(const SequenceTask& task, const plan::Assembly& assembly,
                                 server::Run run)
    : assembly_(assembly),
      stop_(run.stop),
      statistics_(run.loop.statistics()),
      desk_(std::move(run)),
      quiet_(task.quiet) {
  const sequence::Names names = names_of(assembly);
  sequence_ = needed(sequence::parse_file(task.file, &names, task.lets));
  const model::Description& d = assembly.config.model.description;
  recorded_.values.resize(d.inputs.size() + d.outputs.size() + d.states.size() +
                          assembly.config.alarms.size());
}

OfflineSequence::~OfflineSequence() {
  lockstep_.leave();
  stop_.raise();
}

Result<void> OfflineSequence::start() {
  rt::Warnings none;  // nothing is asked for that could be refused
  const rt::ThreadOptions ordinary{.priority = 0, .cpu = -1, .name = Name("hild-sequence")};
  auto begun = rt::Thread::start(ordinary, none, [this] { work(); });
  if (!begun) return tl::make_unexpected(begun.error());
  thread_.emplace(std::move(*begun));
  return {};
}

void OfflineSequence::join() { thread_.reset(); }

void OfflineSequence::work() {
  // Samples of any signal tell the time.
  const auto outcome = sequence::run_sequence(*this, sequence_, {}, [this](const auto& step) {
    if (!quiet_) cli::print("{}\n", sequence::line_of(step));
  });
  if (outcome) {
    told_ = sequence::to_json(sequence_, *outcome);
    verdict_ = outcome->verdict();
    summary_ = sequence::summary(sequence_, *outcome);
  } else {
    summary_ = fmt::format("{}: not begun: {}", sequence_.name, outcome.error().message);
  }
  stop_.raise();
  lockstep_.leave();
}

// ---- the recorder's thread ---------------------------------------------------------------------

void OfflineSequence::frame(const io::FrameView& record) {
  const io::FrameHeader& h = record.header();
  const std::lock_guard lock(recorded_.mutex);
  if (!h.frozen && record.passes() > 0) {
    auto to = recorded_.values.begin();
    for (const auto part :
         {record.inputs(record.passes() - 1), record.outputs(), record.states()}) {
      to = std::ranges::copy(part, to).out;
    }
    for (std::size_t alarm = 0; to != recorded_.values.end(); ++to) {
      *to = server::alarm_sample(h.alarms, h.alarms_open, alarm++);
    }
    recorded_.samples.times.push_back(h.t + (h.deadline - h.due));
    auto& row = recorded_.samples.values.emplace_back();
    row.reserve(recorded_.columns.size());
    for (const std::size_t c : recorded_.columns) row.push_back(recorded_.values[c]);
  }
  ++recorded_.records;
  recorded_.moved.notify_all();
}

// ---- the run as a bench ------------------------------------------------------------------------

std::size_t OfflineSequence::column(server::Place place) const {
  return server::sample_column(desk_.names(), place);
}

// Lets the loop take the steps up to this time, or the next one; until all they left is here.
void OfflineSequence::advance(SimTime until) {
  const exec::Settings& settings = assembly_.config.settings;
  const Duration period = settings.grid.period();
  // It stands at a tick, or within a frame before its first: short of the tick behind those meant.
  Duration ahead{period.ns * 3 / 4};
  if (until > newest_ + period) ahead = ahead + (until - newest_ - period);
  const bool goes_on = lockstep_.let_go(ahead);
  const std::int64_t records = statistics_.steps.get() + statistics_.frozen_frames.get();
  SimTime newest = newest_;
  {
    std::unique_lock lock(recorded_.mutex);
    recorded_.moved.wait(lock, [&] { return recorded_.records >= records; });
    if (!recorded_.samples.times.empty()) newest = recorded_.samples.times.back();
  }
  if (!goes_on) throw Failure{Failure::Kind::lost, "the run has ended"};
  still_ = newest > newest_ ? 0 : still_ + 1;
  newest_ = newest;
  if (still_ < most_still(settings)) return;
  still_ = 0;
  throw Failure{Failure::Kind::stalled,
                "simulated time stands still: a frozen run needs `resume` or `step` before "
                "anything that takes time"};
}

sequence::Samples OfflineSequence::samples(SimTime until) {
  while (true) {
    advance(until);
    const std::lock_guard lock(recorded_.mutex);
    if (!recorded_.samples.times.empty()) return std::exchange(recorded_.samples, {});
  }
}

json::value OfflineSequence::call(std::string_view method, json::object params) {
  if (method == "subscribe") return subscribe(params);
  if (method == "unsubscribe") return json::object();
  if (!lockstep_.await()) throw Failure{Failure::Kind::lost, "the run has ended"};
  if (method == "get") return present(params);
  desk_.ask(method, std::move(params));
  while (true) {
    if (const auto answer = desk_.answer()) {
      if (*answer) return **answer;
      throw Failure{Failure::Kind::refused, answer->error().message};
    }
    advance({});
  }
}

json::value OfflineSequence::subscribe(const json::object& params) {
  std::vector<std::size_t> columns;
  try {
    for (const json::value& name : params.at("names").as_array()) {
      const std::string_view text = name.as_string();
      if (text.empty()) continue;  // of a sequence without a condition
      columns.push_back(column(desk_.names().find(text, server::sampled_kinds(text), "names")));
    }
  } catch (const server::Refused& refused) {
    throw Failure{Failure::Kind::refused, refused.error.message};
  }
  const std::lock_guard lock(recorded_.mutex);
  recorded_.columns = std::move(columns);
  recorded_.samples = {};
  return json::object{{"subscription", 1}};
}

// While the loop stands its values do.
json::value OfflineSequence::present(const json::object& params) {
  json::object values;
  try {
    for (const json::value& name : params.at("names").as_array()) {
      const std::string_view text = name.as_string();
      const server::Place place = desk_.names().find(text, present_kinds, "names");
      const std::lock_guard lock(recorded_.mutex);
      values[text] = place.kind == server::Kind::parameter
                         ? assembly_.plant->system().parameter(place.index)
                         : recorded_.values[column(place)];
    }
  } catch (const server::Refused& refused) {
    throw Failure{Failure::Kind::refused, refused.error.message};
  }
  return json::object{{"values", std::move(values)}};
}

}  // namespace hild::commands
