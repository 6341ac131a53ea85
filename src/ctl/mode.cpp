// SPDX-License-Identifier: Apache-2.0
/// `hildctl freeze`, `step` and `resume`.
#include <boost/json.hpp>

#include "ctl/arguments.hpp"
#include "ctl/commands.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;

struct ModeArguments {
  Common common;
  std::string outputs;
  std::vector<std::string> values;
  std::int64_t frames = 1;
  bool freeze = false;
  When when;
};

Exit change(ModeArguments& a, std::string_view method, json::object params) {
  if (auto put = put_when(a.when, params); !put) return complain(a.common, put.error());
  a.common.waits = a.when.later();
  return perform(a.common, method, params, print_effect);
}

Exit freeze(ModeArguments a) {
  json::object params;
  if (!a.outputs.empty()) params["outputs"] = a.outputs;
  if (!a.values.empty()) {
    auto values = values_of(a.values, "OUTPUT=VALUE, such as shaft_speed=0");
    if (!values) return complain(a.common, values.error());
    params["outputs"] = "declared";
    params["values"] = std::move(*values);
  }
  return change(a, "freeze", std::move(params));
}

}  // namespace

void add_freeze(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand("freeze", "hold the plant; real time goes on");
  const auto a = std::make_shared<ModeArguments>();
  auto* outputs = command
                      ->add_option("--outputs", a->outputs,
                                   "hold: they stay as they are (default); safe: they take their "
                                   "safe values")
                      ->check(CLI::IsMember({"hold", "safe"}));
  command->add_option("SETTING", a->values, "outputs that take a value while the plant is held")
      ->type_name("OUTPUT=VALUE ...")
      ->excludes(outputs);
  add_when_options(*command, a->when, false);
  add_common_options(*command, a->common);
  command->footer(
      "Examples: hildctl freeze --outputs safe\n"
      "          hildctl freeze shaft_speed=0");
  command->callback([=, &exit] { exit = freeze(*a); });
}

void add_step(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand("step", "advance a frozen plant by some frames");
  const auto a = std::make_shared<ModeArguments>();
  command->add_option("FRAMES", a->frames, "how many; default: 1")->check(CLI::PositiveNumber);
  command->add_flag("--freeze", a->freeze,
                    "also a plant that runs: it takes these frames and is frozen then");
  add_when_options(*command, a->when, false);
  add_common_options(*command, a->common);
  command->footer(
      "A plant that runs is not stepped unless it may be frozen: `hildctl freeze` first, or "
      "--freeze.\nExample: hildctl step 10");
  command->callback([=, &exit] {
    json::object params{{"frames", a->frames}};
    if (a->freeze) params["freeze"] = true;
    exit = change(*a, "step", std::move(params));
  });
}

void add_resume(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand("resume", "let a frozen plant go on");
  const auto a = std::make_shared<ModeArguments>();
  add_when_options(*command, a->when, false);
  add_common_options(*command, a->common);
  command->footer("Example: hildctl resume");
  command->callback([=, &exit] { exit = change(*a, "resume", {}); });
}

}  // namespace hild::ctl
