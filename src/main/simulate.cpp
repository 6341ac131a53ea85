// SPDX-License-Identifier: Apache-2.0
/// `hild simulate`: the configured model under an adaptive, error-controlled method, offline.
#include <fmt/format.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <map>
#include <memory>

#include "hild/core/units.hpp"
#include "hild/numerics/catalogue.hpp"
#include "main/commands.hpp"
#include "main/configured_inputs.hpp"
#include "main/interrupted.hpp"
#include "reference/csv.hpp"
#include "reference/simulation.hpp"
#include "report/pretty_json.hpp"

namespace hild::commands {
namespace {

namespace json = boost::json;

struct SimulateArguments {
  ConfigArguments config;
  std::vector<std::string> inputs;
  std::string duration, interval, first_step, smallest_step, largest_step;
  std::string output;
  std::string method = "jack";
  reference::Options options;
  bool as_json = false;
};

/// Where the rows go: a file, or standard output.
class Rows {
 public:
  Rows() = default;
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  ~Rows() { (void)close(); }

  Result<void> open(const std::string& file) {
    file_ = file.empty() ? stdout : std::fopen(file.c_str(), "w");
    if (file_ == nullptr) return fail("--output {}: {}", file, std::strerror(errno));
    return {};
  }
  void write(const reference::Text& text) {
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size() && error_ == 0) {
      error_ = errno;
    }
  }
  [[nodiscard]] bool good() const { return error_ == 0; }
  Result<void> close() {
    if (file_ == nullptr) return {};
    std::FILE* const file = std::exchange(file_, nullptr);
    const bool closed = (file == stdout ? std::fflush(file) : std::fclose(file)) == 0;
    if (!closed && error_ == 0) error_ = errno;
    if (error_ == 0) return {};
    return fail(ExitCode::fault, "cannot write the rows: {}", std::strerror(error_));
  }

 private:
  std::FILE* file_ = nullptr;
  int error_ = 0;
};

/// Writes rows, keeps the first events, shows progress on a terminal.
class Watch final : public reference::Observer {
 public:
  Watch(const model::Description& model, Rows& rows, Duration duration)
      : model_(model), rows_(rows), duration_(seconds(duration)) {
    reference::append_header(model, text_);
    flush();
  }

  void row(double t, std::span<const double> u, std::span<const double> x,
           std::span<const double> y) override {
    reference::append_row(t, u, x, y, text_);
    flush();
  }
  void state_event(double t, std::size_t index, std::span<const double> x) override {
    const auto name = model_.events[index].name;
    ++count_[name];
    if (events_.size() >= most_events) return;
    json::object states;
    for (std::size_t i = 0; i < x.size(); ++i) states[model_.states[i].name] = x[i];
    events_.push_back(json::object{{"t_s", t}, {"event", name}, {"states", std::move(states)}});
  }
  bool go_on(double t, const reference::Counts& counts) override {
    if (terminal_) progress(t, counts);
    return rows_.good() && !Interrupted::raised();
  }

  void end_progress() const {
    if (shown_) fmt::print(stderr, "\n");
  }
  [[nodiscard]] const json::array& events() const { return events_; }
  [[nodiscard]] const std::map<std::string_view, std::int64_t>& count() const { return count_; }

 private:
  static constexpr std::size_t most_events = 10'000;
  using Steady = std::chrono::steady_clock;

  void flush() {
    rows_.write(text_);
    text_.clear();
  }
  void progress(double t, const reference::Counts& counts) {
    const auto now = Steady::now();
    if (now - last_ < std::chrono::milliseconds(500)) return;
    last_ = now;
    shown_ = true;
    fmt::print(stderr, "\rt {:.6g} s / {:g} s  {:.0f} %  steps {}  h {:.2e} s ", t, duration_,
               100 * t / duration_, counts.accepted + counts.rejected, t - before_);
    before_ = t;
  }

