// SPDX-License-Identifier: Apache-2.0
/// `hild simulate`: the configured model under an adaptive, error-controlled method, offline.
#include <algorithm>
#include <boost/json.hpp>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "cli/main/commands.hpp"
#include "cli/main/log_progress.hpp"
#include "cli/report/pretty_json.hpp"
#include "cli/terminal/print.hpp"
#include "config/plan/assembly.hpp"
#include "core/json_parts.hpp"
#include "core/text_file.hpp"
#include "foreign/contain/process.hpp"
#include "hild/core/units.hpp"
#include "offline/reference/csv.hpp"
#include "offline/reference/simulation.hpp"

namespace hild::commands {
namespace {

namespace json = boost::json;

struct SimulateArguments {
  ConfigArguments config;
  std::vector<std::string> inputs;
  std::string duration, interval, first_step, smallest_step, largest_step;
  std::string output;
  std::string method = "jack";
  reference::AdaptiveOptions options;
  bool as_json = false;
};

// ---- its inputs --------------------------------------------------------------------------------

/// The inputs of a configuration: what arrives at the converters, in the model's units, without
/// being sampled, rounded, delayed or disturbed. They are only limited to the converters' ranges.
class ConfiguredInputs final : public reference::Inputs {
 public:
  struct WiredInput {
    const io::Signal* signal = nullptr;  ///< nullptr: `offset` is the value
    double scale = 0;
    double offset = 0;
    io::Interval range{};
    bool digital = false;
  };

  explicit ConfiguredInputs(std::vector<WiredInput> wires) : wires_(std::move(wires)) {}

  void at(double t, SimTime piece, std::span<double> u) const override {
    for (std::size_t i = 0; i < wires_.size(); ++i) {
      const WiredInput& w = wires_[i];
      if (w.signal == nullptr) {
        u[i] = w.offset;
        continue;
      }
      const double line = w.signal->value(t, piece);
      const double converted =
          w.digital ? (line >= 0.5 ? 1.0 : 0.0) : std::clamp(line, w.range.low, w.range.high);
      u[i] = w.scale * converted + w.offset;
    }
  }
  [[nodiscard]] SimTime next_break(SimTime t) const override {
    SimTime next = model::never;
    for (const WiredInput& w : wires_) {
      if (w.signal != nullptr) next = std::min(next, w.signal->next_break(t));
    }
    return next;
  }

