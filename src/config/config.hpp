// SPDX-License-Identifier: Apache-2.0
/// \file
/// A checked configuration: everything in it has been validated, converted to base units and
/// resolved against the model, the method and the drivers. Nothing is guessed.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/record.hpp"
#include "config/write_yaml.hpp"
#include "exec/admission.hpp"
#include "exec/alarms.hpp"
#include "exec/interlock.hpp"
#include "exec/settings.hpp"
#include "hild/core/result.hpp"
#include "hild/core/time.hpp"
#include "hild/model/description.hpp"
#include "hild/model/multirate.hpp"
#include "hild/model/stepper.hpp"
#include "hild/rt/clock.hpp"
#include "io/bus.hpp"
#include "model/coupled/composition.hpp"

namespace hild::contain {
class ModelSource;
}

namespace hild::model {
class Calculation;
}

namespace hild::config {

/// The words of `integrator.sampling`, in the order of the enumeration.
inline constexpr std::array<std::string_view, 4> samplings{"frame", "stage", "extrapolate",
                                                           "behind"};
[[nodiscard]] constexpr std::string_view word_of(exec::Sampling sampling) noexcept {
  return samplings[static_cast<std::size_t>(sampling)];
}
/// The words for polynomials of degree 0, 1 ... through images, in `extrapolation`.
inline constexpr std::array<std::string_view, 4> extrapolations{"hold", "linear", "quadratic",
                                                                "cubic"};

/// The part of the section `frame: {period: 1 ms | rate: 3 kHz, clock, margin, cpu, workers: [2,
/// 3], priority, late_wake}` that the executive itself does not use (the grid and late_wake are in
/// Config::settings).
struct Frame {
  rt::ClockKind clock = rt::ClockKind::sleep;
  std::optional<Duration> margin;  ///< of sleep+spin; measured at start when absent
  int cpu = -1;                    ///< -1: any
  std::vector<int> workers{};      ///< CPUs whose workers share the models that have no CPU
  int priority = 80;               ///< 0: ordinary scheduler
  /// Where the frames follow a device (settings.follow): its name, and the number of one of the
  /// inputs that come with the image which is the tick.
  std::string follows{};
  std::size_t follows_input = 0;
};

/// The section `model: {type: dc-motor, parameters: {inertia: 0.01 kg m2}, initial: {speed: 3
/// rad/s}}`; instead of type also {plugin: build/pump.so}, {fmu: pump.fmu} or {table: {file:
/// thrust.csv}} or {bond: {effort: N, displacement: m, stiffness: 1e5 N/m}}; with all of them but
/// the last two {process: own}, and {plausible: {speed: -400 rad/s..400 rad/s, current: none}}.
struct Model {
  std::string type;      ///< the model's name
  std::string file;      ///< path of a plug-in, an FMU or a table; else empty
  bool advances = true;  ///< by a method; false: it has nothing to integrate
  bool fmu = false;      ///< it is one
  bool sampled = false;  ///< it stands for nothing where time is not sampled: one end of a bond
  model::Description description;
  /// For a trusted model: make its equations; make a stepper of it under a method; make one by
  /// partitions, where the description has some.
  std::function<std::unique_ptr<model::System>()> make_system;
  std::function<std::unique_ptr<model::Stepper>(const numerics::Method&)> make;
  std::function<std::unique_ptr<model::Stepper>(const model::Multirate&)> make_multirate;
  std::vector<double> parameters;  ///< all of them, in the model's order and units
  std::vector<double> initial;     ///< all states, in the model's order and units
  /// The plausible range of each state, which contains its initial value; infinite where none is
  /// configured.
  std::vector<io::Interval> plausible;
  /// The model runs in a process of its own, which has this long for an answer; none: it runs in
  /// this process.
  std::optional<Duration> contained;
  /// The source from which that process makes the model. None of the model's code runs here: `make`
  /// and the like are empty.
  std::shared_ptr<const contain::ModelSource> source;
  /// Its calculated channels, which are the last outputs of the description; null: there are none.
  std::shared_ptr<const model::Calculation> calculation;
  std::string jacobian;  ///< of an FMU: how its Jacobian is made, and what one costs
};

/// One of several models, of the section `models: {motor: {type: dc-motor, integrator: {method:
/// rtam-2}, substeps: 4}, load: {fmu: load.fmu, integrator: {method: rk-4}, every: 5}, pump:
/// {plugin: pump.so, integrator: {method: rk-4}, cpu: 2}}`.
struct Part {
  std::string name;
  Model model;
  numerics::Method method;                    ///< the method of its integrator
  std::optional<model::Multirate> multirate;  ///< of {method: multirate}
  coupled::Rate rate;
  /// Whose worker runs it; of a model in the background, where its own thread does; -1: none in
  /// particular.
  int cpu = -1;
};

/// The section `safety: {guard: true, within: 1 s, ramp_in: 1 s, clamped: {then: safe-stop, after:
/// 1 s}}`. What follows when outputs are clamped is exec::Clamping.
struct Safety {
  bool guard = true;  ///< whether a second process watches the run
  Duration within{};  ///< so long after the last frame of a run that hangs, safe actions have begun
  Duration within_ordinary{};  ///< the same where frames run under the ordinary scheduler
  Duration ramp_in{};          ///< time that outputs take to the model's values once they are armed
};

/// An entry of `control.roles`: {trainee: {socket: trainee.sock, mode: 0660, group: trainees,
/// token_file: token, may: {set: [rudder, throttle], mark: all}}}: clients that may change some of
/// the run.
struct Role {
  /// What it may do besides what makes a run safe.
  struct Right {
    std::string method;  ///< a kind of change, or `arm`, `record`, `take`, `arrange`, `begin`
    std::vector<std::string> names;  ///< of what may be changed or begun; empty: of everything
  };
  std::string name;
  std::string socket;    ///< path of a Unix socket of its own; empty: none
  unsigned mode = 0660;  ///< file mode of the socket
  std::string group;     ///< group of the socket; empty: that of the process
  std::string token;     ///< what its HTTP requests carry; empty: it has none
  std::vector<Right> may;
};

/// control: {socket: auto, mode: 0660, group: hild, http: 127.0.0.1:8080, token_file: token,
///           writing: true, limits: {message: 65536, depth: 16, clients: 100, rate: 2000},
///           roles: {...}, dashboards: {Bench 1: bench.json}}
struct Control {
  /// One that the page shows, and nobody replaces or removes.
  struct Dashboard {
    std::string name;
    std::string text;  ///< of its file, which was checked
  };
  /// A test sequence that clients may have begun.
  struct Sequence {
    std::string name;
    std::string file;  ///< its path, which nobody has looked at; read anew each time it is begun
    std::vector<std::string> included{};  ///< files that it was found to include, once it was read
  };
  std::string socket = "auto";   ///< path of the Unix socket; "auto": the default path; empty: none
  unsigned mode = 0660;          ///< file mode of the socket
  std::string group;             ///< group of the socket; empty: that of the process
  std::string address;           ///< IP address of HTTP, as written; empty: no HTTP
  std::uint16_t port = 0;        ///< 0: any that is free
  std::string token;             ///< the token HTTP requests must carry; empty: none
  bool writing = true;           ///< whether anything can be changed
  bool http_writing = true;      ///< whether anything can be changed by HTTP
  std::size_t message = 65'536;  ///< bytes
  std::size_t depth = 16;
  std::size_t clients = 100;  ///< by the Unix socket, and as many by HTTP
  double rate = 2000;         ///< requests a second of one client
  std::vector<Role> roles{};
  std::vector<Dashboard> dashboards{};  ///< the first is what the page shows at first
  std::vector<Sequence> sequences{};    ///< in the order in which they are shown
};

/// One entry of the section `interlocks: {overspeed: {output: speed, max: 400 rad/s},
/// emergency_stop: {device: daq, channel: 3, digital: true, max: 0.5}}`: a condition that ends the
/// run at once.
struct Interlock {
  std::string name;
  std::string signal;  ///< "output speed", "line daq 3", for people
  exec::Interlock limits;
};

/// One entry of the section `alarms: {hot: {watch: temperature, above: 360 K, hysteresis: 5 K,
/// after: 200 ms, latch: true, text: "the winding is hot", then: disarm}}`.
struct Alarm {
  std::string name;
  std::string signal;  ///< "output temperature", for people
  std::string unit;    ///< of the signal
  std::string text;    ///< what it means, for people; may be empty
  exec::Alarm alarm;
};

/// Several models, in the order of the file, and how they are coupled: `connections: [{from:
/// motor.shaft_speed, to: load.speed, extrapolation: hold, delay: none, scale: 1 V s/rad}]`.
struct Coupled {
  std::vector<std::unique_ptr<const Part>> parts;
  std::shared_ptr<const coupled::Composition> composition;
};

/// The whole configuration. Its other sections (all with the defaults of exec/settings.hpp):
///
/// integrator: {method: rtam-2, sampling: stage, extrapolation: linear, outputs: at-tick,
///              max_events: 4}
/// integrator: {method: multirate, interface: hold, partitions: {fast: {method: ab-2, ratio: 10},
///              slow: {method: ab-2}}}
/// overrun: {policy: double, max_debt: 8, limit: {percent: 1, window: 1000, consecutive: 10},
///           then: safe-stop, startup_grace: 100, evidence: true}
/// events: {guard: 5 us, max_deferrals: 1000}
/// budget: {utilisation: 80 %, with_time_events: 40 %, with_state_events: 20 %}
struct Config {
  std::string file;
  Frame frame;
  exec::Settings settings;
  Model model;  ///< of several models: their composition, which is not made from here
  std::optional<Coupled> coupled;  ///< of the section `models`; none: there is one model
  /// Its name in the catalogue; of several methods: in words.
  std::string method;
  std::optional<model::Multirate> multirate;  ///< of integrator: {method: multirate}
  std::vector<io::Member> devices;            ///< made, channels added, not opened
  /// Where a device is simulated in the place of another driver's, that one, which only says what
  /// its channels are; as many as devices.
  std::vector<std::unique_ptr<io::Device>> in_place_of;
  std::vector<io::InputSignal> inputs;    ///< one for each input of the model, in its order
  std::vector<io::OutputSignal> outputs;  ///< one for each output of the model, in its order
  std::vector<Interlock> interlocks;
  std::vector<Alarm> alarms;           ///< at most exec::most_alarms
  std::vector<io::InputSignal> lines;  ///< read for interlocks only; they follow the model's inputs
  exec::AdmissionSettings admission;   ///< of the section `events`
  Safety safety;
  Duration
      standstill_ordinary{};  ///< overrun.standstill where frames run under the ordinary scheduler
  /// The causes of overruns are also found by what the kernel did to the frame thread.
  bool evidence = false;
  std::vector<Record> recorders;  ///< of `record` and `recorders`; none: the run is not recorded
  /// The whole configuration as YAML, with includes and settings merged.
  std::string resolved;
  std::vector<SourceText> sources;  ///< the texts it was read from
  std::optional<Control> control;   ///< none: the run has no control server
};

/// A setting `--set a.b.c=value` of the command line, applied before anything is checked.
struct Setting {
  std::string key;
  std::string value;
};

/// Reads, checks and resolves a configuration file, of a system of several nodes that of `node`
/// (else empty). The error names file, line, key, what was found and what was expected. Opens no
/// device.
[[nodiscard]] Result<Config> load(const std::string& file, const std::vector<Setting>& settings,
                                  std::string_view node = {});

/// The nodes of a file, in its order: `nodes: {engine: {...}, load: {...}}`; empty where it is the
/// configuration of one.
[[nodiscard]] Result<std::vector<std::string>> nodes_in(const std::string& file);

/// Likewise for a text in memory, which may not include files; `name` stands for the file.
[[nodiscard]] Result<Config> load_text(const std::string& text, const std::string& name,
                                       const std::vector<Setting>& settings = {});

}  // namespace hild::config
