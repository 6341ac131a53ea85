// SPDX-License-Identifier: Apache-2.0
/// \file
/// What may be asked of a run from outside while it goes on (Cellier: external events). A change is
/// of fixed size, to travel through rings, and describes itself: `schema` what it is, `fields` what
/// it consists of (field.hpp). A new kind is a struct here, its place in Change, and what
/// ExternalControl does with it.
///
/// Parameters, inputs and outputs are numbered as in the description of the plant, and in its
/// units. A flag `restart` drops the multistep history: for changes that make derivatives jump.
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

/// Changes of one class cost about the same, and are admitted and counted together.
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

/// What a kind of change is.
struct ChangeSchema {
  std::string_view name;     ///< of the method that asks for it, and in records
  std::string_view keyword;  ///< of a step of a sequence
  std::string_view summary;
  EventClass cost = EventClass::mode;
  bool safe = false;  ///< makes a run safer: open to all, whoever has control
  bool part = false;  ///< is asked for with another one only
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
  /// Beyond what its fields tell: of the parameter that there is.
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

// ---- stimuli -----------------------------------------------------------------------------------

/// Hz, of a stimulus: a cycle in the shortest time there is.
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

/// Points of a function of time, straight lines between them; before the first and after the last
/// it holds. The memory is the poster's, and must stay as it is until a reply says `released`.
struct PlaybackTable {
  const double* times = nullptr;  ///< s since the stimulus took effect, strictly ascending
  const double* values = nullptr;
  std::size_t size = 0;
};

/// A signal made by the loop as a function of simulated time, since the step it took effect at. One
/// for each input: another one takes its place.
struct Stimulus {
  std::uint32_t input = 0;
  Shape shape = Shape::step;
  bool replace = false;  ///< instead of what was sampled; else added to it
  double offset = 0;
  double amplitude = 0;
  double frequency = 0;      ///< Hz, within +-most_hz
  double frequency_end = 0;  ///< Hz, likewise
  double phase = 0;          ///< rad
  Duration over{};
  Duration duration{};  ///< then it ends; 0: lasts until it is stopped
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
  bool freezes =
      true;  ///< also one that runs, after these frames; else it is refused where it runs

  static constexpr ChangeSchema schema{"step", "step", "advances a frozen plant", EventClass::mode};
  template <class V, class C>
  static void fields(V& v, C& c) {
    v.whole({.name = "frames", .help = "how many; default: 1", .argument = true}, c.frames,
            {1, INT64_MAX, 1});
    v.flag({"freeze", "also a plant that runs: it takes these frames and is frozen then"},
           c.freezes);
  }
};

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

/// Puts saved states back; simulated time goes on, multistep histories restart. A slot that nothing
/// was saved in refuses the transaction.
struct RestoreStates {
  std::uint32_t slot = 0;
  bool parameters = false;  ///< and the parameters

  static constexpr ChangeSchema schema{"restore", "restore", "puts the states of a slot back",
                                       EventClass::restore};
  template <class V, class C>
  static void fields(V& v, C& c) {
    v.whole(slot_field, c.slot, slot_range);
    v.flag({"parameters", "and the parameters"}, c.parameters);
  }
};

/// Back to the initial states, and to the parameters the run began with if so wished.
struct Reset {
  bool parameters = false;

  static constexpr ChangeSchema schema{"reset", "reset", "back to the initial states",
                                       EventClass::restore};
  template <class V, class C>
  static void fields(V& v, C& c) {
    v.flag({"parameters", "and to the parameters the run began with"}, c.parameters);
  }
};

/// Marks the record of the step: the trigger of a recording.
struct Mark {
  std::uint32_t label = 1;

  static constexpr ChangeSchema schema{"mark", "mark", "marks the record of the step",
                                       EventClass::mark};
  template <class V, class C>
  static void fields(V& v, C& c) {
    v.whole({"label", "the number it is marked with; default: 1"}, c.label, {1, UINT32_MAX, 1});
  }
};

// ---- any of them -------------------------------------------------------------------------------

/// Recordings know a kind by its name.
using Change =
    std::variant<SetParameter, Override, ReleaseOverride, Stimulus, StopStimulus, Freeze,
                 StepFrames, Resume, DeclareOutput, SaveStates, RestoreStates, Reset, Mark>;
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

/// In the order of Change.
inline constexpr const auto& change_schemas = detail::SchemasOf<Change>::all;

[[nodiscard]] inline EventClass class_of(const Change& change) noexcept {
  return change_schemas[change.index()].cost;
}

}  // namespace hild::exec
