// SPDX-License-Identifier: Apache-2.0
#include "cli/main/sweep.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <boost/algorithm/string/replace.hpp>
#include <boost/json/parse.hpp>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <thread>

#include "cli/main/offline_sequence.hpp"
#include "cli/report/pretty_json.hpp"
#include "cli/report/sweep.hpp"
#include "cli/report/write_file.hpp"
#include "cli/terminal/print.hpp"
#include "config/plan/assembly.hpp"
#include "control/sequence/outcome.hpp"
#include "control/sequence/parse.hpp"
#include "core/child_process.hpp"
#include "hild/core/whole_file.hpp"
#include "io/bus.hpp"

namespace hild::commands {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t most_runs = 100'000;

/// A key that differs from run to run, and what it is set to. That of the seeds stands for the keys
/// of several devices.
struct Axis {
  std::string name;
  std::vector<std::string> keys;
  std::vector<std::string> values;
  std::string variable{};  ///< of the sequence, in place of keys
};

/// What all runs have in common.
struct Task {
  ConfigArguments config;
  std::string duration;
  std::string program;
  std::string sequence;  ///< the file that steers each; empty: none does
  /// Of each recorder the key of its file, and the name of that in the folder of a run.
  std::vector<std::pair<std::string, fs::path>> recordings;
};

Axis axis_of(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size()) {
    throw Error{fmt::format(
        "--sweep {}: expected KEY=VALUE,VALUE,..., for example --sweep frame.period='1 ms,2 ms'",
        text)};
  }
  const std::string key = text.substr(0, equals);
  return {key, {key}, split_values(std::string_view(text).substr(equals + 1))};
}

// Those of simulated devices, whose noise they are of.
Axis axis_of_seeds(const std::string& text, const config::Config& config) {
  Axis axis{"seed", {}, seeds_of(text)};
  for (const io::Member& member : config.devices) {
    if (member.device->hardware()) continue;
    axis.keys.push_back(fmt::format("devices.{}.seed", member.name.view()));
  }
  if (axis.keys.empty()) {
    throw Error{fmt::format("--seeds {}: no device of {} is simulated, so none has a seed", text,
                            config.file)};
  }
  return axis;
}

// Of every axis one value, the last axis first.
std::vector<std::vector<std::size_t>> combinations(const std::vector<Axis>& axes) {
  std::int64_t runs = 1;
  for (const Axis& axis : axes) {
    runs *= static_cast<std::int64_t>(axis.values.size());
    if (runs > most_runs) throw Error{fmt::format("--sweep: more than {} runs", most_runs)};
  }
  std::vector<std::vector<std::size_t>> all;
  std::vector<std::size_t> chosen(axes.size());
  for (std::int64_t n = 0; n < runs; ++n) {
    all.push_back(chosen);
    for (std::size_t a = axes.size(); a-- > 0;) {
      if (++chosen[a] < axes[a].values.size()) break;
      chosen[a] = 0;
    }
  }
  return all;
}

// Those given, and of each axis that is a variable of the sequence its value.
std::vector<std::string> lets_of_run(const SequenceArguments& sequence,
                                     const std::vector<Axis>& axes,
                                     const std::vector<std::size_t>& chosen) {
  std::vector<std::string> lets = sequence.lets;
  for (std::size_t a = 0; a < axes.size(); ++a) {
    if (!axes[a].variable.empty())
      lets.push_back(axes[a].variable + "=" + axes[a].values[chosen[a]]);
  }
  return lets;
}

void add_settings(std::vector<std::string>& settings, const std::vector<Axis>& axes,
                  const std::vector<std::size_t>& chosen) {
  for (std::size_t a = 0; a < axes.size(); ++a) {
    for (const std::string& key : axes[a].keys) {
      settings.push_back(key + "=" + axes[a].values[chosen[a]]);
    }
  }
}

