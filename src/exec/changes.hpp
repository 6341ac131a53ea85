// SPDX-License-Identifier: Apache-2.0
/// \file
/// The changes that may be asked of a run from outside while it goes on (Cellier: external events).
/// A change has a fixed size, so that it can travel through rings, and describes itself: `schema`
/// says what it is, `fields` what it consists of (field.hpp). To add a kind: a struct here, its
/// place in Change, and what ExternalControl does with it.
///
/// Parameters, inputs and outputs are numbered as in the description of the plant, faults of
/// devices by their sampler, alarms as configured; values are in their units. A flag `restart`
/// drops the history of a multistep method: for changes that make derivatives jump.
#pragma once

#include <array>
#include <cmath>
#include <type_traits>
#include <variant>

#include "exec/fault_kinds.hpp"
#include "exec/refusal.hpp"
#include "hild/core/time.hpp"
#include "hild/model/description.hpp"

namespace hild::exec {

/// The class of a change. Changes of one class cost about the same, and are admitted and counted
/// together.
enum class EventClass : std::uint8_t {
  parameter,
  override_signal,
  stimulus,
  mode,  ///< freeze, step, resume, declared outputs
  snapshot,
  restore,
  mark,
};
inline constexpr std::size_t event_classes = 7;
[[nodiscard]] std::string_view to_string(EventClass c) noexcept;

/// The names and the properties of one kind of change.
struct ChangeSchema {
  std::string_view name;     ///< of the control method that asks for it; also its name in records
  std::string_view keyword;  ///< of the step of a sequence that asks for it
  std::string_view summary;
  EventClass cost = EventClass::mode;
  bool safe = false;  ///< makes a run safer: anybody may ask for it, whoever has control
  bool part = false;  ///< can only be asked for together with another change
};

inline constexpr std::size_t saved_slots = 8;
inline constexpr Field restart_field{
    "restart", "drop the history of a multistep method: for changes that make derivatives jump"};
inline constexpr Field slot_field{.name = "slot", .help = "0 to 7; default: 0", .argument = true};
inline constexpr Whole slot_range{0, saved_slots - 1, 0, true};

// ---- signals and parameters --------------------------------------------------------------------

/// Sets one parameter, which must lie within the limits of its description.
struct SetParameter {
  std::uint32_t parameter = 0;
  double value = 0;
  bool restart = false;

  static constexpr ChangeSchema schema{"set", "set", "parameters", EventClass::parameter};
  template <class V, class C>
  static void fields(V& v, C& c) {
    v.setting({.name = "values",
               .help = "parameters by name, each in its unit or with its own",
               .argument = true},
              Target::parameter, c.parameter, c.value);
    v.flag(restart_field, c.restart);
  }
  /// Why parameter `p` cannot take this value; `none` when it can.
  [[nodiscard]] Refusal refused_by(const model::Parameter& p) const noexcept {
    if (!p.tunable) return Refusal::not_tunable;
    if (p.whole && value != std::round(value)) return Refusal::not_whole;
    return value < p.low || value > p.high ? Refusal::out_of_limits : Refusal::none;
  }
};

/// Falsifies a signal: an input after it was sampled, an output before it is written. The kinds
/// stack in the order of their list, each at most once on a signal; asking again replaces.
struct Override {
  Side side = Side::input;
  std::uint32_t signal = 0;
  OverrideKind kind = OverrideKind::stuck;
  double value = 0;
  std::uint64_t seed = 0;
  std::int64_t frames = 0;  ///< simulated frames it lasts; 0: until released
  bool restart = false;

  static constexpr ChangeSchema schema{"override", "fault", "falsifies an input or an output",
                                       EventClass::override_signal};
  template <class V, class C>
  static void fields(V& v, C& c) {
    v.signal({.name = "signal", .help = "an input or output", .argument = true}, c.side, c.signal);
    v.choice({.name = "kind", .help = "what is wrong with it", .argument = true}, c.kind,
             fault_words);
    const FaultKind& kind = fault_kind(c.kind);
    if (v.has(kind.takes_value)) {
      v.number({.name = "value",
                .help = "a number in the signal's unit, or with its own",
                .argument = true},
               c.value, kind.value);
    }
    if (v.has(kind.draws)) v.whole({"seed", "of noise: the same seed, the same noise"}, c.seed, {});
    v.frames({.name = "frames",
              .help = "it lasts as many frames; default: until released",
              .key = "for"},
             c.frames);
    v.flag(restart_field, c.restart);
  }
};

/// Ends all overrides of a signal.
struct ReleaseOverride {
  Side side = Side::input;
  std::uint32_t signal = 0;
  bool restart = false;

