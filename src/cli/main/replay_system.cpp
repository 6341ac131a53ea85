// SPDX-License-Identifier: Apache-2.0
#include "cli/main/replay_system.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "cli/main/recordings_together.hpp"
#include "cli/report/join.hpp"
#include "cli/report/pretty_json.hpp"
#include "cli/report/text.hpp"
#include "cli/terminal/print.hpp"

namespace hild::commands {
namespace {

/// Where the run of a system is not what it was, or what was received not what was sent.
struct SystemDifference {
  join::TaiTime at;
  std::string words;
};

// Inputs of a replay are what was received. So where each node sends what it sent, and has received
// what was sent, all of them together do what they did.
class SystemReplay {
 public:
  explicit SystemReplay(const ReplayArguments& a) : all_(read_together(a.logs)) {
    for (const std::string& file : a.logs) {
      ReplayArguments one = a;
      one.log = file;
      played_.push_back(play_from(one, {}));
    }
  }

  [[nodiscard]] bool same() const {
    return all_.joined.first_difference() == nullptr &&
           std::ranges::all_of(played_, [](const Played& one) { return one.answer.same(); });
  }
  [[nodiscard]] std::string text(const report::Style& style) const {
    std::string out = report::join_text(all_.joined, "hild replay --join", style);
    for (std::size_t n = 0; n < played_.size(); ++n) {
      out += fmt::format("\n {}\n", all_.nodes[n].name);
      const std::string words = to_text(played_[n].answer, model_of(n));
      for (std::string_view lines = words; !lines.empty();) {
        const std::size_t end = std::min(lines.find('\n'), lines.size() - 1);
        out += fmt::format("   {}\n", lines.substr(0, end));
        lines.remove_prefix(end + 1);
      }
    }
    const auto first = first_difference();
    return out + (first ? fmt::format("\n The first difference of the system, {:.6f} s after the "
                                      "first tick of all: {}\n",
                                      seconds(first->at - all_.joined.zero), first->words)
                  : same() ? "\n All nodes do what they did, together.\n"
                           : "\n Not all of it was replayed.\n");
  }
  [[nodiscard]] boost::json::value json() const {
    boost::json::array nodes;
    for (std::size_t n = 0; n < played_.size(); ++n) {
      nodes.push_back({{"node", all_.nodes[n].name},
                       {"log", all_.nodes[n].file},
                       {"replay", to_json(played_[n].answer, model_of(n))}});
    }
    boost::json::object out{
        {"same", same()}, {"nodes", std::move(nodes)}, {"joined", report::join_json(all_.joined)}};
    const auto first = first_difference();
    out["first_difference"] =
        first ? boost::json::value{{"tai_ns", first->at.ns}, {"what", first->words}} : nullptr;
    return out;
  }

 private:
  [[nodiscard]] const model::Description& model_of(std::size_t n) const {
    return played_[n].assembly.config.model.description;
  }
  [[nodiscard]] std::optional<SystemDifference> first_difference() const {
    std::optional<SystemDifference> first;
    const auto keep = [&](SystemDifference one) {
      if (!first || one.at < first->at) first = std::move(one);
    };
    for (std::size_t n = 0; n < played_.size(); ++n) {
      if (const auto& d = played_[n].answer.rerun.first) {
        keep({all_.nodes[n].instant_of(d->frame),
              fmt::format("{}, {}", all_.nodes[n].name, in_words(*d, signals_of(model_of(n))))});
      }
    }
    if (const join::Link* const link = all_.joined.first_difference()) {
      keep({link->first->at, fmt::format("{} in frame {} received another value than {} sent",
                                         link->to, link->first->frame, link->from)});
    }
    return first;
  }

  RecordingsTogether all_;
  std::vector<Played> played_;
};

}  // namespace

ExitCode replay_together(const ReplayArguments& a) {
  if (!a.own_configuration() || a.reference || !a.range.from.empty() || !a.range.to.empty()) {
    throw Error{
        "--join, with --config, --set, --reference, --from or --to: expected none of these; it "
        "takes all of each recording as it was"};
  }
  const SystemReplay system(a);
  cli::print_text(a.as_json ? report::pretty(system.json())
                            : system.text(report::style_for(STDOUT_FILENO)));
  return system.same() ? ExitCode::done : ExitCode::fault;
}

}  // namespace hild::commands
