// SPDX-License-Identifier: Apache-2.0
/// `hild doctor`: is this machine fit for real time?
#include <algorithm>
#include <boost/json.hpp>

#include "cli/doctor/checks.hpp"
#include "cli/doctor/wake.hpp"
#include "cli/main/commands.hpp"
#include "cli/main/recording.hpp"
#include "cli/report/pretty_json.hpp"
#include "cli/terminal/print.hpp"

namespace hild::commands {
namespace {

using doctor::Finding;
using doctor::Verdict;

struct DoctorArguments {
  int cpu = -1;
  int priority = 80;
  std::string measure = "1";
  std::string root = "/";
  bool json = false;
};

std::size_t count(const std::vector<Finding>& findings, Verdict verdict) {
  return static_cast<std::size_t>(std::ranges::count(findings, verdict, &Finding::verdict));
}

void print_text(const std::vector<Finding>& findings) {
  for (const Finding& f : findings) {
    cli::print("{:<8} {:<17} {}\n", doctor::to_string(f.verdict), f.check, f.found);
    if (f.remedy.empty()) continue;
    cli::print("{:26} why: {}\n{:26} do:  {}\n", "", f.why, "", f.remedy);
  }
  cli::print("\n{} good, {} warnings, {} problems, {} unknown\n", count(findings, Verdict::good),
             count(findings, Verdict::warning), count(findings, Verdict::problem),
             count(findings, Verdict::unknown));
}

void print_json(const std::vector<Finding>& findings) {
  const boost::json::object all{{"fit", count(findings, Verdict::problem) == 0},
                                {"checks", findings_json(findings)}};
  cli::print_text(report::pretty(all));
}

ExitCode examine(const DoctorArguments& a) {
  const bool here = a.root == "/";  // another root has no time of its own, nor a kernel to ask
  const doctor::Machine machine =
      here ? doctor::this_machine(a.cpu, a.priority)
           : doctor::Machine(a.root, doctor::limits_of_this_process(), a.cpu, a.priority);
  std::vector<Finding> findings = doctor::examine(machine);
  if (here && a.measure != "0") {
    const Duration span = time_of("--measure", a.measure);
    const rt::ThreadOptions options{
        .priority = a.priority, .cpu = a.cpu, .name = Name("hild-doctor")};
    findings.push_back(doctor::judge(needed(doctor::measure_wake_latency(options, span))));
    if (auto peer = doctor::measure_by_cyclictest(options, span)) findings.push_back(*peer);
  }
  a.json ? print_json(findings) : print_text(findings);
  return count(findings, Verdict::problem) == 0 ? ExitCode::done : ExitCode::fault;
}

}  // namespace

void add_doctor(CLI::App& app, ExitCode& exit_code) {
  auto [command, a] =
      add_command(app, exit_code, "doctor",
                  "is this machine fit for real time? each check with its remedy", examine);
  command.add_option("--cpu", a.cpu, "the CPU frames run on, as in frame.cpu")
      ->check(CLI::Range(0, 4095));
  command.add_option("--priority", a.priority, "theirs, as in frame.priority; default: 80")
      ->check(CLI::Range(1, 99));
  add_option(command, "--measure", a.measure, "S",
             "measure wake latencies for so many seconds, and again by cyclictest where it is "
             "installed; default: 1; 0: do not");
  add_option(command, "--root", a.root, "DIR", "examine the machine whose files are below this");
  command.add_flag("--json", a.json, "for programs");
  command.footer("Exit code 0: no problem found, 2: problems.");
}

}  // namespace hild::commands
