// SPDX-License-Identifier: Apache-2.0
#include "cli/main/replay_branch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json.hpp>
#include <variant>

#include "cli/main/commands.hpp"
#include "cli/main/recording.hpp"
#include "cli/report/outcome.hpp"
#include "cli/report/write_file.hpp"
#include "cli/terminal/print.hpp"
#include "exec/pass_inputs.hpp"
#include "hild/core/units.hpp"
#include "offline/replay/changes_before.hpp"
#include "recording/framelog/changes.hpp"

namespace hild::commands {
namespace {

namespace json = boost::json;

// A bare number, or a text with its unit.
json::value value_in(std::string_view text) {
  const auto split = split_quantity(text);
  return split && split->unit.empty() ? json::value(split->number) : json::value(text);
}

json::object set_of(const std::vector<std::string>& settings) {
  json::object values;
  for (const std::string& setting : settings) {
    const auto equals = setting.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == setting.size()) {
      throw Error{fmt::format(
          "--set {}: expected PARAMETER=VALUE with --at, for example --set 'inertia=8e-4 kg m2'",
          setting)};
    }
    if (!values.emplace(setting.substr(0, equals), value_in(setting.substr(equals + 1))).second) {
      throw Error{fmt::format("--set {}: there twice, expected once", setting.substr(0, equals))};
    }
  }
  return values;
}

json::object entry_of(const std::string& text) {
  boost::system::error_code error;
  json::value parsed = json::parse(text, error);
  if (error || !parsed.is_object() || parsed.get_object().size() != 1) {
    throw Error{fmt::format(
        "--change {}: expected {{METHOD: params}} as JSON, for example --change '{{\"stimulate\": "
        "{{\"input\": \"load_torque\", \"shape\": \"step\", \"amplitude\": 0.1}}}}'",
        text)};
  }
  return std::move(parsed.get_object());
}

// What would make its frames others than those that were recorded, or has no effect.
std::string_view refused(const exec::Change& change) {
  if (std::holds_alternative<exec::Freeze>(change) ||
      std::holds_alternative<exec::StepFrames>(change) ||
      std::holds_alternative<exec::Resume>(change)) {
    return "a branch has the frames of the recorded run: it can be held there alone";
  }
  return {};
}

bool is_of_device(std::string_view method) { return method == "inject" || method == "clear"; }

}  // namespace

BranchRun::BranchRun(const BranchArguments& a, const std::vector<std::string>& settings,
                     const std::string& log, const plan::Assembly& assembly,
                     const replay::LogSource& recording, SimTime at)
    : a_(a), log_file_(log), assembly_(assembly), head_(recording.head()) {
  plan_.at = at;
  plan_.keyframes = assembly.config.settings.keyframes.every;
  answer_.of.file = log;
  answer_.of.start_ns = head_.description.clock.realtime_ns;
  read_changes(settings);
  if (changes_.transaction.count > 0) plan_.changes.push_back(changes_.transaction);
  if (!a.plot.empty()) curves_.emplace(head_.frame_signals);
}

void BranchRun::read_changes(const std::vector<std::string>& settings) {
  json::array entries;
  if (!settings.empty()) {
    entries.emplace_back(json::object{{"set", json::object{{"values", set_of(settings)}}}});
  }
  for (const std::string& text : a_.changes) {
    json::object entry = entry_of(text);
    if (is_of_device(entry.begin()->key())) {
      throw Error{fmt::format(
          "--change {}: what devices gave is recorded, faults included: expected a change of "
          "signals or parameters",
          text)};
    }
    entries.emplace_back(std::move(entry));
  }
  if (entries.empty()) return;
  const model::Description& model = assembly_.config.model.description;
  const server::Names names(model, {}, assembly_.config.alarms);
  auto read = server::read_changes({names, model}, entries);
  if (!read) throw Error{fmt::format("--at, with {}", read.error().message)};
  for (const exec::Change& change : read->transaction.changes()) {
    if (const auto why = refused(change); !why.empty()) {
      throw Error{fmt::format("--change: {}", why)};
    }
  }
  changes_ = std::move(*read);
  answer_.of.changes.reserve(entries.size());
  for (const json::value& entry : entries) answer_.of.changes.push_back(json::serialize(entry));
}

