// SPDX-License-Identifier: Apache-2.0
/// `hildctl arm` and `disarm`.
#include <boost/json.hpp>

#include "cli/ctl/arguments.hpp"
#include "cli/ctl/commands.hpp"
#include "cli/terminal/print.hpp"

namespace hild::ctl {
namespace {

struct ArmWords {
  std::string name;
  std::string summary;
  std::string done;
};

void add(CLI::App& app, Exit& exit, const ArmWords& words) {
  auto* command = app.add_subcommand(words.name, words.summary);
  const auto common = std::make_shared<Common>();
  add_common_options(*command, *common);
  command->footer("Example: hildctl " + words.name);
  command->callback([=, &exit] {
    exit = perform(*common, words.name, {}, [&](const auto&) { cli::print("{}\n", words.done); });
  });
}

}  // namespace

void add_arm(CLI::App& app, Exit& exit) {
  add(app, exit,
      {"arm", "let outputs follow the model, ramping in",
       "arming: outputs ramp to where the model is; `hildctl status` tells what they do"});
}

void add_disarm(CLI::App& app, Exit& exit) {
  add(app, exit,
      {"disarm", "take outputs to their safe values and keep them there; the run goes on",
       "disarming: outputs take their safe actions; `hildctl status` tells what they do"});
}

}  // namespace hild::ctl
