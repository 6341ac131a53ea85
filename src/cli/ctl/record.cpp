// SPDX-License-Identifier: Apache-2.0
/// `hildctl record` and `hildctl stop`.
#include <boost/json.hpp>
#include <cstdio>

#include "cli/ctl/change_command.hpp"
#include "cli/ctl/commands.hpp"
#include "cli/ctl/members.hpp"
#include "cli/ctl/told.hpp"
#include "cli/terminal/print.hpp"
#include "core/doc_page.hpp"

namespace hild::ctl {
namespace {

/// An error when there is nothing that a mark could trigger.
Reply<void> recorded(const Common& common) {
  auto client = open(common);
  if (!client) return tl::make_unexpected(client.error());
  const auto status = (*client)->call("status");
  if (!status) return tl::make_unexpected(status.error());
  const boost::json::value* recording = member(*status, "recording");
  if (recording == nullptr || !recording->is_null()) return {};
  return call_error(
      CallError::Kind::refused,
      "nothing is recorded: the run has no \"record:\" in its configuration; start it with "
      "--set 'record={file: run.mcap}', or see " +
          doc_page("configuration"));
}

Exit record(const ChangeCommand& mark) {
  if (auto told = recorded(mark.common); !told) return complain(mark.common, told.error());
  return make_change(mark);
}

// A daemon that tells how its run ended is waited for.
Exit stop(const Common& common) {
  auto client = open(common);
  if (!client) return complain(common, client.error());
  const auto followed = common.json ? Reply<boost::json::value>{} : (*client)->call("follow");
  const auto stopping = (*client)->call("stop");
  if (!stopping) return complain(common, stopping.error());
  if (common.json) {
    print_json(*stopping);
    return Exit::done;
  }
  cli::print("stopping: outputs take their safe values\n");
  if (!followed || told_in(*followed).empty()) return Exit::done;
  std::fflush(stdout);
  const auto last = (*client)->notification("ended", (*client)->timeout());  // ends it either way
  if ((*client)->ended()) {
    cli::print("ended: {}\n", ending_words(*(*client)->ended()));
  } else if (last.error().kind == CallError::Kind::silent) {
    cli::print("it has not ended yet: `hildctl status` tells what it does\n");
  }
  return Exit::done;
}

}  // namespace

void add_record(CLI::App& app, Exit& exit) {
  const auto mark =
      declare_change(app, {.name = "record",
                           .summary = "mark the record of a step: triggers a recording",
                           .footer = "Example: hildctl record --label 7",
                           .method = "mark"});
  mark->app->callback([mark, &exit] { exit = record(*mark); });
}

void add_stop(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand("stop", "end the run, with safe outputs");
  const auto common = std::make_shared<Common>();
  add_common_options(*command, *common);
  command->footer("Tells how the run ended, once it has.\nExample: hildctl stop");
  command->callback([=, &exit] { exit = stop(*common); });
}

}  // namespace hild::ctl
