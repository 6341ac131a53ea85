// SPDX-License-Identifier: Apache-2.0
/// \file
/// Compares a step that was run again with its record.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exec/keyframe.hpp"
#include "hild/io/frame_record.hpp"

namespace hild::replay {

/// One value that differs from the recorded one.
struct Difference {
  enum class Of : std::uint8_t {
    step,   ///< what the executive did: `index` is a place in step_facts
    input,  ///< of pass `pass`
    state,
    output,
  } of = Of::state;
  std::int64_t step = 0;
  std::int64_t frame = 0;
  std::size_t pass = 0;
  std::size_t index = 0;
  double recorded = 0;
  double replayed = 0;
};

/// What a record tells of a step besides its values.
inline constexpr std::array<std::string_view, 11> step_facts{
    "frame",  "span",    "slipped frames", "passes", "state events", "external events",
    "frozen", "starter", "early",          "alarms", "open alarms"};

/// Where the state that a replay has differs from that of a keyframe.
struct StateDifference {
  std::int64_t step = 0;  ///< that comes
  std::int64_t frame = 0;
  std::string section;
  std::size_t at = 0;  ///< which byte of it
};
/// The first such place in each section that both have; of one alone where only that has it, but
/// for those of devices, which a replay does not touch.
[[nodiscard]] std::vector<StateDifference> compare(const exec::Keyframe& recorded,
                                                   std::span<const std::byte> replayed);

/// How a run differs from another.
struct Differences {
  std::int64_t compared = 0;  ///< steps
  std::int64_t differing_steps = 0;
  std::optional<Difference> first;
  /// The largest distance of each state and each output.
  std::vector<double> worst_states;
  std::vector<double> worst_outputs;

  /// Adds one, of a step that is `new_step` or the one of the difference before.
  void add(const Difference& d, bool new_step);
};

/// Calls `tell` for every value of `replayed` that is not the recorded one, in the order of cause:
/// the step itself, inputs, states, outputs. Two values are the same when all their bits are, or
/// when they are no further apart than `tolerance` times the larger of them and 1.
void compare(const io::FrameView& recorded, const io::FrameView& replayed, double tolerance,
             const std::function<void(const Difference&)>& tell);

}  // namespace hild::replay