  static constexpr ChangeSchema schema{"release", "release", "ends all overrides of a signal",
                                       EventClass::override_signal};
  template <class V, class C>
  static void fields(V& v, C& c) {
    v.signal({.name = "signal", .help = "an input or output", .argument = true}, c.side, c.signal);
    v.flag(restart_field, c.restart);
  }
};

/// Makes something wrong with a device; its driver says what there is (hild/io/device_fault.hpp).
/// Asking again replaces.
struct InjectFault {
  std::uint32_t fault = 0;
  double value = 0;
  std::int64_t frames = 0;  ///< it lasts; 0: until it is cleared

  static constexpr ChangeSchema schema{"inject", "inject", "makes something wrong with a device",
                                       EventClass::override_signal};
  template <class V, class C>
  static void fields(V& v, C& c) {
    v.target(
        {.name = "fault", .help = "of a device, such as bus.Command.missing", .argument = true},
        Target::device_fault, c.fault);
    v.number({.name = "value",
              .help = "of those that have one, in the fault's unit or with its own",
              .argument = true},
             c.value, {.otherwise = 0});
    v.frames({.name = "frames",
              .help = "it lasts as many frames; default: until it is cleared",
              .key = "for"},
             c.frames);
  }
};

/// Ends a fault of a device.
struct ClearFault {
  std::uint32_t fault = 0;

  static constexpr ChangeSchema schema{"clear", "clear", "ends a fault of a device",
                                       EventClass::override_signal};
  template <class V, class C>
  static void fields(V& v, C& c) {
    v.target({.name = "fault", .help = "of a device", .argument = true}, Target::device_fault,
             c.fault);
  }
};

// ---- stimuli -----------------------------------------------------------------------------------

/// The highest frequency of a stimulus, in Hz: one cycle in a nanosecond, the resolution of time.
inline constexpr double most_hz = 1e9;

enum class Shape : std::uint8_t {
  step,      ///< `amplitude`
  ramp,      ///< from 0 to `amplitude` in the time `over`, and stays there
  sine,      ///< amplitude sin(2 pi frequency t + phase)
  chirp,     ///< a sine whose frequency goes linearly to `frequency_end` in the time `over`
  playback,  ///< `amplitude` times the table
};
inline constexpr std::array<Word, 5> shape_words{{{"step", ""},
                                                  {"ramp", ""},
                                                  {"sine", ""},
                                                  {"chirp", "a sine of changing frequency"},
                                                  {"playback", "a table"}}};

/// A function of time given by points with straight lines between them; before the first point and
/// after the last its value is constant. The memory is the poster's, and must stay unchanged until
/// a reply says `released`.
struct PlaybackTable {
  const double* times = nullptr;  ///< s since the stimulus took effect, strictly ascending
  const double* values = nullptr;
  std::size_t size = 0;
};

/// A signal that the loop makes as a function of simulated time, counted from the step at which it
/// took effect. An input has one at most: a new one replaces it.
struct Stimulus {
  std::uint32_t input = 0;
  Shape shape = Shape::step;
  bool replace = false;  ///< it replaces what was sampled; else it is added to it
  double offset = 0;
  double amplitude = 0;
  double frequency = 0;      ///< Hz, within +-most_hz
  double frequency_end = 0;  ///< Hz, likewise
  double phase = 0;          ///< rad
  Duration over{};
  Duration duration{};  ///< after which it ends; 0: it lasts until it is stopped
  PlaybackTable table{};
  bool restart = false;

