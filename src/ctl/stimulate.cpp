// SPDX-License-Identifier: Apache-2.0
/// `hildctl stimulate` and `hildctl quiet`: signals made by the run.
#include <fmt/format.h>

#include <boost/json.hpp>

#include "ctl/arguments.hpp"
#include "ctl/commands.hpp"
#include "ctl/table_file.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;

struct StimulateArguments {
  Common common;
  std::string input;
  std::string shape;
  std::string offset;
  std::string amplitude;
  std::string frequency;
  std::string frequency_end;
  std::string phase;
  std::string over;
  std::string duration;
  std::string table;
  bool replace = false;
  When when;
};

Reply<json::object> params_of(const StimulateArguments& a) {
  json::object params{{"input", a.input}, {"shape", a.shape}};
  if (a.replace) params["replace"] = true;
  const std::pair<const char*, const std::string&> quantities[] = {
      {"offset", a.offset},          {"amplitude", a.amplitude},
      {"frequency_hz", a.frequency}, {"frequency_end_hz", a.frequency_end},
      {"phase_rad", a.phase},        {"over_s", a.over},
      {"duration_s", a.duration}};
  for (const auto& [key, text] : quantities) {
    if (!text.empty()) params[key] = value_of(text);
  }
  if (!a.table.empty()) {
    auto table = read_table(a.table);
    if (!table) return tl::make_unexpected(table.error());
    params["table"] = std::move(*table);
  }
  if (auto put = put_when(a.when, params); !put) return tl::make_unexpected(put.error());
  return params;
}

Exit stimulate(StimulateArguments a) {
  const auto params = params_of(a);
  if (!params) return complain(a.common, params.error());
  a.common.waits = a.when.later();
  return perform(a.common, "stimulate", *params, print_effect);
}

Exit quiet(StimulateArguments a) {
  json::object params{{"input", a.input}};
  if (auto put = put_when(a.when, params); !put) return complain(a.common, put.error());
  a.common.waits = a.when.later();
  return perform(a.common, "quiet", params, print_effect);
}

void add_shape_options(CLI::App& command, StimulateArguments& a) {
  command.add_option("--amplitude", a.amplitude, "in the input's unit, or with its own")
      ->type_name("VALUE");
  command.add_option("--offset", a.offset, "added to the shape")->type_name("VALUE");
  command.add_option("--frequency", a.frequency, "of sine and chirp, in Hz")->type_name("HZ");
  command.add_option("--frequency-end", a.frequency_end, "of chirp, in Hz")->type_name("HZ");
  command.add_option("--phase", a.phase, "of sine and chirp, in rad")->type_name("RAD");
  command.add_option("--over", a.over, "how long ramp and chirp take, in s")->type_name("S");
  command.add_option("--duration", a.duration, "ends after so long; default: until it is quieted")
      ->type_name("S");
  command
      .add_option("--table", a.table,
                  "of playback: lines of a time in s and a value, separated by a comma; the "
                  "amplitude (default 1) times the value")
      ->type_name("FILE.csv");
  command.add_flag("--replace", a.replace, "instead of what was sampled; default: added to it");
}

}  // namespace

void add_stimulate(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand(
      "stimulate",
      "drive an input by a signal that the run makes: step, ramp, sine, chirp, playback");
  const auto a = std::make_shared<StimulateArguments>();
  command->add_option("INPUT", a->input, "an input of the model")->required();
  command->add_option("SHAPE", a->shape, "step, ramp, sine, chirp or playback")
      ->check(CLI::IsMember({"step", "ramp", "sine", "chirp", "playback"}))
      ->required();
  add_shape_options(*command, *a);
  add_when_options(*command, a->when, true);
  add_common_options(*command, a->common);
  command->footer(
      "Examples: hildctl stimulate load_torque step --amplitude '60 mNm' --replace\n"
      "          hildctl stimulate load_torque sine --amplitude 0.01 --frequency 2 --duration 5");
  command->callback([=, &exit] { exit = stimulate(*a); });
}

void add_quiet(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand("quiet", "stop the stimulus of an input");
  const auto a = std::make_shared<StimulateArguments>();
  command->add_option("INPUT", a->input, "an input of the model")->required();
  add_when_options(*command, a->when, true);
  add_common_options(*command, a->common);
  command->footer("Example: hildctl quiet load_torque");
  command->callback([=, &exit] { exit = quiet(*a); });
}

}  // namespace hild::ctl