void BranchRun::begin(const io::FrameHeader& first, const exec::Keyframe* state,
                      std::int64_t transactions) {
  answer_.of.step = first.step;
  answer_.of.frame = first.frame;
  answer_.of.time = first.t;
  if (a_.record.empty()) return;
  if (const auto begun = record(first, state, transactions); !begun) {
    failure_ = begun.error().message;
  }
}

// Its clock, its signals and its configuration are those of the run; the bits are this program's.
Result<void> BranchRun::record(const io::FrameHeader& first, const exec::Keyframe* state,
                               std::int64_t transactions) {
  if (state == nullptr && first.step > 0) {
    return fail(
        "--record: the state of the plant cannot be saved, with which the recording would begin; "
        "branch off at its start (--at 0)");
  }
  auto output = mcap::FileOutput::create(a_.record, mcap::FileOutput::Existing::refuse);
  if (!output) return fail("--record: {}; write another name", output.error().message);
  answer_.of.begins_at = first.step;
  answer_.file = a_.record;
  framelog::Description d = head_.description;
  d.program = "hild " HILD_VERSION;
  d.build = framelog::this_build(HILD_VERSION);
  d.machine = framelog::this_machine();
  d.models = model_files(assembly_.config);
  d.signals = head_.frame_signals;
  d.images = {assembly_.bus->sampled_inputs(),
              exec::image_rule(assembly_.config.settings, assembly_.method->order)};
  d.branch = answer_.of;
  // As that of all steps was, of which there is one: this is its recording.
  const auto& recorders = assembly_.config.recorders;
  config::Record settings = *std::ranges::find_if(
      recorders, [](const config::Record& one) { return one.all_frames && !one.trigger; });
  settings.file = a_.record;
  settings.rotation = {};
  framelog::LogOptions options;
  options.wait = true;
  options.first_step = first.step;
  options.start = first.due;
  auto log = framelog::FrameLog::create(std::make_unique<mcap::FileOutput>(std::move(*output)), d,
                                        head_.frame_layout, settings, std::move(options));
  if (!log) return tl::make_unexpected(log.error());
  file_ = std::move(*log);
  noted_ = transactions;
  auto before = replay::changes_before(log_file_, transactions);
  if (!before) return fail("--record: {}", before.error().message);
  for (const framelog::Effect& effect : *before) {
    file_->changed({effect.number, framelog::write_effect(effect)});
  }
  if (state != nullptr) file_->keyframe(state->view());
  return {};
}

void BranchRun::keyframe(const exec::Keyframe& keyframe) {
  if (file_) file_->keyframe(keyframe.view());
}

void BranchRun::changed(const exec::Transaction& transaction, const exec::Reply& reply) {
  if (file_) file_->changed({++noted_, framelog::write_effect(transaction, reply)});
}

void BranchRun::step(const io::FrameView& was, const io::FrameView& is) {
  if (file_) file_->frame(is);
  if (curves_ && !is.header().frozen) {
    curves_->add(head_.description.clock.end_of(is.header()), was, is);
  }
}

BranchAnswer BranchRun::finish(std::int64_t images_repeated, const exec::Outcome& outcome,
                               bool problem) {
  if (file_) {
    file_->flush();
    answer_.problem = file_->status().error;
  }
  if (!failure_.empty()) throw Error{failure_};
  answer_.images_repeated = images_repeated;
  if (!problem && outcome.end != exec::End::requested && outcome.end != exec::End::duration) {
    report::OutcomeFacts facts;
    facts.config = assembly_.config.file;
    facts.plant = &assembly_.config.model.description;
    facts.overrun = assembly_.config.settings.overrun;
    facts.interlocks = assembly_.config.interlocks;
    facts.alarms = assembly_.config.alarms;
    answer_.ended = report::verdict(outcome, facts).what;
  }
  if (curves_) {
    needed(report::write_file(
        a_.plot, curves_->svg(fmt::format("{} from frame {}", log_file_, answer_.of.frame),
                              "recorded", "branch")));
    answer_.plot = a_.plot;
  }
  return answer_;
}

}  // namespace hild::commands
