// SPDX-License-Identifier: Apache-2.0
/// `hildctl begin`, `cease` and `sequences`: those of the configuration, run by the daemon.
#include <boost/json.hpp>

#include "cli/ctl/commands.hpp"
#include "cli/ctl/replies.hpp"
#include "cli/terminal/print.hpp"
#include "control/sequence/outcome.hpp"

namespace hild::ctl {
namespace {

struct BeginArguments : Common {
  std::string name;

  void declare(CLI::App& command) {
    command.add_option("NAME", name, "of a sequence of the configuration")->required();
  }
};

// As `hildctl sequence` prints it.
void print_step(const json::value& step) {
  const std::string result = text_of(step, "result");
  const std::string name = text_of(step, "name");
  const std::string message = text_of(step, "message");
  cli::print("{}\n", sequence::line_of(sequence::StepWords{.result = result,
                                                           .end_s = number_of(step, "end_s"),
                                                           .name = name,
                                                           .line = whole_of(step, "line"),
                                                           .message = message}));
}

void print_sequences(const json::value& answer) {
  const json::array& all = list_of(answer, "sequences");
  if (all.empty()) {
    cli::print("none: the configuration has no control.sequences\n");
    return;
  }
  std::vector<TableLine> rows;
  for (const json::value& one : all) rows.push_back({text_of(one, "name"), text_of(one, "file")});
  cli::print("{}", columns(rows));
  const json::value* const last = member(answer, "last");
  if (last == nullptr || !last->is_object()) return;
  cli::print("\n");
  if (const std::int64_t left_out = whole_of(*last, "left_out"); left_out > 0) {
    cli::print("of {} steps {} are not shown\n", whole_of(*last, "ended"), left_out);
  }
  for (const json::value& step : list_of(*last, "steps")) print_step(step);
  cli::print("{}\n", text_of(*last, "words"));
}

}  // namespace

void add_begin(CLI::App& app, Exit& exit) {
  add_command<BeginArguments>(
      app, exit,
      {"begin", "have the daemon run a sequence of its configuration",
       "It goes on when hildctl has ended: `hildctl sequences` tells what becomes of it.\n"
       "Example: hildctl begin 'load step'"},
      [](const BeginArguments& a) {
        return perform(a, "begin", {{"sequence", a.name}}, [](const json::value& answer) {
          cli::print("begun: {}; `hildctl sequences` tells what becomes of it\n",
                     text_of(answer, "sequence"));
        });
      });
  add_command(app, exit,
              {"cease", "end the sequence that the daemon runs; its steps `always` are taken",
               "Example: hildctl cease"},
              [](const Common& common) {
                return perform(common, "cease", {}, [](const json::value& answer) {
                  cli::print("ending: {}; `hildctl sequences` tells what becomes of it\n",
                             text_of(answer, "sequence"));
                });
              });
  add_command(
      app, exit,
      {"sequences", "the sequences that can be begun, and what became of the last one",
       "Example: hildctl sequences"},
      [](const Common& common) { return perform(common, "sequences", {}, print_sequences); });
}

}  // namespace hild::ctl