 private:
  std::vector<WiredInput> wires_;
};

struct Given {
  std::size_t input;
  double value;
};

// NAME=VALUE, the value in the signal's unit when it has none.
Given parse_given(const model::Description& model, const std::string& text) {
  const auto equals = text.find('=');
  if (equals == std::string::npos) {
    throw Error{fmt::format("--input {}: expected NAME=VALUE", text)};
  }
  const auto name = std::string_view(text).substr(0, equals);
  const auto input = std::ranges::find(model.inputs, name, &model::Input::name);
  if (input == model.inputs.end()) {
    std::vector<std::string_view> names;
    for (const auto& i : model.inputs) names.push_back(i.name);
    throw Error{
        fmt::format("--input {}: {} has no such input; expected {}", text, model.name,
                    names.empty() ? "none" : fmt::format("one of {}", fmt::join(names, ", ")))};
  }
  const auto words = std::string_view(text).substr(equals + 1);
  const auto split = split_quantity(words);
  const auto value =
      split && split->unit.empty() ? Result<double>(split->number) : quantity(words, input->unit);
  if (!value) throw Error{fmt::format("--input {}: {}", text, value.error().message)};
  return {static_cast<std::size_t>(input - model.inputs.begin()), *value};
}

// `given` replaces some of them by constants, as NAME=VALUE. Throws an Error where there is no such
// input, or one whose value is known only in a real run (hardware, a loopback, a simulated
// controller) and is not given.
ConfiguredInputs configured_inputs(const config::Config& config,
                                   const std::vector<std::string>& given) {
  std::vector<std::optional<double>> constant(config.inputs.size());
  for (const auto& text : given) {
    const auto [input, value] = parse_given(config.model.description, text);
    constant[input] = value;
    if (!config.coupled) continue;
    for (const auto& c : config.coupled->composition->connections()) {
      if (c.to != input) continue;
      throw Error{fmt::format("--input {}: it is connected to {}", text,
                              config.model.description.outputs[c.from].name)};
    }
  }
  std::vector<ConfiguredInputs::WiredInput> wires;
  for (std::size_t i = 0; i < config.inputs.size(); ++i) {
    const io::InputSignal& s = config.inputs[i];
    if (constant[i] || s.device < 0) {
      wires.push_back({.offset = constant[i].value_or(s.start)});
      continue;
    }
    const auto& member = config.devices[static_cast<std::size_t>(s.device)];
    const io::Signal* const signal = member.device->signal(s.slot);
    if (signal == nullptr) {
      throw Error{fmt::format(
          "{}: input `{}` comes from device {} ({}), which a reference run has not: its value must "
          "follow from time alone; give it one, for example --input {}='{:g} {}'",
          config.file, s.name.view(), member.name.view(), s.channel.where.view(), s.name.view(),
          s.start, config.model.description.inputs[i].unit)};
    }
    wires.push_back({signal, s.scale, s.offset, s.channel.range, s.channel.digital});
  }
  return ConfiguredInputs(std::move(wires));
}

// ---- while it goes on --------------------------------------------------------------------------

/// Writes rows, keeps the first events, shows progress on a terminal.
class Watch final : public reference::Observer {
 public:
  Watch(const model::Description& model, TextFile& rows, Duration duration)
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
    constexpr std::size_t most_events = 10'000;
    const auto name = model_.events[index].name;
    ++count_[name];
    if (events_.size() >= most_events) return;
    json::object states;
    for (std::size_t i = 0; i < x.size(); ++i) states[model_.states[i].name] = x[i];
    events_.push_back(json::object{{"t_s", t}, {"event", name}, {"states", std::move(states)}});
  }
  bool go_on(double t, const reference::Counts& counts) override {
    progress_.show([&] {
      std::string line =
          fmt::format("t {:.6g} s / {:g} s  {:.0f} %  steps {}  h {:.2e} s", t, duration_,
                      100 * t / duration_, counts.accepted + counts.rejected, t - before_);
      before_ = t;
      return line;
    });
    return rows_.good() && !Interrupted::raised();
  }

  void end_progress() { progress_.end(); }
  [[nodiscard]] const json::array& events() const { return events_; }
  [[nodiscard]] const std::map<std::string_view, std::int64_t>& count() const { return count_; }

 private:
  void flush() {
    rows_.add({text_.data(), text_.size()});
    text_.clear();
  }

