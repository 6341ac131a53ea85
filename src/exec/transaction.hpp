// SPDX-License-Identifier: Apache-2.0
/// \file
/// What may be asked of a run from outside while it goes on (Cellier: external events). A
/// transaction is a handful of changes that take effect together, at the start of one step; a reply
/// tells which step that was, or why none of them did. All of it is of fixed size, to travel
/// through rings.
///
/// Parameters, inputs and outputs are numbered as in the description of the plant, and in its
/// units. A flag `restart` drops the multistep history: for changes that make derivatives jump.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <type_traits>
#include <variant>

#include "hild/core/time.hpp"

namespace hild::exec {

// ---- changes -----------------------------------------------------------------------------------

/// Sets one parameter, which must lie within the limits of its description.
struct SetParameter {
  std::uint32_t parameter = 0;
  double value = 0;
  bool restart = false;
};

enum class Side : std::uint8_t { input, output };

/// Falsifies a signal: an input after it was sampled, an output before it is written. The kinds
/// stack in the order of this list, each at most once on a signal; asking again replaces.
enum class OverrideKind : std::uint8_t {
  gain,     ///< times `value`
  offset,   ///< plus `value`
  noise,    ///< plus normal deviates of standard deviation `value`, the same for the same `seed`
  stuck,    ///< `value`, whatever it was
  dropout,  ///< keeps what it was last, whatever it is
};
inline constexpr std::size_t override_kinds = 5;

struct Override {
  Side side = Side::input;
  std::uint32_t signal = 0;
  OverrideKind kind = OverrideKind::stuck;
  double value = 0;
  std::uint64_t seed = 0;
  std::int64_t frames = 0;  ///< simulated frames it lasts; 0: until released
  bool restart = false;
};

/// Ends all overrides of a signal.
struct ReleaseOverride {
  Side side = Side::input;
  std::uint32_t signal = 0;
  bool restart = false;
};

/// Hz, of a stimulus: a cycle in the shortest time there is.
inline constexpr double most_hz = 1e9;

enum class Shape : std::uint8_t {
  step,      ///< `amplitude`
  ramp,      ///< from 0 to `amplitude` in the time `over`, and stays there
  sine,      ///< amplitude sin(2 pi frequency t + phase)
  chirp,     ///< a sine whose frequency goes linearly to `frequency_end` in the time `over`
  playback,  ///< `amplitude` times the table
};

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
};

struct StopStimulus {
  std::uint32_t input = 0;
  bool restart = false;
};

/// What outputs do while the plant is held.
enum class FrozenOutputs : std::uint8_t {
  hold,      ///< stay as they are
  safe,      ///< take their safe values
  declared,  ///< follow DeclareOutput; those never declared stay as they are
};

/// Holds the plant; real time goes on.
struct Freeze {
  FrozenOutputs outputs = FrozenOutputs::hold;
};
/// Advances a frozen plant by this many frames, then holds it as before.
struct StepFrames {
  std::int64_t frames = 1;
  bool freezes =
      true;  ///< also one that runs, after these frames; else it is refused where it runs
};
struct Resume {};
/// The value of an output while the plant is frozen with `declared`.
struct DeclareOutput {
  std::uint32_t output = 0;
  double value = 0;
};

/// Saves all states and parameters.
struct SaveStates {
  std::uint32_t slot = 0;
};
/// Puts saved states back; simulated time goes on, multistep histories restart. A slot that nothing
/// was saved in refuses the transaction.
struct RestoreStates {
  std::uint32_t slot = 0;
  bool parameters = false;  ///< and the parameters
};
/// Back to the initial states, and to the parameters the run began with if so wished.
struct Reset {
  bool parameters = false;
};

/// Marks the record of the step: the trigger of a recording.
struct Mark {
  std::uint32_t label = 1;
};

using Change =
    std::variant<SetParameter, Override, ReleaseOverride, Stimulus, StopStimulus, Freeze,
                 StepFrames, Resume, DeclareOutput, SaveStates, RestoreStates, Reset, Mark>;
static_assert(std::is_trivially_copyable_v<Change>);

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
[[nodiscard]] EventClass class_of(const Change& change) noexcept;

// ---- transactions ------------------------------------------------------------------------------

inline constexpr std::size_t max_changes = 16;
inline constexpr std::size_t saved_slots = 8;

/// When a transaction takes effect: at the next step, or at the first one that starts at or after
/// a simulated frame, or time.
struct When {
  enum class Kind : std::uint8_t { at_once, frame, time } kind = Kind::at_once;
  std::int64_t frame = 0;
  SimTime time{};

  static constexpr When at_frame(std::int64_t n) noexcept { return {Kind::frame, n, {}}; }
  static constexpr When at_time(SimTime t) noexcept { return {Kind::time, 0, t}; }
};

struct Transaction {
  std::uint64_t id = 0;  ///< the poster's choice; 0: no replies are wanted
  When when{};
  /// Not 0: it has no changes, but takes back one that waits for its frame, of this id; where none
  /// waits any more, it does nothing.
  std::uint64_t withdraws = 0;
  std::uint32_t count = 0;
  std::array<Change, max_changes> change{};

  /// False, and nothing added, when it is full.
  bool add(const Change& c) noexcept {
    if (count == max_changes) return false;
    change[count++] = c;
    return true;
  }
  [[nodiscard]] std::span<const Change> changes() const noexcept { return {change.data(), count}; }
};
static_assert(std::is_trivially_copyable_v<Transaction>);

// ---- replies -----------------------------------------------------------------------------------

enum class Refusal : std::uint8_t {
  none,
  no_slack,        ///< it found no slack in as many frames as it may wait
  queue_full,      ///< no room among those posted, or among those that wait for a frame far ahead
  unknown_target,  ///< no such parameter, signal, slot; or no change at all
  out_of_limits,   ///< a parameter's limits, or a count or a duration that makes no sense
  not_finite,
  not_tunable,    ///< a parameter that holds from the start
  bad_table,      ///< of a playback: empty, or its times do not ascend
  empty_slot,     ///< nothing was saved there
  no_id,          ///< a playback without an id: its release could not be told
  device_failed,  ///< a device did not take its safe value
  run_ended,
  not_whole,   ///< a parameter that takes whole numbers only
  withdrawn,   ///< by another transaction, before its frame
  not_frozen,  ///< a step of a plant that runs
};
[[nodiscard]] std::string_view to_string(Refusal r) noexcept;

struct Reply {
  enum class Kind : std::uint8_t {
    accepted,  ///< took effect, at `frame`
    refused,   ///< nothing of it did
    released,  ///< the tables of the transaction are not read any more
  };
  std::uint64_t id = 0;
  Kind kind = Kind::accepted;
  Refusal refusal = Refusal::none;
  std::uint32_t change = 0;  ///< refused: the one at fault; released: the one that held the table
  std::int64_t frame = 0;    ///< the simulated frame of the step at whose start it took effect
  SimTime time{};            ///< and its time; of a refusal, those of the step to come
};

}  // namespace hild::exec
