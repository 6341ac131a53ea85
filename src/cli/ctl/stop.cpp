// SPDX-License-Identifier: Apache-2.0
/// `hildctl arm` and `disarm`: whether outputs follow the model; `stop`: they never will again.
#include <boost/json.hpp>
#include <cstdio>

#include "cli/ctl/commands.hpp"
#include "cli/ctl/replies.hpp"
#include "cli/ctl/system.hpp"
#include "cli/terminal/print.hpp"

namespace hild::ctl {
namespace {

void add_arming(CLI::App& app, Exit& exit, const CommandWords& words, const char* done,
                Exit (*all)(const Common&)) {
  add_command<SystemArguments>(
      app, exit, words, [=, method = words.name](const SystemArguments& common) {
        if (common.system) return all(common);
        return perform(common, method, {}, [&](const json::value& answer) {
          cli::print("{}\n", done);
          const auto* unguardable = answer.as_object().if_contains("unguardable");
          if (unguardable == nullptr) return;
          for (const json::value& one : unguardable->as_array()) {
            cli::print("warning: {}: its outputs keep their values if the daemon dies\n",
                       std::string_view(one.as_string()));
          }
        });
      });
}

// A daemon that tells how its run ended is waited for.
Exit stop(const Common& common) {
  Client client = open(common);
  bool tells = false;
  if (!common.json) {
    try {
      tells = !told_in(client.call("follow")).empty();
    } catch (const CallError&) {  // an older one refuses
    }
  }
  const json::value stopping = client.call("stop");
  if (common.json) {
    print_json(stopping);
    return Exit::done;
  }
  cli::print("stopping: outputs take their safe values\n");
  if (!tells) return Exit::done;
  std::fflush(stdout);
  try {
    static_cast<void>(client.notification("ended", client.timeout()));  // it ends the connection
    cli::print("it has not ended yet: `hildctl status` tells what it does\n");
  } catch (const CallError&) {
    if (!client.ended().empty()) cli::print("ended: {}\n", client.ended());
  }
  return Exit::done;
}

}  // namespace

void add_stop(CLI::App& app, Exit& exit) {
  add_arming(app, exit,
             {"arm", "let outputs follow the model, ramping in",
              "With --system those of all nodes that are members, or of none.\n"
              "Examples: hildctl arm\n          hildctl arm --system"},
             "arming: outputs ramp to where the model is; `hildctl status` tells what they do",
             arm_system);
  add_arming(app, exit,
             {"disarm", "take outputs to their safe values and keep them there; the run goes on",
              "Example: hildctl disarm"},
             "disarming: outputs take their safe actions; `hildctl status` tells what they do",
             disarm_system);
  add_command(app, exit,
              {"stop", "end the run, with safe outputs",
               "Tells how the run ended, once it has.\nExample: hildctl stop"},
              stop);
}

}  // namespace hild::ctl
