// SPDX-License-Identifier: Apache-2.0
/// \file
/// The steps that change the run, as params of the methods of docs/control.md.
#include <array>

#include "sequence/step_reader.hpp"

namespace hild::sequence {
namespace {

namespace json = boost::json;

constexpr std::int64_t last_slot = 7;
constexpr std::int64_t most_frames = 1'000'000'000;
constexpr std::int64_t last_label = 4'294'967'295;
const std::vector<Kind> signals{Kind::input, Kind::output};

constexpr std::array<const char*, 5> fault_kinds{"stuck", "offset", "gain", "noise", "dropout"};
constexpr std::array<const char*, 5> shapes{"step", "ramp", "sine", "chirp", "playback"};
constexpr std::array<const char*, 3> frozen_outputs{"hold", "safe", "declared"};

}  // namespace

Change StepReader::change(std::string_view keyword) {
  if (keyword == "set") return set();
  if (keyword == "fault") return fault();
  if (keyword == "release") return release();
  if (keyword == "stimulate") return stimulate();
  if (keyword == "quiet") return quiet();
  if (keyword == "freeze") return freeze();
  if (keyword == "restore") return restore();
  if (keyword == "step") {
    return {"step", {{"frames", options_.integer("step", 1, most_frames)}}};
  }
  if (keyword == "save") return {"save", {{"slot", options_.integer("save", 0, last_slot)}}};
  if (keyword == "mark") return {"mark", {{"label", options_.integer("mark", 1, last_label)}}};
  nothing_under(keyword);  // resume, reset
  Change bare{std::string(keyword)};
  if (keyword == "reset") flag("parameters", bare.params);
  return bare;
}

Change StepReader::set() {
  Change set{"set", {{"values", values("set", {Kind::parameter})}}};
  flag("restart", set.params);
  return set;
}

Change StepReader::fault() {
  const Named* signal = named("fault", signals);
  Change fault{"override", {{"signal", options_.text("fault")}}};
  const auto kind = options_.choice("kind", {"stuck", "offset", "gain", "noise", "dropout"});
  fault.params["kind"] = fault_kinds[kind];
  const std::string_view word = fault_kinds[kind];
  if (word == "gain") {
    fault.params["value"] = options_.number("value", "1");
  } else if (word != "dropout") {
    fault.params["value"] = value("value", signal);
  }
  if (word == "noise" && options_.has("seed")) {
    fault.params["seed"] = options_.integer("seed", 0, INT64_MAX);
  }
  fault.lasts = options_.duration("for", Duration{});
  flag("restart", fault.params);
  return fault;
}

Change StepReader::release() {
  static_cast<void>(named("release", signals));
  Change release{"release", {{"signal", options_.text("release")}}};
  flag("restart", release.params);
  return release;
}

Change StepReader::quiet() {
  static_cast<void>(named("quiet", {Kind::input}));
  Change quiet{"quiet", {{"input", options_.text("quiet")}}};
  flag("restart", quiet.params);
  return quiet;
}

Change StepReader::stimulate() {
  const Named* input = named("stimulate", {Kind::input});
  Change change{"stimulate", {{"input", options_.text("stimulate")}}};
  json::object& params = change.params;
  const std::string_view shape =
      shapes[options_.choice("shape", {"step", "ramp", "sine", "chirp", "playback"})];
  params["shape"] = shape;
  flag("replace", params);
  if (options_.has("offset")) params["offset"] = value("offset", input);
  params["amplitude"] = value("amplitude", input);
  const bool turns = shape == "sine" || shape == "chirp";
  if (turns) params["frequency_hz"] = options_.number("frequency", "Hz");
  if (turns) params["phase_rad"] = options_.number("phase", "rad", 0.0);
  if (shape == "chirp") params["frequency_end_hz"] = options_.number("frequency_end", "Hz");
  if (shape == "chirp" || shape == "ramp") params["over_s"] = seconds(options_.duration("over"));
  if (shape == "playback") read_table(params);
  if (options_.has("for")) params["duration_s"] = seconds(options_.duration("for"));
  flag("restart", params);
  return change;
}

/// table: {times: [0 s, 1 s], values: [0, 1]}: the amplitude has the unit.
void StepReader::read_table(json::object& params) {
  config::YamlOptions& table = options_.section("table");
  const std::vector<double> times = table.numbers("times", "s");
  const std::vector<double> values = table.numbers("values", "1");
  if (times.empty() || times.size() != values.size()) {
    table.reject("values", fmt::format("found {} values at {} times, expected as many, at least 1",
                                       values.size(), times.size()));
  }
  params["table"] = {{"times_s", json::array(times.begin(), times.end())},
                     {"values", json::array(values.begin(), values.end())}};
}

Change StepReader::freeze() {
  Change freeze{"freeze"};
  std::size_t outputs = 0;
  if (options_.has("freeze") && node_.find("freeze")->kind != config::Node::Kind::empty) {
    outputs = options_.choice("freeze", {"hold", "safe", "declared"});
  }
  freeze.params["outputs"] = frozen_outputs[outputs];
  if (outputs == 2) freeze.params["values"] = values("values", {Kind::output});
  return freeze;
}

Change StepReader::restore() {
  Change restore{"restore", {{"slot", options_.integer("restore", 0, last_slot)}}};
  flag("parameters", restore.params);
  return restore;
}

}  // namespace hild::sequence
