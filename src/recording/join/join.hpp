// SPDX-License-Identifier: Apache-2.0
/// \file
/// Holds the recordings of several nodes against one another: whether what each has received is
/// what another one has sent, what was lost on the way, and how old it was when it was used.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "recording/join/node.hpp"

namespace hild::join {

/// Something was received that was not sent so.
struct Difference {
  TaiTime at;                ///< of the look that found it
  std::int64_t frame = 0;    ///< of the node that received
  double t = 0;              ///< its simulated time, in seconds
  double received = 0;       ///< in the unit of the input
  TaiTime made;              ///< when what was received is said to have been sent
  bool was_sent = true;      ///< else nothing was sent then
  std::int64_t sent_in = 0;  ///< the frame of the sender, where it was
  double sent = 0;           ///< as it was sent, in the unit that the sender has
  double expected = 0;       ///< the same in the unit of the input
  /// A frame of the sender near that one in which the value that was received was sent.
  std::optional<std::int64_t> fits_frame{};
};

/// How old what was received was at ticks, in nanoseconds; while the sender was there.
struct Ages {
  Duration p50{}, p99{}, max{};
  std::int64_t ticks = 0;    ///< that had something to use
  std::int64_t too_old = 0;  ///< of these, those with something older than `max_latency`
};

/// A signal that goes from one node to another. Samples are those that the receiver could have
/// seen: from the first one that it has seen to the last one before its recording ends.
struct Link {
  std::string from, to;           ///< "motor.shaft_speed", "meter.speed"
  std::string sent_unit;          ///< in which it is sent
  std::string unit;               ///< of the input
  Duration max_latency{};         ///< 0: it may be of any age
  std::int64_t sent = 0;          ///< samples
  std::int64_t received = 0;      ///< of these, those that were used
  std::int64_t lost = 0;          ///< a tick had an older one when it should have come
  std::int64_t overtaken = 0;     ///< a newer one had come before the next tick
  std::int64_t repeated = 0;      ///< of those received, those that were used at more than one tick
  std::int64_t out_of_order = 0;  ///< came after one that was sent later
  std::int64_t unknown = 0;       ///< received, of a time that the recording of the sender lacks
  Ages ages;
  std::int64_t differences = 0;  ///< looks that found another value than was sent
  std::optional<Difference> first;
};

/// A signal that is received from a node of which there is no recording.
struct Unheld {
  std::string from, to;
};

struct Joined {
  struct Node {
    std::string name, file;
    TaiTime first, last;
    Duration frame{};
    std::size_t missing = 0;  ///< parts that the recording lacks
    std::vector<std::string> notes;
  };
  std::vector<Node> nodes;
  std::vector<Link> links;
  std::vector<Unheld> unheld;
  TaiTime zero;  ///< the first tick of all

  /// The link of the first difference; null: there is none.
  [[nodiscard]] const Link* first_difference() const noexcept;
};

/// Error: they are not of nodes that were there together, and exchange something.
[[nodiscard]] Result<Joined> join(std::span<const NodeRecord> nodes);

}  // namespace hild::join