  const model::Description& model_;
  Rows& rows_;
  double duration_;
  reference::Text text_;
  json::array events_;
  std::map<std::string_view, std::int64_t> count_;
  bool terminal_ = isatty(STDERR_FILENO) != 0;
  bool shown_ = false;
  Steady::time_point last_ = Steady::now();
  double before_ = 0;
};

/// What was asked for, what came out.
struct Outcome {
  const config::Config& config;
  const reference::Run& run;
  const SimulateArguments& arguments;
  reference::Summary summary{};
  std::string failure{};
  bool interrupted = false;
};

json::value to_json(const Outcome& o, const Watch& watch) {
  const auto& [counts, rows, state_events, time_events, end] = o.summary;
  const auto& tolerance = o.run.options.tolerance;
  json::object by_name;
  for (const auto& [name, count] : watch.count()) by_name[name] = count;
  json::object j{
      {"config", o.config.file},
      {"model", o.config.model.type},
      {"method", reference::to_string(o.run.options.formula)},
      {"rtol", tolerance.relative},
      {"atol", tolerance.absolute},
      {"duration_s", seconds(o.run.duration)},
      {"sim_time_s", end},
      {"steps", json::object{{"accepted", counts.accepted},
                             {"rejected", counts.rejected},
                             {"shortest_s", counts.shortest_step},
                             {"longest_s", counts.longest_step}}},
      {"evaluations", counts.evaluations},
      {"rows", rows},
      {"output", o.arguments.output},
      {"state_events",
       json::object{{"total", state_events}, {"by_name", by_name}, {"first", watch.events()}}},
      {"time_events", time_events},
      {"interrupted", o.interrupted},
  };
  j["error"] = o.failure.empty() ? json::value(nullptr) : json::value(o.failure);
  return j;
}

std::string to_text(const Outcome& o, const Watch& watch) {
  const auto& s = o.summary;
  std::string text = fmt::format(
      "{} by {}, tolerances {:g} relative and {:g} absolute: {}{:g} s in {} steps of {:.2e} to "
      "{:.2e} s, {} rejected, {} evaluations\n",
      o.config.model.type, reference::to_string(o.run.options.formula),
      o.run.options.tolerance.relative, o.run.options.tolerance.absolute,
      o.interrupted ? "interrupted after " : "", s.end, s.counts.accepted, s.counts.shortest_step,
      s.counts.longest_step, s.counts.rejected, s.counts.evaluations);
  for (const auto& [name, count] : watch.count())
    text += fmt::format("event {}: {}\n", name, count);
  if (s.time_events > 0) text += fmt::format("time events: {}\n", s.time_events);
  if (!o.arguments.output.empty())
    text += fmt::format("{} rows in {}\n", s.rows, o.arguments.output);
  return text;
}

Result<double> parse_step(std::string_view option, const std::string& text) {
  if (text.empty()) return 0.0;
  const auto split = split_quantity(text);
  if (!split) return fail("{} {}: expected seconds, or a time such as `10 us`", option, text);
  const auto value = split->unit.empty() ? Result<double>(split->number) : quantity(text, "s");
  if (!value) return fail("{} {}: {}", option, text, value.error().message);
  return *value;
}

Result<reference::Run> plan_run(const SimulateArguments& a, const config::Config& config) {
  const auto duration = parse_time("--duration", a.duration);
  if (!duration) return tl::make_unexpected(duration.error());
  reference::Run run{*duration, config.settings.grid, a.options};
  if (a.method == "ode-45") run.options.formula = reference::FormulaKind::ode45;
  if (!a.interval.empty()) {
    const auto interval = parse_time("--interval", a.interval);
    if (!interval) return tl::make_unexpected(interval.error());
    if (!Grid::valid(interval->ns, 1)) return fail("--interval {}: at least 1 ns", a.interval);
    run.rows = Grid::of_period(*interval);
  }
  for (const auto& [option, text, step] :
       {std::tuple{"--first-step", &a.first_step, &run.options.first_step},
        std::tuple{"--min-step", &a.smallest_step, &run.options.smallest_step},
        std::tuple{"--max-step", &a.largest_step, &run.options.largest_step}}) {
    const auto value = parse_step(option, *text);
    if (!value) return tl::make_unexpected(value.error());
    *step = *value;
  }
  if (auto good = reference::check(run.options); !good) return tl::make_unexpected(good.error());
  return run;
}

std::unique_ptr<model::Plant> make_plant(const config::Config& config) {
  auto plant = config.model.make(*numerics::find_method(config.method));
  for (std::size_t i = 0; i < config.model.parameters.size(); ++i) {
    plant->set_parameter(i, config.model.parameters[i]);
  }
  plant->set_initial(config.model.initial);
  return plant;
}

void print_summary(const Outcome& o, const Watch& watch) {
  if (o.arguments.as_json) {
    fmt::print("{}", report::pretty(to_json(o, watch)));
  } else {
    fmt::print(o.arguments.output.empty() ? stderr : stdout, "{}", to_text(o, watch));
  }
}

ExitCode simulate(const SimulateArguments& arguments) {
  if (arguments.as_json && arguments.output.empty()) {
    return complain(
        {"--json needs --output FILE: the rows and the summary would both go to "
         "standard output"});
  }
  const auto config = load(arguments.config);
  if (!config) return complain(config.error());
  const auto run = plan_run(arguments, *config);
  if (!run) return complain(run.error());
  const auto inputs = ConfiguredInputs::make(*config, arguments.inputs);
  if (!inputs) return complain(inputs.error());
  const auto plant = make_plant(*config);
  Rows rows;
  if (auto opened = rows.open(arguments.output); !opened) return complain(opened.error());

  const Interrupted interrupted;
  Watch watch(plant->description(), rows, run->duration);
  Outcome outcome{*config, *run, arguments};
  auto ended = reference::simulate(*plant, *inputs, *run, watch, outcome.summary);
  if (auto closed = rows.close(); !closed && ended) ended = closed;
  watch.end_progress();
  if (!ended) outcome.failure = ended.error().message;
  outcome.interrupted = Interrupted::raised();
  print_summary(outcome, watch);
  return ended ? ExitCode::done : complain(ended.error());
}

void add_steps(CLI::App& command, SimulateArguments& a) {
  const auto time = [&](const char* name, std::string& place, const char* words) {
    command.add_option(name, place, words)->type_name("TIME");
  };
  time("--first-step", a.first_step, "try this step first (estimated when absent)");
  time("--min-step", a.smallest_step, "fail where the error wants a shorter step");
  time("--max-step", a.largest_step, "take no longer step");
  command
      .add_option("--max-steps", a.options.max_steps,
                  "fail after this many steps, accepted and rejected")
      ->capture_default_str();
}

}  // namespace

