// SPDX-License-Identifier: Apache-2.0
#include "config/plan/model_verdict.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>

namespace hild::plan {
namespace {

namespace json = boost::json;
using examine::Function;

// The sum of the worst times of the calls of a step.
Duration worst_step(const Plan& plan, const examine::Examination& seen) {
  // Passes of one model are alike; of several each has its own cost.
  const Duration passes =
      plan.coupled ? seen.worst_passes : seen.of(Function::derivatives).worst * plan.method->passes;
  return passes + seen.of(Function::outputs).worst + seen.of(Function::event_functions).worst;
}

// What is found, without how often.
std::string_view kind_of(std::string_view finding) {
  return finding.substr(0, finding.rfind(" ("));
}

// Of several models with the name of each; then what only all of them together do.
std::vector<std::string> findings_of(const Plan& plan) {
  std::vector<std::string> together = examine::findings(*plan.examined);
  if (!plan.coupled) return together;
  std::vector<std::string> all;
  for (const auto& [model, seen] : plan.parts_examined) {
    for (const auto& one : examine::findings(seen)) {
      all.push_back(fmt::format("{}: {}", model, one));
      std::erase_if(together, [&](const auto& o) { return kind_of(o) == kind_of(one); });
    }
    if (seen.failed.front() != '\0') {
      std::erase_if(together, [](const auto& o) { return o.find("` fails") != o.npos; });
    }
  }
  for (const auto& one : together) all.push_back(fmt::format("the models connected: {}", one));
  return all;
}

std::string why_refused(const Plan& plan) {
  for (const auto& [model, seen] : plan.parts_examined) {
    if (const std::string why = examine::refusal(seen); !why.empty()) {
      return fmt::format("models.{}: {}", model, why);
    }
  }
  const std::string why = examine::refusal(*plan.examined);
  return why.empty() ? why : fmt::format("model {}: {}", plan.model, why);
}

std::string verdict(const Plan& plan, const examine::Examination& seen) {
  if (!why_refused(plan).empty()) return "The model cannot run.";
  const Duration worst = worst_step(plan, seen);
  if (worst > plan.frame()) {
    return fmt::format("The model's worst step takes {:.1f} us, more than a frame of {:.1f} us.",
                       microseconds(worst), microseconds(plan.frame()));
  }
  if (!findings_of(plan).empty()) {
    return "The model may miss its frame, however fast it is: see its findings.";
  }
  return fmt::format("The model is fit for real time: its worst step takes {:.1f} % of a frame.",
                     100 * seconds(worst) / seconds(plan.frame()));
}

bool fit(const Plan& plan, const examine::Examination& seen) {
  return findings_of(plan).empty() && worst_step(plan, seen) <= plan.frame();
}

}  // namespace

void judge_model(Plan& plan, const examine::Examination& seen, std::vector<ExaminedPart> parts) {
  plan.examined = seen;
  plan.parts_examined = std::move(parts);
  const std::string why = why_refused(plan);
  if (!why.empty() && !plan.refusal) plan.refusal = Error{why};
}

std::string model_text(const Plan& plan) {
  if (!plan.examined) return {};
  const examine::Examination& e = *plan.examined;
  std::string out = fmt::format("\n  {:<18} {:>10} {:>10} {:>10}\n", "model's calls (us)", "calls",
                                "median", "worst");
  for (std::size_t i = 0; i < examine::functions; ++i) {
    const auto f = static_cast<Function>(i);
    if (e.of(f).calls == 0) continue;
    out += fmt::format("  {:<18} {:>10} {:>10.1f} {:>10.1f}\n", examine::to_string(f),
                       e.of(f).calls, microseconds(e.of(f).median), microseconds(e.of(f).worst));
  }
  for (const auto& one : findings_of(plan)) out += fmt::format("  finding: {}\n", one);
  for (const auto& one : examine::not_observed(e)) out += fmt::format("  not seen: {}\n", one);
  return out + fmt::format("  {}\n", verdict(plan, e));
}

json::object model_json(const Plan& plan) {
  const examine::Examination& e = *plan.examined;
  json::object calls;
  for (std::size_t i = 0; i < examine::functions; ++i) {
    const auto& seen = e.seen[i];
    if (seen.calls == 0) continue;
    calls[examine::to_string(static_cast<Function>(i))] = {
        {"calls", seen.calls},
        {"median_us", microseconds(seen.median)},
        {"worst_us", microseconds(seen.worst)},
        {"heap", seen.heap},
        {"system_calls", seen.system},
        {"page_faults", seen.faults},
        {"prints", seen.printed},
        {"floating_point_control", seen.control + seen.put_back},
        {"messages", seen.logged},
        {"event_iterations_capped", seen.event_iterations},
        {"zero_advance_capped", seen.zero_advance},
        {"step_parts_capped", seen.step_parts},
        {"algebraic_iterations_capped", seen.algebraic_iterations},
        {"not_finite", seen.not_finite}};
  }
  return {{"calls", calls},
          {"threads_started", e.threads_started},
          {"worst_step_us", microseconds(worst_step(plan, e))},
          {"findings", json::value_from(findings_of(plan))},
          {"not_observed", json::value_from(examine::not_observed(e))},
          {"real_time", fit(plan, e)},
          {"verdict", verdict(plan, e)}};
}

}  // namespace hild::plan
