// SPDX-License-Identifier: Apache-2.0
/// `hild replay --reference`: how far a run was from the true solution, and why.
#include "cli/main/replay_reference.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>

#include "cli/report/pretty_json.hpp"
#include "cli/report/text.hpp"
#include "cli/terminal/print.hpp"
#include "offline/replay/error_split.hpp"

namespace hild::commands {
namespace {

namespace json = boost::json;
using replay::ErrorSplit;
using replay::StateError;

std::string to_text(const ErrorSplit& split, const model::Description& model) {
  std::string out = fmt::format(
      "{} steps against a reference of {} steps, {} evaluations{}\n\n"
      " largest error of a state, and what it is due to\n {:<20}{:>12}",
      report::grouped(split.steps), report::grouped(split.reference.accepted),
      report::grouped(split.reference.evaluations),
      split.state_events > 0 ? fmt::format(", {} state events", report::grouped(split.state_events))
                             : "",
      "", "range");
  for (const std::string_view share : replay::share_names) out += fmt::format("{:>12}", share);
  out += '\n';
  for (std::size_t i = 0; i < model.states.size(); ++i) {
    const auto& s = model.states[i];
    out += fmt::format(" {:<20}{:>12.4g}", fmt::format("{} [{}]", s.name, s.unit), split.range[i]);
    for (const auto& share : split.shares) out += fmt::format("{:>12.3g}", share[i].largest);
    out += '\n';
  }
  return out;
}

json::value to_json(const ErrorSplit& split, const model::Description& model) {
  json::array states;
  for (std::size_t i = 0; i < model.states.size(); ++i) {
    json::object state{
        {"name", model.states[i].name}, {"unit", model.states[i].unit}, {"range", split.range[i]}};
    for (std::size_t s = 0; s < replay::share_names.size(); ++s) {
      const StateError& e = split.shares[s][i];
      state[replay::share_names[s]] = {{"largest", e.largest}, {"rms", e.rms}};
    }
    states.push_back(std::move(state));
  }
  return {{"steps", split.steps},
          {"state_events", split.state_events},
          {"reference",
           {{"steps", split.reference.accepted}, {"evaluations", split.reference.evaluations}}},
          {"states", std::move(states)}};
}

}  // namespace

ExitCode replay_reference(const plan::Assembly& assembly, replay::StepSource& source,
                          const ReferenceArguments& a, const std::function<bool(double)>& go_on) {
  replay::SplitOptions options;
  options.reference.tolerance = a.tolerance;
  options.go_on = go_on;
  if (auto good = reference::check(options.reference); !good) return complain(good.error());
  const auto split = replay::split_error(assembly, source, options);
  if (!split) return complain({fmt::format("--reference: {}", split.error().message)});
  const model::Description& model = assembly.config.model.description;
  cli::print_text(a.as_json ? report::pretty(to_json(*split, model)) : to_text(*split, model));
  return ExitCode::done;
}

}  // namespace hild::commands
