// SPDX-License-Identifier: Apache-2.0
/// \file
/// The nodes of a system, as one of them sees them: what each says of itself, so that they begin
/// together and are armed together. A device that connects nodes offers it (Device::nodes). What is
/// said is a state, not a message: the newest counts, and one that is lost is made up for by the
/// next. Not for the real-time side.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "hild/core/name.hpp"
#include "hild/core/time.hpp"

namespace hild::io {

/// What a node wants of the others.
enum class Ask : std::uint8_t {
  nothing,
  begin,    ///< begin at the tick that the number is, once all have agreed to it
  prepare,  ///< answer whether you can be armed
  commit,   ///< arm, those that have answered that they can
  done,     ///< all are armed: those that are stay so
  revoke,   ///< take it back: those that were armed for it disarm
  disarm,   ///< disarm, whatever you have answered
};

/// What a node says of itself. Plain numbers, as they go through memory that others may write.
struct NodeWords {
  bool waits = false;           ///< it has not begun
  bool armed = false;           ///< its outputs follow its model
  bool may_arm = false;         ///< nothing keeps them from doing so
  std::int64_t first_tick = 0;  ///< nanoseconds of TAI: when it begins, or began; 0: it has no idea
  std::int64_t frame = 0;       ///< the newest
  std::int64_t overruns = 0;    ///< so far
  Ask ask = Ask::nothing;       ///< what it wants of the others
  std::int64_t number = 0;      ///< of what it wants: nanoseconds of TAI, later ones are greater
  std::int64_t answer_to = 0;   ///< the number of what another one wanted; 0: nothing yet
  bool yes = false;             ///< the answer

  /// Whether it says the same.
  friend bool operator==(const NodeWords&, const NodeWords&) = default;
};

/// A node of which something was heard.
struct Peer {
  Name node;          ///< by which others know it
  bool here = false;  ///< it has not ended, nor fallen silent
  NodeWords words{};  ///< the newest
};

/// What a device that connects nodes offers.
class Nodes {
 public:
  Nodes() = default;
  Nodes(const Nodes&) = delete;
  Nodes& operator=(const Nodes&) = delete;
  virtual ~Nodes() = default;

  /// The name of this node.
  [[nodiscard]] virtual std::string_view own() const = 0;
  /// Those that begin together and are armed together, this one included; empty: each does so by
  /// itself.
  [[nodiscard]] virtual std::span<const Name> members() const = 0;
  /// Says this to the others from now on, once the device is open.
  virtual void tell(const NodeWords& words) = 0;
  /// All that were heard of, members or not; this one is not among them.
  [[nodiscard]] virtual std::vector<Peer> heard() = 0;
};

}  // namespace hild::io
