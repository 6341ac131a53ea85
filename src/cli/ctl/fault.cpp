// SPDX-License-Identifier: Apache-2.0
/// `hildctl fault`: falsify a signal, and let it be again.
#include <boost/json.hpp>

#include "cli/ctl/change_command.hpp"
#include "cli/ctl/commands.hpp"
#include "cli/ctl/replies.hpp"
#include "cli/terminal/print.hpp"

namespace hild::ctl {
namespace {

using CallKind = CallError::Reason;

void print_faults(const json::value& status) {
  std::vector<TableLine> rows;
  for (const json::value& fault : list_of(status, "overrides")) {
    const std::int64_t until = whole_of(fault, "until_frame");
    rows.push_back({text_of(fault, "signal"), text_of(fault, "kind"),
                    quantity_text(number_of(fault, "value")),
                    until > 0 ? fmt::format("until frame {}", until) : "until released"});
  }
  for (const json::value& fault : list_of(status, "injected")) {
    const std::int64_t until = whole_of(fault, "until_frame");
    rows.push_back({text_of(fault, "fault"), "injected", quantity_text(number_of(fault, "value")),
                    until > 0 ? fmt::format("until frame {}", until) : "until cleared"});
  }
  cli::print_text(rows.empty() ? "no faults\n" : columns(rows, {2}));
}

/// It ends all faults of a signal, and so is another change than the kinds.
constexpr exec::Word release{"release", "ends all faults of the signal"};

Exit fault(ChangeCommand& a) {
  const std::string& signal = a.texts["signal"];
  const std::string& kind = a.texts["kind"];
  if (signal.empty()) return perform(a, "status", {}, print_faults);
  if (kind.empty()) {
    std::string kinds;
    for (const exec::Word& w : exec::fault_words) kinds += fmt::format("{}, ", w.name);
    fail_call(CallKind::usage, "what of {0}: {1}or release? `hildctl fault {0} stuck 0`", signal,
              kinds);
  }
  if (kind == release.name) {
    if (!a.texts["value"].empty()) {
      fail_call(CallKind::usage, "release takes no value: it ends all faults of the signal");
    }
    a.kind = &exec::change_kind("release");
  }
  return make_change(a);
}

}  // namespace

void add_fault(CLI::App& app, Exit& exit) {
  ChangeCommand command("override");
  command.complete = false;
  command.more_words = {release};
  add_command(app, exit,
              {"fault", "inject a fault into an input or output, release it, list all",
               "Without a signal the faults are listed. Kinds stack in the order above, "
               "each at most once on a\n"
               "signal; stuck and dropout win over all others.\n"
               "Examples: hildctl fault shaft_speed stuck 0\n"
               "          hildctl fault shaft_speed noise '2 rpm' --frames 5000\n"
               "          hildctl fault shaft_speed release"},
              fault, std::move(command));
}

}  // namespace hild::ctl