void add_simulate(CLI::App& app, ExitCode& exit_code) {
  auto* command = app.add_subcommand(
      "simulate", "reference run offline: adaptive steps, error under control, rows as CSV");
  const auto a = std::make_shared<SimulateArguments>();
  add_config_arguments(*command, a->config);
  command->add_option("--duration", a->duration, "simulated time, in seconds or as `500 ms`")
      ->type_name("S")
      ->required();
  command
      ->add_option("--method", a->method,
                   "jack: step-doubling Runge-Kutta; ode-45: Huang's embedded pair")
      ->check(CLI::IsMember({"jack", "ode-45"}))
      ->capture_default_str();
  command->add_option("--rtol", a->options.tolerance.relative, "relative tolerance of a step")
      ->capture_default_str();
  command
      ->add_option("--atol", a->options.tolerance.absolute,
                   "absolute tolerance of a step, in the unit of each state")
      ->capture_default_str();
  command->add_option("--interval", a->interval, "time between rows (the frame when absent)")
      ->type_name("TIME");
  command->add_option("--output", a->output, "write the rows there, not to standard output")
      ->type_name("FILE");
  command
      ->add_option("--input", a->inputs, "hold an input at a value, in its unit (may be repeated)")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  add_steps(*command, *a);
  command->add_flag("--json", a->as_json, "the summary for programs, on standard output");
  command->callback([=, &exit_code] { exit_code = simulate(*a); });
}

}  // namespace hild::commands
