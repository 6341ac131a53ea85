// SPDX-License-Identifier: Apache-2.0
#include "plan/model_verdict.hpp"

#include <fmt/format.h>

#include <boost/json.hpp>

namespace hild::plan {
namespace {

namespace json = boost::json;
using examine::Function;

std::string verdict(const Plan& plan, const examine::Examination& seen) {
  if (!examine::refusal(seen).empty()) return "The model cannot run.";
  const Duration worst = worst_step(plan, seen);
  if (worst > plan.frame()) {
    return fmt::format("The model's worst step takes {:.1f} us, more than a frame of {:.1f} us.",
                       microseconds(worst), microseconds(plan.frame()));
  }
  if (!examine::findings(seen).empty()) {
    return "The model may miss its frame, however fast it is: see its findings.";
  }
  return fmt::format("The model is fit for real time: its worst step takes {:.1f} % of a frame.",
                     100 * seconds(worst) / seconds(plan.frame()));
}

bool fit(const Plan& plan, const examine::Examination& seen) {
  return examine::findings(seen).empty() && worst_step(plan, seen) <= plan.frame();
}

json::array strings(const std::vector<std::string>& list) {
  json::array out;
  for (const auto& one : list) out.push_back(json::string(one));
  return out;
}

}  // namespace

Duration worst_step(const Plan& plan, const examine::Examination& seen) {
  // Passes of one model are alike; of several each has its own cost.
  const Duration passes =
      plan.coupled ? seen.worst_passes : seen.of(Function::derivatives).worst * plan.method->passes;
  return passes + seen.of(Function::outputs).worst + seen.of(Function::event_functions).worst;
}

void judge_model(Plan& plan, const examine::Examination& seen) {
  plan.examined = seen;
  const std::string why = examine::refusal(seen);
  if (!why.empty() && !plan.refusal) plan.refusal = fmt::format("model {}: {}", plan.model, why);
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
  for (const auto& one : examine::findings(e)) out += fmt::format("  finding: {}\n", one);
  for (const auto& one : examine::not_observed(e)) out += fmt::format("  not seen: {}\n", one);
  return out + fmt::format("  {}\n", verdict(plan, e));
}

json::object model_json(const Plan& plan) {
  const examine::Examination& e = *plan.examined;
  json::object calls;
  for (std::size_t i = 0; i < examine::functions; ++i) {
    const auto& seen = e.seen[i];
    if (seen.calls == 0) continue;
    calls[examine::to_string(static_cast<Function>(i))] = {{"calls", seen.calls},
                                                           {"median_us", microseconds(seen.median)},
                                                           {"worst_us", microseconds(seen.worst)},
                                                           {"heap", seen.heap},
                                                           {"system_calls", seen.system},
                                                           {"page_faults", seen.faults},
                                                           {"prints", seen.printed},
                                                           {"floating_point_control", seen.control},
                                                           {"not_finite", seen.not_finite}};
  }
  return {{"calls", calls},
          {"threads_started", e.threads_started},
          {"worst_step_us", microseconds(worst_step(plan, e))},
          {"findings", strings(examine::findings(e))},
          {"not_observed", strings(examine::not_observed(e))},
          {"real_time", fit(plan, e)},
          {"verdict", verdict(plan, e)}};
}

}  // namespace hild::plan
