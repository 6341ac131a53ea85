// SPDX-License-Identifier: Apache-2.0
/// `hildctl take` and `give`: control of the run, over many commands.
#include <boost/json.hpp>

#include "cli/ctl/arguments.hpp"
#include "cli/ctl/commands.hpp"
#include "cli/ctl/control.hpp"
#include "cli/ctl/replies.hpp"
#include "cli/terminal/print.hpp"

namespace hild::ctl {
namespace {

struct GiveArguments : Common {
  std::string name;

  [[nodiscard]] std::string owner() const { return name.empty() ? owner_name() : name; }
  void declare(CLI::App& command) {
    command
        .add_option("--as", name,
                    "by this name; default: $HILD_OWNER, then your user name. Other commands of "
                    "hildctl go by $HILD_OWNER or your user name")
        ->type_name("NAME");
  }
};

struct TakeArguments : GiveArguments {
  std::string timeout;
  bool over = false;

  void declare(CLI::App& command) {
    command.add_flag("--over", over, "whoever has it: they are refused from then on");
    command
        .add_option("--for", timeout,
                    "give it back after so long without a change; default: 10 min")
        ->type_name("T");
    GiveArguments::declare(command);
  }
};

Exit take(const TakeArguments& a) {
  json::object params{{"owner", a.owner()}, {"stays", true}};
  if (!a.timeout.empty()) params["timeout_s"] = seconds_of("--for", a.timeout);
  if (a.over) params["over"] = true;
  return perform(a, "take", params, [](const json::value& taken) {
    const std::string from = text_of(taken, "from");
    cli::print(
        "{} has control{}; it is given back by `hildctl give`, or after {:g} s without a "
        "change\n",
        text_of(taken, "owner"), from.empty() ? "" : ", taken over from " + from,
        number_of(taken, "left_s"));
  });
}

Exit give(const GiveArguments& a) {
  return perform(a, "give", {{"owner", a.owner()}}, [](const json::value& given) {
    const std::string owner = text_of(given, "owner");
    cli::print("{}\n", owner.empty() ? "nobody had control" : owner + " has given control back");
  });
}

}  // namespace

void add_take(CLI::App& app, Exit& exit) {
  add_command<TakeArguments>(
      app, exit,
      {"take", "take control: until it is given back, nobody else may change the run",
       "Disarm, freeze and stop stay open to all. `hildctl status` tells who has control.\n"
       "Example: hildctl take --for '30 min'"},
      take);
  add_command<GiveArguments>(app, exit, {"give", "give control back", "Example: hildctl give"},
                             give);
}

}  // namespace hild::ctl