  static constexpr ChangeSchema schema{"stimulate", "stimulate",
                                       "adds a signal to an input, or puts it in its place",
                                       EventClass::stimulus};
  template <class V, class C>
  static void fields(V& v, C& c) {
    using enum Shape;
    constexpr Quantity hz{.unit = "Hz", .low = -most_hz, .high = most_hz};
    v.target({.name = "input", .help = "an input of the model", .argument = true}, Target::input,
             c.input);
    v.choice({.name = "shape", .help = "of the signal", .argument = true}, c.shape, shape_words);
    const bool turns = c.shape == sine || c.shape == chirp;
    v.flag({"replace", "instead of what was sampled; default: added to it"}, c.replace);
    v.number({"offset", "added to the shape"}, c.offset, {.otherwise = 0});
    constexpr Field amplitude{"amplitude", "in the input's unit, or with its own"};
    if (v.has(c.shape != playback)) v.number(amplitude, c.amplitude, {});
    if (v.has(turns)) {
      v.number({"frequency", "of sine and chirp, in Hz", "frequency_hz"}, c.frequency, hz);
    }
    if (v.has(c.shape == chirp)) {
      v.number({"frequency_end", "of chirp, in Hz", "frequency_end_hz"}, c.frequency_end, hz);
    }
    if (v.has(turns)) {
      v.number({"phase", "of sine and chirp, in rad", "phase_rad"}, c.phase,
               {.unit = "rad", .otherwise = 0});
    }
    if (v.has(c.shape == ramp || c.shape == chirp)) {
      v.time({"over", "how long ramp and chirp take, in s", "over_s"}, c.over, true);
    }
    v.time({"duration", "ends after so long; default: until it is quieted", "duration_s", "for"},
           c.duration, false);
    if (v.has(c.shape == playback)) {
      v.scaled(amplitude, c.amplitude,
               {"table",
                "of playback: lines of a time in s and a value, separated by a comma; the "
                "amplitude (default 1) times the value"},
               c.table);
    }
    v.flag(restart_field, c.restart);
  }
  [[nodiscard]] Refusal refused() const noexcept {
    if (!std::isfinite(std::abs(offset) + std::abs(amplitude))) return Refusal::out_of_limits;
    return shape == Shape::chirp && over.ns == 0 ? Refusal::out_of_limits : Refusal::none;
  }
};

/// Stops the stimulus of an input.
struct StopStimulus {
  std::uint32_t input = 0;
  bool restart = false;

  static constexpr ChangeSchema schema{"quiet", "quiet", "stops a stimulus", EventClass::stimulus};
  template <class V, class C>
  static void fields(V& v, C& c) {
    v.target({.name = "input", .help = "an input of the model", .argument = true}, Target::input,
             c.input);
    v.flag(restart_field, c.restart);
  }
};

// ---- whether the plant moves -------------------------------------------------------------------

/// What outputs do while the plant is held.
enum class FrozenOutputs : std::uint8_t { hold, safe, declared };
inline constexpr std::array<Word, 3> frozen_words{
    {{"hold", "they stay as they are (default)"},
     {"safe", "they take their safe values"},
     {"declared", "they take the values given; those without stay as they are"}}};

/// The value of an output while the plant is frozen with `declared`.
struct DeclareOutput {
  std::uint32_t output = 0;
  double value = 0;

  static constexpr ChangeSchema schema{
      .name = "declare", .keyword = {}, .summary = {}, .cost = EventClass::mode, .part = true};
  template <class V, class C>
  static void fields(V& v, C& c) {
    v.setting({.name = "values",
               .help = "outputs that take a value while the plant is held",
               .argument = true},
              Target::output, c.output, c.value);
  }
};

/// Holds the plant; real time goes on.
struct Freeze {
  FrozenOutputs outputs = FrozenOutputs::hold;

  static constexpr ChangeSchema schema{"freeze", "freeze", "holds the plant; real time goes on",
                                       EventClass::mode, true};
  template <class V, class C>
  static void fields(V& v, C& c) {
    v.choice({"outputs", "what outputs do meanwhile"}, c.outputs, frozen_words,
             FrozenOutputs::hold);
    if (v.has(c.outputs == FrozenOutputs::declared)) v.template part<DeclareOutput>();
  }
};

/// Advances a frozen plant by this many frames, then holds it as before.
struct StepFrames {
  std::int64_t frames = 1;
  bool freezes = true;  ///< also accepted by a running plant, which is then frozen

