// SPDX-License-Identifier: Apache-2.0
/// `hildctl fault`: falsify a signal, and let it be again.
#include <fmt/format.h>

#include <boost/json.hpp>

#include "cli/ctl/change_command.hpp"
#include "cli/ctl/columns.hpp"
#include "cli/ctl/commands.hpp"
#include "cli/ctl/members.hpp"
#include "cli/terminal/print.hpp"

namespace hild::ctl {
namespace {

namespace json = boost::json;
using CallKind = CallError::Kind;

void print_faults(const json::value& status) {
  std::vector<TableLine> rows;
  for (const json::value& fault : list_of(status, "overrides")) {
    const std::int64_t until = whole_of(fault, "until_frame");
    rows.push_back({text_of(fault, "signal"), text_of(fault, "kind"),
                    quantity_text(number_of(fault, "value")),
                    until > 0 ? fmt::format("until frame {}", until) : "until released"});
  }
  cli::print_text(rows.empty() ? "no faults\n" : columns(rows, {2}));
}

/// It ends all faults of a signal, and so is another change than the kinds.
constexpr exec::Word release{"release", "ends all faults of the signal"};

Exit release_faults(ChangeCommand& a) {
  if (!a.text("value").empty()) {
    return complain(a.common,
                    {CallKind::usage, "release takes no value: it ends all faults of the signal"});
  }
  a.kind = &exec::change_kind("release");
  return make_change(a);
}

std::string words_of_kinds() {
  std::string words;
  for (const exec::Word& w : exec::fault_words) words += fmt::format("{}, ", w.name);
  return words + "or release";
}

Exit fault(ChangeCommand& a) {
  const std::string& signal = a.text("signal");
  if (signal.empty()) return perform(a.common, "status", {}, print_faults);
  if (a.text("kind").empty()) {
    return complain(a.common,
                    {CallKind::usage, fmt::format("what of {}: {}? `hildctl fault {} stuck 0`",
                                                  signal, words_of_kinds(), signal)});
  }
  return a.text("kind") == release.name ? release_faults(a) : make_change(a);
}

}  // namespace

void add_fault(CLI::App& app, Exit& exit) {
  const auto command = declare_change(
      app, {.name = "fault",
            .summary = "inject a fault into an input or output, release it, list all",
            .footer = "Without a signal the faults are listed. Kinds stack in the order above, "
                      "each at most once on a\n"
                      "signal; stuck and dropout win over all others.\n"
                      "Examples: hildctl fault shaft_speed stuck 0\n"
                      "          hildctl fault shaft_speed noise '2 rpm' --frames 5000\n"
                      "          hildctl fault shaft_speed release",
            .method = "override",
            .complete = false,
            .words = {release}});
  command->app->callback([command, &exit] { exit = fault(*command); });
}

}  // namespace hild::ctl
