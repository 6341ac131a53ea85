// SPDX-License-Identifier: Apache-2.0
#include "control/server/run_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/object.hpp>
#include <cmath>
#include <limits>

#include "control/rpc/message.hpp"
#include "control/server/sequences.hpp"
#include "core/joined.hpp"
#include "recording/record/standstill_log.hpp"

namespace hild::server {
namespace {

using enum Level;

constexpr std::string_view level_words[] = {"quiet", "note", "fair", "bad"};

// What each topic may be.
constexpr std::string_view run_words[] = {"starting", "running", "stepping", "frozen", "ended"};
constexpr std::string_view plant_words[] = {"moves", "silent", "stood_still", "gone"};
constexpr std::string_view outputs_words[] = {"none", "armed", "disarmed"};
constexpr std::string_view alarms_words[] = {"none", "open"};
constexpr std::string_view faults_words[] = {"none", "falsified"};
constexpr std::string_view stimuli_words[] = {"none", "stimulated"};
constexpr std::string_view recording_words[] = {"none", "recording", "losing"};
constexpr std::string_view sequence_words[] = {"none",   "running", "ending",
                                               "passed", "failed",  "error"};
constexpr std::string_view guard_words[] = {"none", "off", "watching", "lost"};
constexpr std::string_view access_words[] = {"writable", "read-only"};
constexpr std::span<const std::string_view> may_be[] = {
    run_words,     plant_words,     outputs_words,  alarms_words, faults_words,
    stimuli_words, recording_words, sequence_words, guard_words,  access_words};

// Of the outputs while the plant is held or stepped.
std::string_view outputs_meanwhile(const exec::Mode& mode) {
  static constexpr std::string_view words[] = {"outputs hold", "outputs are at their safe values",
                                               "outputs are as declared"};
  return words[static_cast<std::size_t>(mode.outputs)];
}

std::string words_of_frozen(const exec::Mode& mode) {
  if (mode.limited) return "frozen by the overrun limit, until `resume` or `step`";
  if (mode.stepping) {
    return fmt::format("frozen, single-stepping: it moves by `step` alone until `resume`; {}",
                       outputs_meanwhile(mode));
  }
  return fmt::format("frozen, as asked for, until `resume` or `step`; {}", outputs_meanwhile(mode));
}

Topic run_topic(const Run& run, const exec::Image& image) {
  const std::string_view is = state_of(run, image);
  if (is == "ended") {
    const Ending ending = run.ending();
    return {"run", is, ending.exit_code == 0 ? note : bad,
            fmt::format("ended: {} Exit code {}", ending.words, ending.exit_code)};
  }
  if (is == "starting") return {"run", is, note, "starting: no step has ended yet"};
  if (is == "running") return {"run", is, quiet, "running"};
  if (is == "stepping") {
    return {"run", is, fair, "stepping: it takes the frames asked for, then it is frozen again"};
  }
  return {"run", is, image.mode.limited ? bad : fair, words_of_frozen(image.mode)};
}

// What lines carry follows from more than arming; this says whether they follow at all.
Topic outputs_topic(const Run& run, const exec::Image& image) {
  if (std::ranges::all_of(run.outputs, [](const Wire& w) { return w.where.empty(); })) {
    return {"outputs", "none", quiet, "none: no output is wired"};
  }
  if (run.ended.raised()) {
    if (run.ending().safe) {
      return {"outputs", "disarmed", note, "at their safe values, the run has ended"};
    }
    return {"outputs", "disarmed", bad, "not all at their safe values! The run has ended"};
  }
  if (!run.armed()) {
    return {"outputs", "disarmed", fair,
            "disarmed: they take their safe actions, whatever the plant makes"};
  }
  if (image.mode.outputs == exec::FrozenOutputs::hold) {
    return {"outputs", "armed", quiet, "armed: they follow the plant"};
  }
  return {"outputs", "armed", fair,
          fmt::format("armed, but not the plant's: {}", outputs_meanwhile(image.mode))};
}

// "output temperature is to be at most 360 K"
std::string allowed_by(const config::Alarm& a) {
  const double low = a.alarm.low;
  const double high = a.alarm.high;
  return fmt::format("{} is to be {}{}{}", a.signal,
                     std::isinf(low)    ? fmt::format("at most {:.6g}", high)
                     : std::isinf(high) ? fmt::format("at least {:.6g}", low)
                                        : fmt::format("{:.6g} to {:.6g}", low, high),
                     a.unit == "1" ? "" : " ", a.unit == "1" ? "" : a.unit);
}

// No values: words that change in every frame would be told in every frame.
Topic alarms_topic(const Run& run) {
  const exec::Alarms& alarms = run.loop.alarms();
  const exec::Alarms::Told told = alarms.told();
  if (told.open == 0) return {"alarms", "none", quiet, "none"};
  Topic topic{"alarms", "open", alarms.keep_disarmed() != 0 ? bad : fair, "open: "};
  for (std::size_t i = 0; i < run.alarms.size(); ++i) {
    if ((told.open >> i & 1U) == 0) continue;
    const config::Alarm& a = run.alarms[i];
    const bool active = (told.active >> i & 1U) != 0;
    const std::int64_t since = alarms.since(i);
    topic.words += fmt::format(
        "{}{}{}: {}, {}{}{}", topic.count++ == 0 ? "" : "; ", a.name,
        a.text.empty() ? "" : fmt::format(" ({})", a.text),
        active ? "active" : "over, waits for `acknowledge`", allowed_by(a),
        a.alarm.then == exec::Alarm::Then::disarm ? ", outputs are disarmed for it" : "",
        since < 0 ? "" : fmt::format(", since frame {}", since));
  }
  return topic;
}

std::string text_of(const json::object& entry, std::string_view key) {
  return std::string(entry.at(key).as_string());
}

std::string words_of_fault(const json::object& fault) {
  const bool of_signal = fault.contains("signal");
  std::string text =
      of_signal ? text_of(fault, "signal") + " " + text_of(fault, "kind") : text_of(fault, "fault");
  const auto* value = fault.if_contains("value");
  if (value != nullptr && value->is_number()) {
    text += fmt::format(" {:.6g}", value->to_number<double>());
  }
  if (const auto* until = fault.if_contains("until_frame")) {
    text += fmt::format(" until frame {}", until->as_int64());
  }
  return text;
}

std::string words_of_stimulus(const json::object& stimulus) {
  return fmt::format("{} {}{}", text_of(stimulus, "input"), text_of(stimulus, "shape"),
                     stimulus.at("replace").as_bool() ? " instead of what is sampled" : "");
}

/// What is in force: "none", or `is` with the words of each.
template <class Of>
Topic list_topic(std::string_view of, std::string_view is, Level level, const json::array& all,
                 Of of_one) {
  if (all.empty()) return {of, "none", quiet, "none"};
  const auto words = joined(all, ", ", [&](const auto& one) { return of_one(one.as_object()); });
  return {of, is, level, words, static_cast<std::int64_t>(all.size())};
}

Topic recording_topic(const Run& run) {
  bool records = false;
  std::int64_t lost = 0;
  std::string files;
  std::string problems;
  const auto add = [](std::string& to, const std::string& words, std::string_view between) {
    if (!words.empty()) to += fmt::format("{}{}", to.empty() ? "" : between, words);
  };
  for (const Run::Recorder& one : run.recorders()) {
    lost += one.lost;
    add(problems, one.error, "; ");
    if (one.state == "idle") continue;
    records = true;
    add(files, one.state == "recording" ? one.file : one.name + ": begins", ", ");
  }
  if (records) lost += run.loop.statistics().records_dropped.get();
  if (!records && problems.empty() && lost == 0) return {"recording", "none", quiet, "none"};
  const bool losing = lost > 0 || !problems.empty();
  std::string words = files.empty() ? "none" : std::move(files);
  if (lost > 0)
    words += fmt::format(": {} frames are not in {}", lost, records ? "it" : "its files");
  add(words, problems, "; ");
  return {"recording", losing ? "losing" : "recording", losing ? bad : quiet, std::move(words),
          lost};
}

// What is told of each step is no matter of the run: `sequences` has it.
Topic sequence_topic(const Sequences& sequences) {
  const std::string_view is = sequences.is();
  const bool usual = is == "none" || is == "passed";
  return {"sequence", is, usual ? quiet : note, sequences.words()};
}

Topic guard_topic(const Run& run) {
  static constexpr std::pair<Level, const char*> states[] = {
      {quiet, "none: nothing is driven"},
      {fair, "off: nobody makes the outputs safe if the daemon dies or hangs"},
      {quiet, "watching"},
      {bad, "lost: the guard of the outputs died, the run ends"}};
  const auto at = static_cast<std::size_t>(run.guard());
  return {"guard", guard_words[at], states[at].first, states[at].second};
}

Topic access_topic(bool writing) {
  if (writing) return {"access", "writable", quiet, "writable"};
  return {"access", "read-only", note, "read-only: control.writing is false"};
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

/// The value the plant gets, or computes, and that the line carries; not a number: there is no
/// line.
using Values = std::pair<double, double>;

Values input_values(const Run& run, const exec::Image& image, std::size_t index) {
  const bool wired = !run.inputs[index].where.empty();
  return {image.inputs[index],
          wired ? image.sampled[index] : std::numeric_limits<double>::quiet_NaN()};
}

// What keeps a line from the plant's value comes in this order: the last one decides.
template <class Add>
Values output_values(const Run& run, const exec::Image& image, std::size_t index, Add add) {
  const Wire& wire = run.outputs[index];
  const double plant = image.own[index];
  const double wanted = image.outputs[index];
  double line = image.lines[index];
  if (image.mode.outputs == exec::FrozenOutputs::declared && !same(plant, wanted)) {
    add("declared while frozen");
  }
  if (wire.where.empty()) return {plant, line};
  if (run.ended.raised()) {
    line = wire.safe.value_or(line);
    add("the run has ended");
  } else if (!run.armed()) {
    add("disarmed");
  } else if (image.mode.outputs == exec::FrozenOutputs::safe) {
    add("safe while frozen");
  } else if (!(wanted >= wire.limits.low && wanted <= wire.limits.high)) {
    add("cut to the limits of the line");
  } else if (image.mode.moving && !same(line, wanted)) {
    add("on its way: ramp or slew limit");
  }
  return {plant, line};
}

}  // namespace

std::string_view state_of(const Run& run, const exec::Image& image) noexcept {
  if (run.ended.raised()) return run_words[4];
  if (image.frame < 0) return run_words[0];
  if (image.frozen) return run_words[3];
  return run_words[image.mode.stepping ? 2 : 1];
}

// A single answer that is late is no silence: a tenth of a second of them is.
Topic plant_topic(const Run& run) {
  const exec::Statistics& s = run.loop.statistics();
  if (s.model_gone.get() != 0) {
    return {"plant", "gone", bad,
            fmt::format("gone: {}; what it had last holds",
                        record::why_it_stood(exec::Limit::gone, {}, {}, run.model_ending()))};
  }
  if (s.standstills.get() > 0 && !run.armed()) {
    return {
        "plant", "stood_still", bad,
        fmt::format("stood still: {}; outputs are safe until they are armed",
                    record::why_it_stood(s, run.settings.overrun.standstill, run.model_ending()))};
  }
  const std::int64_t since = s.unanswered_since.get();
  const double patience = std::max(2.0, run.settings.grid.rate_hz() / 10);
  if (since >= 0 && static_cast<double>(s.frames.get() - since) > patience) {
    return {"plant", "silent", bad,
            fmt::format("silent: its model has not answered since frame {}; what it had last holds",
                        since)};
  }
  return {"plant", "moves", quiet, "moves"};
}

json::array faults_of(const Context& c, const exec::Image& image) {
  json::array all = c.active.overrides(c.names, image.frame);
  for (json::value& one : c.active.injected(c.names, image.frame)) all.push_back(std::move(one));
  return all;
}

std::vector<Topic> topics_of(const Context& c, const exec::Image& image) {
  std::vector<Topic> topics{
      run_topic(c.run, image),
      plant_topic(c.run),
      outputs_topic(c.run, image),
      alarms_topic(c.run),
      list_topic("faults", "falsified", fair, faults_of(c, image), words_of_fault),
      list_topic("stimuli", "stimulated", note, c.active.stimuli(c.names, image.time),
                 words_of_stimulus),
      recording_topic(c.run),
      sequence_topic(c.sequences),
      guard_topic(c.run),
      access_topic(c.writing)};
  for (std::size_t i = 0; i < topics.size(); ++i) topics[i].may_be = may_be[i];
  return topics;
}

json::array told(std::span<const Topic> topics) {
  json::array all;
  for (const Topic& t : topics) {
    all.push_back({{"of", t.of},
                   {"is", t.is},
                   {"level", level_words[static_cast<std::size_t>(t.level)]},
                   {"words", t.words}});
  }
  return all;
}

json::value ending_of(const Run& run) {
  if (!run.ended.raised()) return nullptr;
  const Ending e = run.ending();
  return json::object{{"outcome", e.outcome},
                      {"words", e.words},
                      {"next", e.next},
                      {"exit_code", e.exit_code},
                      {"outputs_safe", e.safe}};
}

json::value difference(const Context& c, const exec::Image& image, Place place) {
  const bool of_wires = place.kind == Kind::input || place.kind == Kind::output;
  if (image.frame < 0 || !of_wires) return nullptr;
  std::string why = c.active.words(place, image.frame, image.time);
  const auto add = [&](std::string_view reason) {
    why += fmt::format("{}{}", why.empty() ? "" : ", ", reason);
  };
  const auto [plant, line] = place.kind == Kind::input
                                 ? input_values(c.run, image, place.index)
                                 : output_values(c.run, image, place.index, add);
  if (why.empty()) return nullptr;
  return {{"plant", rpc::number(plant)}, {"line", rpc::number(line)}, {"why", why}};
}

}  // namespace hild::server
