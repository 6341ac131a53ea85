// SPDX-License-Identifier: Apache-2.0
#include "cli/main/replay_answer.hpp"

#include <fmt/format.h>

#include "cli/report/text.hpp"

namespace hild::commands {
namespace {

namespace json = boost::json;
using replay::Difference;

std::string name_of(const Difference& d, const model::Description& model) {
  switch (d.of) {
    case Difference::Of::input:
      return fmt::format("pass {}, input {}", d.pass, model.inputs[d.index].name);
    case Difference::Of::state:
      return fmt::format("state {}", model.states[d.index].name);
    case Difference::Of::output:
      return fmt::format("output {}", model.outputs[d.index].name);
    case Difference::Of::step:
      break;
  }
  return std::string(replay::step_facts[d.index]);
}

std::string beginning(const ReplayAnswer& a) {
  if (a.begins_at) {
    return fmt::format("from the keyframe of frame {}, at {:.6f} s{}{}\n", a.begins_at->frame,
                       seconds(a.begins_at->time), a.begins_earlier.empty() ? "" : ": ",
                       a.begins_earlier);
  }
  if (a.begins_with_run.empty()) return {};
  return fmt::format("from the start of the run: {}\n", a.begins_with_run);
}

std::string speed(const ReplayAnswer& a) {
  const replay::Rerun& r = a.rerun;
  std::string out = fmt::format("{} steps replayed in {:.2f} s, {:.0f} times real time\n",
                                report::grouped(r.steps), a.wall_s, a.sim_s / a.wall_s);
  if (r.compared < r.steps) {
    out += fmt::format("of these the last {} are compared", report::grouped(r.compared));
    if (a.reached_s)
      out += fmt::format("; the first of them was reached in {:.3f} s", *a.reached_s);
    out += '\n';
  }
  return out;
}

std::string differences(const ReplayAnswer& a, const model::Description& model) {
  const replay::Rerun& r = a.rerun;
  std::string out = fmt::format("{} steps differ; the first is {}\n",
                                report::grouped(r.differing_steps), in_words(*r.first, model));
  const auto largest = [&](std::string_view kind, std::string_view name, std::string_view unit,
                           double worst) {
    if (worst > 0) out += fmt::format("  {} {}: up to {:.6g} {}\n", kind, name, worst, unit);
  };
  for (std::size_t i = 0; i < r.worst_states.size(); ++i) {
    largest("state", model.states[i].name, model.states[i].unit, r.worst_states[i]);
  }
  for (std::size_t i = 0; i < r.worst_outputs.size(); ++i) {
    largest("output", model.outputs[i].name, model.outputs[i].unit, r.worst_outputs[i]);
  }
  return out;
}

std::string keyframes(const replay::Rerun& r) {
  if (r.states.empty()) {
    return r.keyframes == 0
               ? std::string()
               : fmt::format("so is the state at {}\n",
                             r.keyframes == 1
                                 ? "a keyframe"
                                 : fmt::format("{} keyframes", report::grouped(r.keyframes)));
  }
  std::string where;
  for (const replay::StateDifference& d : r.states) {
    where += fmt::format("{}{} (byte {})", where.empty() ? "" : ", ", d.section, d.at);
  }
  return fmt::format("the state at the keyframe of frame {} differs in {}\n", r.states[0].frame,
                     where);
}

}  // namespace

std::vector<std::string> ReplayAnswer::problems() const {
  std::vector<std::string> all;
  if (!rerun.problem.empty()) all.push_back(rerun.problem);
  if (!damage.empty()) all.push_back(damage);
  if (rerun.compared == 0) all.emplace_back("no frame starts in this time");
  return all;
}

bool ReplayAnswer::same() const {
  return !rerun.first && rerun.states.empty() && problems().empty();
}

std::string in_words(const Difference& d, const model::Description& model) {
  return fmt::format("step {}, frame {}: {} was {:.17g}, is {:.17g}", d.step, d.frame,
                     name_of(d, model), d.recorded, d.replayed);
}

std::string to_text(const ReplayAnswer& a, const model::Description& model) {
  std::string out;
  for (const std::string& change : a.changes) out += fmt::format("since the record: {}\n", change);
  const replay::Rerun& r = a.rerun;
  out += beginning(a) + speed(a);
  const std::vector<std::string> problems = a.problems();
  if (r.first) {
    out += differences(a, model);
  } else if (r.compared > 0) {
    const std::string how =
        a.tolerance > 0 ? fmt::format("within {:g}", a.tolerance) : "to the bit";
    out += fmt::format("every input, state and output{} is the recorded one, {}\n",
                       a.part || !problems.empty() ? " of these steps" : "", how);
  }
  if (!r.first || !r.states.empty()) out += keyframes(r);
  if (!a.closed) out += "the log was not closed: the run was cut off, or still goes on\n";
  for (const std::string& problem : problems) {
    out += fmt::format("not all of it was replayed: {}\n", problem);
  }
  return out;
}

json::value to_json(const ReplayAnswer& a, const model::Description& model) {
  const replay::Rerun& r = a.rerun;
  const std::vector<std::string> problems = a.problems();
  json::object o{{"same", a.same()},
                 {"steps", r.steps},
                 {"compared_steps", r.compared},
                 {"differing_steps", r.differing_steps},
                 {"compared_keyframes", r.keyframes},
                 {"tolerance", a.tolerance},
                 {"times_real_time", a.sim_s / a.wall_s},
                 {"closed", a.closed},
                 {"changes", json::array(a.changes.begin(), a.changes.end())},
                 {"problem", problems.empty() ? std::string() : problems.front()}};
  if (a.begins_at) {
    o["begins_at"] = {{"step", a.begins_at->step},
                      {"frame", a.begins_at->frame},
                      {"t_s", seconds(a.begins_at->time)}};
  }
  if (!a.begins_with_run.empty()) o["begins_with_run"] = a.begins_with_run;
  if (!a.begins_earlier.empty()) o["begins_earlier"] = a.begins_earlier;
  if (a.reached_s) o["reached_s"] = *a.reached_s;
  if (r.first) {
    o["first"] = {{"step", r.first->step},
                  {"frame", r.first->frame},
                  {"signal", name_of(*r.first, model)},
                  {"recorded", r.first->recorded},
                  {"replayed", r.first->replayed}};
  }
  json::array sections;
  for (const replay::StateDifference& d : r.states) {
    sections.push_back({{"frame", d.frame}, {"section", d.section}, {"byte", d.at}});
  }
  if (!sections.empty()) o["differing_keyframe"] = std::move(sections);
  json::object worst;
  for (std::size_t i = 0; i < r.worst_states.size(); ++i) {
    worst[fmt::format("state:{}", model.states[i].name)] = r.worst_states[i];
  }
  for (std::size_t i = 0; i < r.worst_outputs.size(); ++i) {
    worst[fmt::format("output:{}", model.outputs[i].name)] = r.worst_outputs[i];
  }
  o["worst"] = std::move(worst);
  return o;
}

}  // namespace hild::commands
