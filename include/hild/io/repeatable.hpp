// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a device says, in addition, whose world can be taken back with a run.
#pragma once

#include <string_view>

namespace hild::io {

/// A device, derived from this and from Device, that gives in a run that is begun anew, by start()
/// with an earlier zero, what it has given at those simulated times, but for noise: it remembers
/// nothing. Hardware is none, since its time goes on.
class Repeatable {
 public:
  Repeatable() = default;
  Repeatable(const Repeatable&) = delete;
  Repeatable& operator=(const Repeatable&) = delete;
  virtual ~Repeatable() = default;

  /// Why not, as it is configured, "its controller cannot be taken back"; empty: it does. Not
  /// real-time safe.
  [[nodiscard]] virtual std::string_view why_not_repeatable() const = 0;
};

}  // namespace hild::io