std::vector<std::string> command_of(const Task& task, const std::vector<std::string>& settings,
                                    const std::vector<std::string>& lets, const fs::path& folder) {
  std::vector<std::string> command{task.program, "run",      task.config.file,
                                   "--offline",  "--report", (folder / "report.json").string()};
  const auto add = [&](const char* option, const std::string& value) {
    if (value.empty()) return;
    command.emplace_back(option);
    command.push_back(value);
  };
  add("--duration", task.duration);
  add("--node", task.config.node);
  add("--sequence", task.sequence);
  for (const std::string& let : lets) add("--let", let);
  for (const std::string& setting : settings) add("--set", setting);
  for (const auto& [key, name] : task.recordings) {
    const std::string file = fs::absolute(folder / name).string();
    command.emplace_back("--set");
    command.push_back(key + "='" + boost::replace_all_copy(file, "'", "''") + "'");
  }
  return command;
}

// It ends with this process, and what it says goes to its folder.
pid_t start(const std::vector<std::string>& command, const fs::path& folder) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  const std::string output = (folder / "output.txt").string();
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  const int nothing = ::open("/dev/null", O_RDONLY);
  const int file = ::open(output.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(file, STDOUT_FILENO);
  ::dup2(file, STDERR_FILENO);
  ::execv(arguments[0], arguments.data());
  ::_exit(static_cast<int>(ExitCode::fault));
}

int exit_code_of(int status) {
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// The last words of a run that came to no report.
std::string last_words(const fs::path& output, int code) {
  std::istringstream text(whole_file(output).value_or(""));
  std::string last;
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("hild: ")) last = line.substr(6);
  }
  return last.empty() ? fmt::format("it ended with {} and said nothing", code) : last;
}

// The first step of the sequence that did not pass, and why.
std::string failed_step(const boost::json::value& report) {
  for (const char* const list : {"/sequence/steps", "/sequence/always"}) {
    boost::system::error_code none;
    const auto* const steps = report.find_pointer(list, none);
    if (steps == nullptr || !steps->is_array()) continue;
    for (const boost::json::value& step : steps->as_array()) {
      const std::string_view result = step.at("result").as_string();
      if (result != "failed" && result != "error") continue;
      const auto* const why = step.as_object().if_contains("message");
      return fmt::format("{}: {}", std::string_view(step.at("name").as_string()),
                         why != nullptr ? std::string_view(why->as_string()) : result);
    }
  }
  return {};
}

void note_end(report::SweptRun& run, int status) {
  run.exit_code = exit_code_of(status);
  boost::system::error_code problem;
  run.report =
      boost::json::parse(whole_file(fs::path(run.folder) / "report.json").value_or(""), problem);
  if (problem) run.report = nullptr;
  const auto* const words = run.report.find_pointer("/outcome/message", problem);
  if (std::string failed = failed_step(run.report); !failed.empty()) {
    run.message = std::move(failed);
    return;
  }
  run.message = words != nullptr && words->is_string()
                    ? std::string(words->as_string())
                    : last_words(fs::path(run.folder) / "output.txt", run.exit_code);
}

/// The processes at work.
class Workers {
 public:
  explicit Workers(std::size_t most) : most_(most) {}

  [[nodiscard]] bool full() const noexcept { return working_.size() >= most_; }
  [[nodiscard]] bool any() const noexcept { return !working_.empty(); }
  void begin(report::SweptRun& run, const std::vector<std::string>& command) {
    const pid_t pid = start(command, run.folder);
    if (pid < 0) {
      throw Error{fmt::format("cannot start another process: {}", std::strerror(errno)),
                  ExitCode::fault};
    }
    working_.push_back({&run, pid, process_descriptor(pid)});
  }
  /// Waits until one has ended.
  void await_one() {
    std::vector<pollfd> ends;
    for (const Working& w : working_) ends.push_back({w.end.get(), POLLIN, 0});
    while (::poll(ends.data(), ends.size(), -1) < 0 && errno == EINTR) {
    }
    std::erase_if(working_, [](const Working& w) {
      int status = 0;
      if (::waitpid(w.pid, &status, WNOHANG) != w.pid) return false;
      note_end(*w.run, status);
      return true;
    });
  }

 private:
  struct Working {
    report::SweptRun* run;
    pid_t pid;
    Descriptor end;
  };

  std::size_t most_;
  std::vector<Working> working_;
};

