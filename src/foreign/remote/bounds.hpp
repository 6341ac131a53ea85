// SPDX-License-Identifier: Apache-2.0
/// \file
/// The bounds of what the process of a model may answer, fixed at load time. A reply beyond them
/// comes from a process that does not do what it was started for. Real-time safe.
#pragma once

#include <cstdint>
#include <optional>

#include "foreign/remote/shared.hpp"

namespace hild::remote {

/// A word of a reply that is out of its bounds. All texts are constants.
struct Breach {
  const char* word = nullptr;
  std::int64_t found = 0;
  const char* expected = nullptr;
};

/// What is known of a model before it is asked; replies are checked against it.
struct Known {
  bool starts = false;            ///< its method has a starter
  bool together = false;          ///< compiled with its method
  bool timed = false;             ///< it has time events
  model::CapCounts cap_counts{};  ///< so far: counts never decrease
  std::uint64_t state_bytes = 0;  ///< the most bytes of its state; 0: not measured
};

/// The largest value accepted for a count of what was cut short. More cannot be true, and sums of
/// several counts stay within their type.
inline constexpr std::int64_t most_counted = std::int64_t{1} << 52;

/// A request, as far as its reply depends on it.
struct Asked {
  Call call = Call::start;
  SimTime t{};    ///< asked with; of a step: its start
  SimTime end{};  ///< of a step

  /// Whether the reply tells of the end of a step.
  [[nodiscard]] bool ends_step() const noexcept {
    return call == Call::advance || call == Call::finish || call == Call::last_pass;
  }
};

/// The first word of a reply to `asked` that is out of its bounds; none: all words may be used.
[[nodiscard]] std::optional<Breach> breach_of(const ModelReply& reply, const Asked& asked,
                                              const Known& known) noexcept;

/// The owner of the process of a model.
class Keeper {
 public:
  Keeper() = default;
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;
  virtual ~Keeper() = default;
  /// Ends the process because of a reply out of its bounds. Real-time safe; called once at most.
  virtual void end(const Breach& why) noexcept = 0;
};

}  // namespace hild::remote
