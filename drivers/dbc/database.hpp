// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a DBC file tells of the messages on a CAN bus. Load time only: nothing of it is needed once
/// fields are made of it (Field(signal.layout), presence_of()).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "drivers/can/codec.hpp"
#include "hild/core/time.hpp"

namespace hild::can {

/// A word for a raw value.
struct NamedValue {
  std::int64_t value = 0;  ///< as the file has it; one of more than 63 bits in two's complement
  std::string name;        ///< UTF-8

  /// As Field::get() has it in a signal of that layout: of a negative number the signal's bits
  /// only.
  [[nodiscard]] std::uint64_t raw(const Layout& layout) const {
    return static_cast<std::uint64_t>(value) & ~std::uint64_t{0} >> (64 - layout.length);
  }
};
using NamedValues = std::vector<NamedValue>;  ///< in the order of the file

/// Physical values.
struct Limits {
  double minimum = 0;
  double maximum = 0;  ///< greater than the minimum
};

/// When a signal is in its message, and whether it decides that of others.
struct Multiplexing {
  bool is_switch = false;
  std::optional<std::size_t> switched_by;  ///< which of the message's signals; none: always there
  std::vector<RawRange> values;  ///< of that one, by which this one is there: in order, disjoint
};

/// A part of a message's payload.
struct Signal {
  std::string name;
  Layout layout;
  std::optional<Limits> limits;  ///< none where the file has 0|0, or no maximum above the minimum
  std::string unit;              ///< UTF-8; may be empty
  std::vector<std::string> receivers;  ///< nodes; without Vector__XXX, which is none
  Multiplexing multiplexing;
  std::shared_ptr<const NamedValues> values;  ///< null where there are none; tables are shared
  std::optional<double> start;                ///< GenSigStartValue: a raw value, in counts
  int line = 0;
};

/// The physical value of a signal before it is given one: that of its start value; else that
/// nearest to 0 is up to the caller.
[[nodiscard]] inline std::optional<double> start_of(const Signal& signal) {
  if (!signal.start) return {};
  return *signal.start * signal.layout.factor + signal.layout.offset;
}

/// When a message is sent: GenMsgSendType, by its word.
enum class SendType : std::uint8_t {
  unspecified,           ///< no attribute, or a word of another meaning
  none,                  ///< NoMsgSendType, NotUsed
  cyclic,                ///< Cyclic, cyclicX, FixedPeriodic
  on_change,             ///< OnChange, OnWrite, spontanX, Event...
  cyclic_and_on_change,  ///< cyclicAndSpontanX, CyclicAndOnChange, ...
  if_active,  ///< IfActive, cyclicIfActiveX: while a signal has another than its start value
};

/// The word for a raw value, as Field::get() has it; empty where there is none. Of integers only.
[[nodiscard]] std::string_view word_of(const Signal& signal, std::uint64_t raw);

/// A kind of frame.
struct Message {
  std::uint32_t id = 0;  ///< 29 bits or 11, without the flag of the extended ones
  bool extended = false;
  std::string name;
  int length = 0;                          ///< bytes, 0 ... 64
  std::string sender;                      ///< a node; empty where the file has Vector__XXX
  std::vector<std::string> other_senders;  ///< BO_TX_BU_
  std::vector<Signal> signals;             ///< in the order of the file
  std::optional<Duration> cycle_time;      ///< GenMsgCycleTime; none where it is 0
  std::optional<Duration> start_delay;     ///< GenMsgStartDelayTime
  SendType send_type = SendType::unspecified;
  bool fd = false;     ///< VFrameFormat says so, or it has more than 8 bytes and is not of J1939
  bool j1939 = false;  ///< VFrameFormat says so: known by its parameter group (identifiers.hpp)
  int line = 0;

  /// The signal of that name, or null.
  [[nodiscard]] const Signal* find(std::string_view signal) const;
};

/// All of a file. Names of messages are unique, and of signals within one; so are identifiers. No
/// two signals that can be there at once have a bit in common, and all lie in their messages.
struct Database {
  std::string version;
  std::vector<std::string> nodes;
  std::vector<Message> messages;  ///< in the order of the file

  /// The message of that name, or null. Looks at one after the other.
  [[nodiscard]] const Message* find(std::string_view message) const;
  /// The message of that identifier, or null. Looks at one after the other.
  [[nodiscard]] const Message* find(std::uint32_t id, bool extended) const;
};

/// When a signal is in the payload of its message: all the switches above it. Precondition: the
/// message is of a database that was read, and has the signal.
[[nodiscard]] Presence presence_of(const Message& message, const Signal& signal);

}  // namespace hild::can