// What is there already might be the runs of another day.
void make_folder(const fs::path& folder) {
  std::error_code problem;
  if (fs::exists(folder, problem) && !fs::is_empty(folder, problem)) {
    throw Error{
        fmt::format("--into {}: it is there and not empty; remove it, or choose another folder",
                    folder.string())};
  }
  fs::create_directories(folder, problem);
  if (problem) {
    throw Error{fmt::format("--into {}: cannot make it: {}", folder.string(), problem.message()),
                ExitCode::fault};
  }
}

std::size_t processes(int jobs) {
  return jobs > 0 ? static_cast<std::size_t>(jobs)
                  : std::max<std::size_t>(std::thread::hardware_concurrency(), 1);
}

std::vector<Axis> axes_of(const SweepArguments& a, const SequenceArguments& sequence,
                          const config::Config& config) {
  std::vector<Axis> axes;
  if (!sequence.file.empty()) {
    for (sequence::Axis& axis : needed(sequence::sweep_of_file(sequence.file, lets_of(sequence)))) {
      axes.push_back({"$" + axis.name, {}, std::move(axis.values), axis.name});
    }
  }
  for (const std::string& text : a.values) axes.push_back(axis_of(text));
  if (!a.seeds.empty()) axes.push_back(axis_of_seeds(a.seeds, config));
  return axes;
}

// Of every run before the first is begun: their names are those of one configuration.
void check_sequence(const SequenceArguments& sequence, const std::vector<Axis>& axes,
                    const std::vector<std::vector<std::size_t>>& all,
                    const plan::Assembly& assembly) {
  if (sequence.file.empty()) return;
  const sequence::Names names = names_of(assembly);
  std::vector<std::string> before;
  for (const auto& chosen : all) {
    std::vector<std::string> lets = lets_of_run(sequence, axes, chosen);
    if (lets == before) continue;  // it differs in settings alone
    (void)needed(sequence::parse_file(sequence.file, &names, lets_of({"", lets, ""})));
    before = std::move(lets);
  }
}

report::Sweep planned(const std::string& file, const std::vector<Axis>& axes,
                      const std::vector<std::vector<std::size_t>>& all, const fs::path& into) {
  report::Sweep sweep{file, {}, {}};
  for (const Axis& axis : axes) sweep.keys.push_back(axis.name);
  for (const auto& chosen : all) {
    report::SweptRun run;
    for (std::size_t a = 0; a < axes.size(); ++a) run.values.push_back(axes[a].values[chosen[a]]);
    run.folder = (into / fmt::format("{:03}", sweep.runs.size() + 1)).string();
    sweep.runs.push_back(std::move(run));
  }
  return sweep;
}

}  // namespace

std::vector<std::string> split_values(std::string_view text) {
  std::vector<std::string> values(1);
  int depth = 0;
  char quote = '\0';
  for (const char c : text) {
    if (quote != '\0') {
      if (c == quote) quote = '\0';
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '{' || c == '[' || c == '(') {
      ++depth;
    } else if (c == '}' || c == ']' || c == ')') {
      --depth;
    } else if (c == ',' && depth == 0) {
      values.emplace_back();
      continue;
    }
    values.back() += c;
  }
  return values;
}

std::vector<std::string> seeds_of(const std::string& text) {
  const auto refuse = [&] {
    return Error{
        fmt::format("--seeds {}: expected FIRST..LAST or numbers with commas, such as "
                    "1..8 or 1,5,9",
                    text)};
  };
  const auto number = [&](std::string_view digits) {
    std::int64_t n = 0;
    const char* const end = digits.data() + digits.size();
    const auto [read, problem] = std::from_chars(digits.data(), end, n);
    if (problem != std::errc{} || read != end || n < 0) throw refuse();
    return n;
  };
  std::vector<std::string> seeds;
  const auto dots = text.find("..");
  if (dots == std::string::npos) {
    for (const std::string& one : split_values(text)) seeds.push_back(std::to_string(number(one)));
    return seeds;
  }
  const std::int64_t first = number(std::string_view(text).substr(0, dots));
  const std::int64_t last = number(std::string_view(text).substr(dots + 2));
  if (last < first || last - first >= most_runs) throw refuse();
  for (std::int64_t n = first; n <= last; ++n) seeds.push_back(std::to_string(n));
  return seeds;
}

