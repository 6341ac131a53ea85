// SPDX-License-Identifier: Apache-2.0
/// `hildctl record`.
#include <boost/json.hpp>

#include "cli/ctl/change_command.hpp"
#include "cli/ctl/commands.hpp"
#include "cli/ctl/replies.hpp"
#include "core/doc_page.hpp"

namespace hild::ctl {
namespace {

Exit record(ChangeCommand& mark) {
  const json::value status = open(mark).call("status");
  const json::value* recording = member(status, "recording");
  if (recording != nullptr && recording->is_null()) {
    fail_call(CallError::Reason::refused,
              "nothing is recorded: the run has no \"record:\" in its configuration; start it with "
              "--set 'record={{file: run.mcap}}', or see {}",
              doc_page("configuration"));
  }
  return make_change(mark);
}

}  // namespace

void add_record(CLI::App& app, Exit& exit) {
  add_command(app, exit,
              {"record", "mark the record of a step: triggers a recording",
               "Example: hildctl record --label 7"},
              record, ChangeCommand("mark"));
}

}  // namespace hild::ctl
