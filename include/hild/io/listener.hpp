// SPDX-License-Identifier: Apache-2.0
/// \file
/// Listening to all that comes over the wire of a device, whether or not it is among the signals of
/// a configuration: for a person who looks at a bus. Never in a run; may allocate and block.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "hild/core/result.hpp"
#include "hild/core/time.hpp"

namespace hild::io {

/// A value that a message carries.
struct HeardValue {
  std::string_view name;  ///< of the signal
  double value = 0;       ///< in `unit`
  std::string_view unit;  ///< as the description of the bus has it; empty: none
  std::string_view word;  ///< what the value stands for ("reverse"); empty: nothing
};

/// A message that has come. What it refers to lives until the next call of hear().
struct Heard {
  MonoTime at;               ///< when it has come
  std::string_view address;  ///< what it was sent by, as people write it: "0x1a0"; empty: the
                             ///< device tells it of itself
  std::string_view name;     ///< by the description of the bus; empty: unknown there
  std::span<const std::uint8_t> bytes;  ///< as they have come
  std::span<const HeardValue> values;   ///< those that are in this one; none where it is unknown
  std::string_view remark;              ///< what is wrong with it, in words; empty: nothing
};

/// What a device gives to those who listen; changes nothing on the wire.
class Listener {
 public:
  Listener() = default;
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  virtual ~Listener() = default;

  /// The next message, waited for until `until` at most; none when nothing has come by then.
  [[nodiscard]] virtual Result<std::optional<Heard>> hear(MonoTime until) = 0;
};

}  // namespace hild::io