void add_sweep_arguments(CLI::App& command, SweepArguments& a) {
  add_repeated(command, "--sweep", a.values, "KEY=VALUES",
               "with --offline: a run for each value of a key, --sweep model.parameters.inertia="
               "'1e-4 kg m2,2e-4 kg m2'; of several keys for each combination");
  add_option(command, "--seeds", a.seeds, "FIRST..LAST",
             "with --offline: a run for each seed of the simulated devices' noise; or 1,5,9");
  add_option(command, "--jobs", a.jobs, "N",
             "that many of these runs at a time, each in a process of its own; default: one for "
             "each CPU")
      .check(CLI::Range(1, 10'000));
  add_option(command, "--into", a.into, "FOLDER",
             "what they leave: FOLDER/001 for the first, with its report.json, its output.txt and "
             "its recording; default sweep");
  command.add_flag("--json", a.as_json, "their summary as JSON, with the report of each");
}

void add_sequence_arguments(CLI::App& command, SequenceArguments& a) {
  add_option(command, "--sequence", a.file, "FILE",
             "with --offline: steer the run by a test sequence, with the end of which it ends; of "
             "one that sweeps over variables a run for each combination of their values");
  add_repeated(command, "--let", a.lets, "NAME=VALUE", "the value of a variable of the sequence");
  add_option(command, "--junit", a.junit, "FILE.xml",
             "write what came of the sequence as JUnit XML too, of all runs");
}

std::vector<sequence::Let> lets_of(const SequenceArguments& a) {
  std::vector<sequence::Let> lets;
  lets.reserve(a.lets.size());
  for (const std::string& text : a.lets) lets.push_back(needed(sequence::read_given(text)));
  return lets;
}

bool sweeps(const SequenceArguments& a) {
  const auto axes = needed(sequence::sweep_of_file(a.file, lets_of(a)));
  return std::ranges::any_of(axes, [](const auto& axis) { return axis.values.size() > 1; });
}

ExitCode sweep(const ConfigArguments& config, const std::string& duration, const SweepArguments& a,
               const SequenceArguments& sequence) {
  const config::Config as_given = needed(load(config));
  const std::vector<Axis> axes = axes_of(a, sequence, as_given);
  const auto all = combinations(axes);
  // A mistake in a key is told once, and not by every run.
  ConfigArguments first = config;
  add_settings(first.settings, axes, all.front());
  check_sequence(sequence, axes, all, plan::assemble(needed(load(first))));

  const fs::path into(a.into);
  make_folder(into);
  Task task{config, duration, fs::read_symlink("/proc/self/exe").string(), sequence.file, {}};
  for (const config::Record& record : as_given.recorders) {
    task.recordings.emplace_back(
        record.name == "record" ? "record.file" : fmt::format("recorders.{}.file", record.name),
        fs::path(record.file).filename());
  }
  report::Sweep sweep = planned(config.file, axes, all, into);
  Workers workers(processes(a.jobs));
  for (std::size_t i = 0; i < sweep.runs.size(); ++i) {
    report::SweptRun& run = sweep.runs[i];
    fs::create_directory(run.folder);
    std::vector<std::string> settings = config.settings;
    add_settings(settings, axes, all[i]);
    while (workers.full()) workers.await_one();
    workers.begin(run, command_of(task, settings, lets_of_run(sequence, axes, all[i]), run.folder));
  }
  while (workers.any()) workers.await_one();

  cli::print_text(a.as_json ? report::pretty(report::to_json(sweep))
                            : report::sweep_table(sweep, report::style_for(STDOUT_FILENO)));
  if (!sequence.junit.empty()) {
    needed(report::write_file(sequence.junit, sequence::to_junit(report::sequences_of(sweep))));
  }
  const auto failed =
      std::ranges::find_if(sweep.runs, [](const auto& run) { return run.exit_code != 0; });
  return failed == sweep.runs.end() ? ExitCode::done : static_cast<ExitCode>(failed->exit_code);
}

}  // namespace hild::commands
