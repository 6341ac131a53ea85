// SPDX-License-Identifier: Apache-2.0
/// \file
/// A keyframe: the state of a run between two steps, all that the steps to come follow from, so
/// that any of them is reached without those before (docs/framelog.md). In memory it is a head with
/// the bytes of the state behind it: sections by name (Archive::section), first "run", then one for
/// each owner of the loop's state. What devices do is not part of it: a replay has what they gave.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "hild/core/time.hpp"

namespace hild::exec {

/// The version of what stands in the sections: it goes up with every change of it.
inline constexpr std::uint32_t keyframe_layout = 3;

/// Where a keyframe belongs.
struct KeyframeHead {
  std::int64_t step = 0;   ///< the number of the step that comes
  std::int64_t frame = 0;  ///< the simulated frame it starts at
  SimTime time{};          ///< of that
  MonoTime tick{};         ///< when it is due, unless time is given up before it
  /// Transactions of the run that have taken effect before it, of those that wanted a reply.
  std::int64_t transactions = 0;
  std::uint64_t bytes = 0;  ///< of the state
};

/// A keyframe being read, in a slot of a ring or elsewhere.
struct KeyframeView {
  const KeyframeHead& head;
  std::span<const std::byte> state;

  /// That of a slot, aligned to 8 bytes.
  [[nodiscard]] static KeyframeView in(const std::byte* slot) noexcept {
    const auto& head = *reinterpret_cast<const KeyframeHead*>(slot);
    return {head, {slot + sizeof head, head.bytes}};
  }
};

/// A keyframe that is kept. Allocates.
struct Keyframe {
  KeyframeHead head;
  std::vector<std::byte> state;

  Keyframe() = default;
  explicit Keyframe(const KeyframeView& of)
      : head(of.head), state(of.state.begin(), of.state.end()) {}
  [[nodiscard]] KeyframeView view() const noexcept { return {head, state}; }
};

}  // namespace hild::exec