  static constexpr ChangeSchema schema{"step", "step", "advances a frozen plant", EventClass::mode};
  template <class V, class C>
  static void fields(V& v, C& c) {
    v.whole({.name = "frames", .help = "how many; default: 1", .argument = true}, c.frames,
            {1, INT64_MAX, 1});
    v.flag({"freeze", "also a plant that runs: it takes these frames and is frozen then"},
           c.freezes);
  }
};

/// Lets a frozen plant go on.
struct Resume {
  static constexpr ChangeSchema schema{"resume", "resume", "goes on", EventClass::mode};
  template <class V, class C>
  static void fields(V& /*v*/, C& /*c*/) {}
};

// ---- saved states ------------------------------------------------------------------------------

/// Saves all states and parameters.
struct SaveStates {
  std::uint32_t slot = 0;

  static constexpr ChangeSchema schema{"save", "save", "states and parameters into a slot",
                                       EventClass::snapshot};
  template <class V, class C>
  static void fields(V& v, C& c) {
    v.whole(slot_field, c.slot, slot_range);
  }
};

/// Puts saved states back; simulated time goes on, multistep histories restart. A transaction that
/// restores from an empty slot is refused.
struct RestoreStates {
  std::uint32_t slot = 0;
  bool parameters = false;  ///< puts the saved parameters back as well

  static constexpr ChangeSchema schema{"restore", "restore", "puts the states of a slot back",
                                       EventClass::restore};
  template <class V, class C>
  static void fields(V& v, C& c) {
    v.whole(slot_field, c.slot, slot_range);
    v.flag({"parameters", "and the parameters"}, c.parameters);
  }
};

/// Puts the plant back to its initial states and, where `parameters` is set, to the parameters the
/// run began with.
struct Reset {
  bool parameters = false;

  static constexpr ChangeSchema schema{"reset", "reset", "back to the initial states",
                                       EventClass::restore};
  template <class V, class C>
  static void fields(V& v, C& c) {
    v.flag({"parameters", "and to the parameters the run began with"}, c.parameters);
  }
};

/// Marks the record of the step with a number, which can trigger a recording.
struct Mark {
  std::uint32_t label = 1;

  static constexpr ChangeSchema schema{"mark", "mark", "marks the record of the step",
                                       EventClass::mark};
  template <class V, class C>
  static void fields(V& v, C& c) {
    v.whole({"label", "the number it is marked with; default: 1"}, c.label, {1, UINT32_MAX, 1});
  }
};

// ---- alarms ------------------------------------------------------------------------------------

/// Tells an alarm that latches that somebody knows of it. Of one that is not open nothing changes.
struct Acknowledge {
  std::uint32_t alarm = 0;

  static constexpr ChangeSchema schema{"acknowledge", "acknowledge",
                                       "an alarm that latches is known of", EventClass::mark};
  template <class V, class C>
  static void fields(V& v, C& c) {
    v.target({.name = "alarm", .help = "of the configuration", .argument = true}, Target::alarm,
             c.alarm);
  }
};

// ---- any of them -------------------------------------------------------------------------------

/// A change of any kind. Recordings identify a kind by its name.
using Change = std::variant<SetParameter, Override, ReleaseOverride, Stimulus, StopStimulus, Freeze,
                            StepFrames, Resume, DeclareOutput, SaveStates, RestoreStates, Reset,
                            Mark, InjectFault, ClearFault, Acknowledge>;
static_assert(std::is_trivially_copyable_v<Change>);
inline constexpr std::size_t kinds_of_change = std::variant_size_v<Change>;

namespace detail {
template <class V>
struct SchemasOf;
template <class... C>
struct SchemasOf<std::variant<C...>> {
  static constexpr std::array<ChangeSchema, sizeof...(C)> all{C::schema...};
};
}  // namespace detail

/// The schemas of all kinds, in the order of the alternatives of Change.
inline constexpr const auto& change_schemas = detail::SchemasOf<Change>::all;

[[nodiscard]] inline EventClass class_of(const Change& change) noexcept {
  return change_schemas[change.index()].cost;
}

}  // namespace hild::exec
