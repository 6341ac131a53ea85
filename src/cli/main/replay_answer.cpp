// SPDX-License-Identifier: Apache-2.0
#include "cli/main/replay_answer.hpp"

#include <fmt/format.h>

#include "cli/report/log.hpp"
#include "cli/report/text.hpp"
#include "core/json_parts.hpp"

namespace hild::commands {
namespace {

namespace json = boost::json;

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

std::string branch_text(const BranchAnswer& b) {
  std::string out = fmt::format("the branch begins with frame {}, at {:.6f} s{}\n", b.of.frame,
                                seconds(b.of.time), b.of.changes.empty() ? ", unchanged" : ":");
  for (const std::string& change : b.of.changes) out += fmt::format("  {}\n", change);
  return out;
}

std::string end_of_branch(const BranchAnswer& b) {
  std::string out;
  if (b.images_repeated > 0) {
    out += fmt::format("it read {} input images that were not recorded: the newest stood\n",
                       report::grouped(b.images_repeated));
  }
  if (!b.ended.empty()) out += fmt::format("it ended before the recording: {}\n", b.ended);
  if (!b.file.empty()) {
    out += fmt::format("recorded in {}: a branch of {} from frame {}\n", b.file, b.of.file,
                       b.of.frame);
  }
  if (!b.plot.empty()) out += fmt::format("drawn in {}\n", b.plot);
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
  if (branch && !branch->problem.empty()) all.push_back(branch->problem);
  if (rerun.compared == 0) all.emplace_back("no frame starts in this time");
  return all;
}

bool ReplayAnswer::same() const {
  return !rerun.first && rerun.states.empty() && problems().empty();
}

bool ReplayAnswer::well() const {
  if (!branch || branch->of.changes.empty()) return same();
  return problems().empty() && branch->ended.empty();
}

std::string to_text(const ReplayAnswer& a, const model::Description& model) {
  std::string out;
  for (const std::string& change : a.changes) out += fmt::format("since the record: {}\n", change);
  const replay::Rerun& r = a.rerun;
  out += beginning(a);
  if (a.branch) out += branch_text(*a.branch);
  out += speed(a);
  const std::vector<std::string> problems = a.problems();
  if (r.first) {
    out += to_text(static_cast<const replay::Differences&>(r), signals_of(model));
  } else if (r.compared > 0) {
    const std::string how =
        a.tolerance > 0 ? fmt::format("within {:g}", a.tolerance) : "to the bit";
    out += fmt::format("every input, state and output{} is the recorded one, {}\n",
                       a.part || !problems.empty() ? " of these steps" : "", how);
  }
  if (!r.first || !r.states.empty()) out += keyframes(r);
  if (a.branch) out += end_of_branch(*a.branch);
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
                 {"compared_keyframes", r.keyframes},
                 {"tolerance", a.tolerance},
                 {"times_real_time", a.sim_s / a.wall_s},
                 {"closed", a.closed},
                 {"bytes_read", a.bytes_read},
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
  add_to(o, r, signals_of(model));
  json::array sections;
  for (const replay::StateDifference& d : r.states) {
    sections.push_back({{"frame", d.frame}, {"section", d.section}, {"byte", d.at}});
  }
  if (!sections.empty()) o["differing_keyframe"] = std::move(sections);
  if (a.branch) {
    const BranchAnswer& b = *a.branch;
    o["branch"] = report::branch_json(b.of);
    json::object& branch = o["branch"].as_object();
    branch["images_repeated"] = b.images_repeated;
    branch["ended"] = or_null(b.ended);
    branch["record"] = or_null(b.file);
    branch["plot"] = or_null(b.plot);
  }
  return o;
}

}  // namespace hild::commands
