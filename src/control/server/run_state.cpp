// SPDX-License-Identifier: Apache-2.0
#include "control/server/run_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <boost/json/object.hpp>
#include <cmath>
#include <limits>

#include "control/rpc/reply.hpp"
#include "recording/record/standstill_log.hpp"

namespace hild::server {
namespace {

namespace json = boost::json;
using Words = std::span<const std::string_view>;

constexpr std::array<std::string_view, 5> run_words{"starting", "running", "stepping", "frozen",
                                                    "ended"};
constexpr std::array<std::string_view, 4> plant_words{"moves", "silent", "stood_still", "gone"};
constexpr std::array<std::string_view, 3> outputs_words{"none", "armed", "disarmed"};
constexpr std::array<std::string_view, 2> faults_words{"none", "falsified"};
constexpr std::array<std::string_view, 2> stimuli_words{"none", "stimulated"};
constexpr std::array<std::string_view, 3> recording_words{"none", "recording", "losing"};
constexpr std::array<std::string_view, 4> guard_words{"none", "off", "watching", "lost"};
constexpr std::array<std::string_view, 2> access_words{"writable", "read-only"};

// Of the outputs while the plant is held or stepped.
std::string_view outputs_meanwhile(const exec::Mode& mode) {
  switch (mode.outputs) {
    case exec::FrozenOutputs::safe:
      return "outputs are at their safe values";
    case exec::FrozenOutputs::declared:
      return "outputs are as declared";
    default:
      return "outputs hold";
  }
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
  Topic t{.of = "run", .is = state_of(run, image), .words = {}, .may_be = run_words};
  if (t.is == "ended") {
    const Ending ending = run.ending();
    t.level = ending.exit_code == 0 ? Level::note : Level::bad;
    t.words = fmt::format("ended: {} Exit code {}", ending.words, ending.exit_code);
  } else if (t.is == "starting") {
    t.level = Level::note;
    t.words = "starting: no step has ended yet";
  } else if (t.is == "running") {
    t.words = "running";
  } else if (t.is == "stepping") {
    t.level = Level::fair;
    t.words = "stepping: it takes the frames asked for, then it is frozen again";
  } else {
    t.level = image.mode.limited ? Level::bad : Level::fair;
    t.words = words_of_frozen(image.mode);
  }
  return t;
}

// What lines carry follows from more than arming; this says whether they follow at all.
Topic outputs_topic(const Run& run, const exec::Image& image) {
  Topic t{
      .of = "outputs", .is = "none", .words = "none: no output is wired", .may_be = outputs_words};
  if (std::ranges::all_of(run.outputs, [](const Wire& w) { return w.where.empty(); })) return t;
  if (run.ended.raised()) {
    const bool safe = run.ending().safe;
    t.is = "disarmed";
    t.level = safe ? Level::note : Level::bad;
    t.words = safe ? "at their safe values, the run has ended"
                   : "not all at their safe values! The run has ended";
  } else if (!run.armed()) {
    t.is = "disarmed";
    t.level = Level::fair;
    t.words = "disarmed: they take their safe actions, whatever the plant makes";
  } else {
    t.is = "armed";
    const bool own = image.mode.outputs == exec::FrozenOutputs::hold;
    t.level = own ? Level::quiet : Level::fair;
    t.words = own ? "armed: they follow the plant"
                  : fmt::format("armed, but not the plant's: {}", outputs_meanwhile(image.mode));
  }
  return t;
}

std::string text_of(const json::object& entry, std::string_view key) {
  return std::string(entry.at(key).as_string());
}

std::string words_of_fault(const json::object& fault) {
  std::string text = text_of(fault, "signal") + " " + text_of(fault, "kind");
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

template <class Of>
Topic list_topic(std::string_view of, Words may_be, Level level, const json::array& all,
                 Of of_one) {
  Topic t{.of = of, .is = may_be[all.empty() ? 0 : 1], .words = {}, .may_be = may_be};
  t.count = static_cast<std::int64_t>(all.size());
  for (const json::value& one : all) {
    t.words += (t.words.empty() ? "" : ", ") + of_one(one.as_object());
  }
  if (all.empty()) t.words = "none";
  if (!all.empty()) t.level = level;
  return t;
}

Topic recording_topic(const Run& run) {
  Topic t{.of = "recording", .is = "none", .words = "none", .may_be = recording_words};
  const auto recording = run.recording();
  if (!recording) return t;
  t.count = recording->lost + run.loop.statistics().records_dropped.get();
  const bool losing = t.count > 0 || !recording->error.empty();
  t.is = losing ? "losing" : "recording";
  t.level = losing ? Level::bad : Level::quiet;
  t.words = recording->file;
  if (t.count > 0) t.words += fmt::format(": {} frames are not in it", t.count);
  if (!recording->error.empty()) t.words += "; " + recording->error;
  return t;
}

Topic guard_topic(const Run& run) {
  Topic t{.of = "guard", .is = "none", .words = {}, .may_be = guard_words};
  const Guarding guarding = run.guard();
  t.is = guard_words[static_cast<std::size_t>(guarding)];
  switch (guarding) {
    case Guarding::none:
      t.words = "none: nothing is driven";
      break;
    case Guarding::off:
      t.level = Level::fair;
      t.words = "off: nobody makes the outputs safe if the daemon dies or hangs";
      break;
    case Guarding::watching:
      t.words = "watching";
      break;
    case Guarding::lost:
      t.level = Level::bad;
      t.words = "lost: the guard of the outputs died, the run ends";
      break;
  }
  return t;
}

Topic access_topic(bool writing) {
  return {.of = "access",
          .is = access_words[writing ? 0 : 1],
          .level = writing ? Level::quiet : Level::note,
          .words = writing ? "writable" : "read-only: control.writing is false",
          .may_be = access_words};
}

bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

}  // namespace

std::string_view to_string(Level l) noexcept {
  static constexpr std::array<std::string_view, 4> words{"quiet", "note", "fair", "bad"};
  return words[static_cast<std::size_t>(l)];
}

std::string_view state_of(const Run& run, const exec::Image& image) noexcept {
  if (run.ended.raised()) return run_words[4];
  if (image.frame < 0) return run_words[0];
  if (image.frozen) return run_words[3];
  return run_words[image.mode.stepping ? 2 : 1];
}

// A single answer that is late is no silence: a tenth of a second of them is.
Topic plant_topic(const Run& run) {
  const exec::Statistics& s = run.loop.statistics();
  const exec::OverrunSettings& overrun = run.settings.overrun;
  Topic t{.of = "plant", .is = "moves", .level = Level::bad, .words = {}, .may_be = plant_words};
  const std::int64_t since = s.unanswered_since.get();
  const double patience = std::max(2.0, run.settings.grid.rate_hz() / 10);
  if (s.model_gone.get() != 0) {
    t.is = "gone";
    t.words = fmt::format("gone: {}; what it had last holds",
                          record::why_it_stood(exec::Limit::gone, {}, {}, run.model_ending()));
  } else if (s.standstills.get() > 0 && !run.armed()) {
    t.is = "stood_still";
    t.words = fmt::format("stood still: {}; outputs are safe until they are armed",
                          record::why_it_stood(s, overrun.standstill, run.model_ending()));
  } else if (since >= 0 && static_cast<double>(s.frames.get() - since) > patience) {
    t.is = "silent";
    t.words = fmt::format(
        "silent: its model has not answered since frame {}; what it had last "
        "holds",
        since);
  } else {
    t.level = Level::quiet;
    t.words = "moves";
  }
  return t;
}

std::vector<Topic> topics_of(const Context& c, const exec::Image& image) {
  return {run_topic(c.run, image),
          plant_topic(c.run),
          outputs_topic(c.run, image),
          list_topic("faults", faults_words, Level::fair, c.active.overrides(c.names, image.frame),
                     words_of_fault),
          list_topic("stimuli", stimuli_words, Level::note, c.active.stimuli(c.names, image.time),
                     words_of_stimulus),
          recording_topic(c.run),
          guard_topic(c.run),
          access_topic(c.writing)};
}

json::array told(std::span<const Topic> topics) {
  json::array all;
  for (const Topic& t : topics) {
    all.push_back({{"of", t.of}, {"is", t.is}, {"level", to_string(t.level)}, {"words", t.words}});
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

Differences::Differences(const Context& context, const exec::Image& image)
    : context_(context),
      image_(image),
      overrides_(context.active.overrides(context.names, image.frame)),
      stimuli_(context.active.stimuli(context.names, image.time)),
      armed_(context.run.armed()),
      ended_(context.run.ended.raised()) {}

Difference Differences::of(Place place) const {
  if (image_.frame < 0) return {};
  if (place.kind == Kind::input) return of_input(place.index);
  if (place.kind == Kind::output) return of_output(place.index);
  return {};
}

json::value Differences::json_of(Place place) const {
  const Difference d = of(place);
  if (d.why.empty()) return nullptr;
  return json::object{
      {"plant", rpc::number(d.plant)}, {"line", rpc::number(d.line)}, {"why", d.why}};
}

std::string Differences::falsified(Place place) const {
  const std::string name = context_.names.shortest(place);
  std::string why;
  const auto add = [&](const json::array& all, std::string_view who, std::string_view what,
                       std::string_view word) {
    for (const json::value& one : all) {
      if (one.at(who).as_string() != name) continue;
      why += fmt::format("{}{} {}", why.empty() ? "" : ", ", word, text_of(one.as_object(), what));
    }
  };
  add(overrides_, "signal", "kind", "fault");
  if (place.kind == Kind::input) add(stimuli_, "input", "shape", "stimulus");
  return why;
}

Difference Differences::of_input(std::size_t index) const {
  const bool wired = !context_.run.inputs[index].where.empty();
  return {.why = falsified({Kind::input, index}),
          .plant = image_.inputs[index],
          .line = wired ? image_.sampled[index] : std::numeric_limits<double>::quiet_NaN()};
}

// What keeps a line from the plant's value comes in this order: the last one decides.
Difference Differences::of_output(std::size_t index) const {
  const Wire& wire = context_.run.outputs[index];
  Difference d{.why = falsified({Kind::output, index}),
               .plant = image_.own[index],
               .line = image_.lines[index]};
  const auto add = [&](std::string_view why) {
    d.why += fmt::format("{}{}", d.why.empty() ? "" : ", ", why);
  };
  if (image_.mode.outputs == exec::FrozenOutputs::declared &&
      !same(d.plant, image_.outputs[index])) {
    add("declared while frozen");
  }
  if (wire.where.empty()) return d;
  const double wanted = image_.outputs[index];
  if (ended_) {
    d.line = wire.safe.value_or(d.line);
    add("the run has ended");
  } else if (!armed_) {
    add("disarmed");
  } else if (image_.mode.outputs == exec::FrozenOutputs::safe) {
    add("safe while frozen");
  } else if (!(wanted >= wire.limits.low && wanted <= wire.limits.high)) {
    add("cut to the limits of the line");
  } else if (image_.mode.moving && !same(d.line, wanted)) {
    add("on its way: ramp or slew limit");
  }
  return d;
}

}  // namespace hild::server
