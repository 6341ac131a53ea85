// SPDX-License-Identifier: Apache-2.0
/// `hildctl dashboard`: those that the daemon keeps for the page.
#include <boost/json.hpp>
#include <fstream>
#include <iterator>

#include "cli/ctl/commands.hpp"
#include "cli/ctl/replies.hpp"
#include "cli/terminal/print.hpp"

namespace hild::ctl {
namespace {

struct DashboardArguments : Common {
  std::string name;
  std::string file;
  std::string over;
  bool discard = false;

  void declare(CLI::App& command) {
    auto* const named = command.add_option("NAME", name, "which; default: list them");
    auto* const store =
        command.add_option("--store", file, "keep the one in this file")->needs(named);
    command.add_option("--over", over, "the revision that it replaces (--json tells it)")
        ->needs(store);
    command.add_flag("--discard", discard, "remove it")->needs(named)->excludes(store);
  }
};

json::value layout_in(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) fail_call(CallError::Reason::usage, "--store: {} cannot be read", file);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  auto parsed = rpc::parse_json(text, {});
  if (!parsed) {
    fail_call(CallError::Reason::usage, "--store: {}: {}, expected a dashboard in JSON", file,
              parsed.error().message);
  }
  return std::move(*parsed);
}

void print_list(const json::value& result) {
  for (const json::value& one : list_of(result, "dashboards")) {
    cli::print("{}\n", text_of(one, "name"));
  }
}

Exit dashboard(const DashboardArguments& a) {
  if (a.name.empty()) return perform(a, "dashboards", {}, print_list);
  if (a.discard) {
    return perform(a, "discard", {{"name", a.name}},
                   [&](const json::value&) { cli::print("removed {}\n", a.name); });
  }
  if (!a.file.empty()) {
    json::object params{{"name", a.name}, {"layout", layout_in(a.file)}};
    if (!a.over.empty()) params["over"] = a.over;
    return perform(a, "arrange", params, [&](const json::value& answer) {
      cli::print("stored {}\n", a.name);
      const std::string kept = text_of(answer, "kept");
      if (!kept.empty()) cli::print("what was there was broken, and is kept as {}\n", kept);
    });
  }
  return perform(a, "dashboard", {{"name", a.name}}, [](const json::value& result) {
    if (const json::value* const layout = member(result, "layout")) print_json(*layout);
  });
}

}  // namespace

void add_dashboard(CLI::App& app, Exit& exit) {
  add_command<DashboardArguments>(
      app, exit,
      {"dashboard", "the dashboards that the daemon keeps for the page: list, print, store, remove",
       "Examples: hildctl dashboard 'Bench 1' > bench.json\n"
       "          hildctl dashboard 'Bench 2' --store bench.json"},
      dashboard);
}

}  // namespace hild::ctl