  const model::Description& model_;
  TextFile& rows_;
  double duration_;
  reference::Text text_;
  json::array events_;
  std::map<std::string_view, std::int64_t> count_;
  ProgressLine progress_;
  double before_ = 0;
};

// ---- at its end --------------------------------------------------------------------------------

/// What was asked for, and the result.
struct Simulated {
  const config::Config& config;
  const reference::SimulationRun& run;
  const std::string& output;  ///< the file of the rows; empty: standard output
  reference::Summary summary{};
  std::string failure{};
  bool interrupted = false;
};

json::value to_json(const Simulated& o, const Watch& watch) {
  const auto& [counts, rows, state_events, time_events, end, states] = o.summary;
  const auto& tolerance = o.run.options.tolerance;
  json::object by_name;
  for (const auto& [name, count] : watch.count()) by_name[name] = count;
  return {{"config", o.config.file},
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
          {"output", o.output},
          {"state_events",
           json::object{{"total", state_events}, {"by_name", by_name}, {"first", watch.events()}}},
          {"time_events", time_events},
          {"interrupted", o.interrupted},
          {"error", or_null(o.failure)}};
}

std::string to_text(const Simulated& o, const Watch& watch) {
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
  if (!o.output.empty()) text += fmt::format("{} rows in {}\n", s.rows, o.output);
  return text;
}

void print_summary(const Simulated& s, const Watch& watch, bool as_json) {
  if (as_json) {
    cli::print_text(report::pretty(to_json(s, watch)));
  } else if (s.output.empty()) {
    cli::tell_text(to_text(s, watch));
  } else {
    cli::print_text(to_text(s, watch));
  }
}

// ---- the command -------------------------------------------------------------------------------

reference::SimulationRun plan_run(const SimulateArguments& a, const config::Config& config) {
  reference::SimulationRun run{time_of("--duration", a.duration), config.settings.grid, a.options};
  if (a.method == "ode-45") run.options.formula = reference::FormulaKind::ode45;
  if (const auto interval = optional_time_of("--interval", a.interval)) {
    if (!Grid::valid(interval->ns, 1)) {
      throw Error{fmt::format("--interval {}: at least 1 ns", a.interval)};
    }
    run.rows = Grid::of_period(*interval);
  }
  const auto step = [](const char* option, const std::string& text) {
    return text.empty() ? 0.0 : seconds_of(option, text, "10 us");
  };
  run.options.first_step = step("--first-step", a.first_step);
  run.options.smallest_step = step("--min-step", a.smallest_step);
  run.options.largest_step = step("--max-step", a.largest_step);
  needed(reference::check(run.options));
  return run;
}

void simulate(const SimulateArguments& arguments) {
  if (arguments.as_json && arguments.output.empty()) {
    throw Error{
        "--json needs --output FILE: the rows and the summary would both go to standard output"};
  }
  const config::Config config = needed(load(arguments.config));
  const reference::SimulationRun run = plan_run(arguments, config);
  const ConfiguredInputs inputs = configured_inputs(config, arguments.inputs);
  const auto system = needed(plan::reference_system(config));
  TextFile rows = needed(TextFile::create(arguments.output));

  const Interrupted interrupted;
  Watch watch(system->description(), rows, run.duration);
  Simulated outcome{config, run, arguments.output};
  auto ended = reference::simulate(*system, inputs, run, watch, outcome.summary);
  const model::CapCounts* const cut = system->cap_counts();
  if (ended && cut != nullptr && cut->late_answers > 0) {
    const std::string why = contain::endings();
    ended = fail(ExitCode::fault, "its model's process did not answer{}{}", why.empty() ? "" : ": ",
                 why);
  }
  if (auto closed = rows.close(); !closed && ended) ended = closed;
  watch.end_progress();
  if (!ended) outcome.failure = ended.error().message;
  outcome.interrupted = Interrupted::raised() || rows.reader_left();
  print_summary(outcome, watch, arguments.as_json);
  needed(std::move(ended));
}

}  // namespace

void add_simulate(CLI::App& app, ExitCode& exit_code) {
  auto [command, a] = add_command(
      app, exit_code, "simulate",
      "reference run offline: adaptive steps, error under control, rows as CSV", simulate);
  add_config_arguments(command, a.config);
  add_option(command, "--duration", a.duration, "S", "simulated time, in seconds or as `500 ms`")
      .required();
  command
      .add_option("--method", a.method,
                  "jack: step-doubling Runge-Kutta; ode-45: Huang's embedded pair")
      ->check(CLI::IsMember({"jack", "ode-45"}))
      ->capture_default_str();
  command.add_option("--rtol", a.options.tolerance.relative, "relative tolerance of a step")
      ->capture_default_str();
  command
      .add_option("--atol", a.options.tolerance.absolute,
                  "absolute tolerance of a step, times the nominal value of each state")
      ->capture_default_str();
  add_option(command, "--interval", a.interval, "TIME",
             "time between rows (the frame when absent)");
  add_option(command, "--output", a.output, "FILE", "write the rows there, not to standard output");
  add_repeated(command, "--input", a.inputs, "NAME=VALUE", "hold an input at a value, in its unit");
  add_option(command, "--first-step", a.first_step, "TIME",
             "try this step first (estimated when absent)");
  add_option(command, "--min-step", a.smallest_step, "TIME",
             "fail where the error wants a shorter step");
  add_option(command, "--max-step", a.largest_step, "TIME", "take no longer step");
  command
      .add_option("--max-steps", a.options.max_steps,
                  "fail after this many steps, accepted and rejected")
      ->capture_default_str();
  command.add_flag("--json", a.as_json, "the summary for programs, on standard output");
}

}  // namespace hild::commands
