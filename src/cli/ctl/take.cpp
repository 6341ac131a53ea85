// SPDX-License-Identifier: Apache-2.0
/// `hildctl take` and `give`: control of the run, over many commands.
#include <fmt/format.h>

#include <boost/json.hpp>

#include "cli/ctl/arguments.hpp"
#include "cli/ctl/commands.hpp"
#include "cli/ctl/control.hpp"
#include "cli/ctl/members.hpp"
#include "cli/terminal/print.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;

struct TakeArguments {
  Common common;
  std::string name;
  std::string timeout;
  bool over = false;
};

std::string name_of(const TakeArguments& a) { return a.name.empty() ? owner_name() : a.name; }

Exit take(const TakeArguments& a) {
  json::object params{{"owner", name_of(a)}, {"stays", true}};
  if (!a.timeout.empty()) {
    const auto timeout = seconds_of("--for", a.timeout);
    if (!timeout) return complain(a.common, timeout.error());
    params["timeout_s"] = *timeout;
  }
  if (a.over) params["over"] = true;
  return perform(a.common, "take", params, [](const json::value& taken) {
    const json::value* from = member(taken, "from");
    const bool over = from != nullptr && from->is_string();
    cli::print(
        "{} has control{}; it is given back by `hildctl give`, or after {:g} s without a "
        "change\n",
        text_of(taken, "owner"),
        over ? fmt::format(", taken over from {}", text_of(taken, "from")) : "",
        number_of(taken, "left_s"));
  });
}

Exit give(const TakeArguments& a) {
  return perform(a.common, "give", {{"owner", name_of(a)}}, [](const json::value& given) {
    const json::value* owner = member(given, "owner");
    if (owner != nullptr && owner->is_string()) {
      cli::print("{} has given control back\n", text_of(given, "owner"));
    } else {
      cli::print("nobody had control\n");
    }
  });
}

void add_name(CLI::App& command, TakeArguments& a) {
  command
      .add_option("--as", a.name,
                  "by this name; default: $HILD_OWNER, then your user name. Other commands of "
                  "hildctl go by $HILD_OWNER or your user name")
      ->type_name("NAME");
}

}  // namespace

void add_take(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand(
      "take", "take control: until it is given back, nobody else may change the run");
  const auto a = std::make_shared<TakeArguments>();
  command->add_flag("--over", a->over, "whoever has it: they are refused from then on");
  command
      ->add_option("--for", a->timeout,
                   "give it back after so long without a change; default: 10 min")
      ->type_name("T");
  add_name(*command, *a);
  add_common_options(*command, a->common);
  command->footer(
      "Disarm, freeze and stop stay open to all. `hildctl status` tells who has control.\n"
      "Example: hildctl take --for '30 min'");
  command->callback([=, &exit] { exit = take(*a); });
}

void add_give(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand("give", "give control back");
  const auto a = std::make_shared<TakeArguments>();
  add_name(*command, *a);
  add_common_options(*command, a->common);
  command->footer("Example: hildctl give");
  command->callback([=, &exit] { exit = give(*a); });
}

}  // namespace hild::ctl
