// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the process of a model may answer: bounds that are fixed while loading. A reply beyond them
/// comes from a process that does not do what it was started for. Real-time safe.
#pragma once

#include <cstdint>
#include <optional>

#include "foreign/remote/shared.hpp"

namespace hild::remote {

/// A word of a reply that cannot be. All views are of constants.
struct Breach {
  const char* word = nullptr;
  std::int64_t found = 0;
  const char* expected = nullptr;
};

/// What is known of a model before it is asked.
struct Known {
  bool starts = false;            ///< its method has a starter
  bool together = false;          ///< compiled with its method
  model::CapCounts cap_counts{};  ///< so far: counts do not fall
};

/// Most that a count of what was cut short may come to: further ones are not of this world, and
/// sums of several stay within their type.
inline constexpr std::int64_t most_counted = std::int64_t{1} << 52;

/// The first word of a reply to `call`, made at `t`, that is out of its bounds; none: all may be
/// used as they are.
[[nodiscard]] std::optional<Breach> breach_of(const ModelReply& reply, Call call, SimTime t,
                                              const Known& known) noexcept;

/// Whoever keeps the process of a model.
class Keeper {
 public:
  Keeper() = default;
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;
  virtual ~Keeper() = default;
  /// It answered what cannot be: it is to be ended, and this is why. Real-time safe; once at most.
  virtual void end(const Breach& why) noexcept = 0;
};

}  // namespace hild::remote
