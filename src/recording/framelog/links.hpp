// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a run tells other nodes of its system, and what it takes of them: a log says so, so that
/// those of several nodes can be held against one another without their configurations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hild/core/result.hpp"
#include "hild/core/time.hpp"
#include "recording/framelog/description.hpp"

namespace hild::framelog {

inline constexpr std::string_view links_attachment = "links.json";

/// A value that one node sends and others receive, as all of them know it.
struct LinkName {
  int domain = 0;
  std::string system;
  std::string node;    ///< that sends it
  std::string signal;  ///< its name there
  bool operator==(const LinkName&) const = default;
};

/// A value that is sent: its place is that of a value of a write (FrameView::written).
struct SentSignal {
  LinkName name;
  std::string output;  ///< of this run
  std::string unit;    ///< in which it is sent
};

/// A value that is received.
struct ReceivedSignal {
  LinkName name;
  std::string input;      ///< of this run
  std::string unit;       ///< into which what is received is converted
  std::string in;         ///< the unit of the input
  std::size_t place = 0;  ///< in an image
  std::size_t group = 0;  ///< whose instant in an image is that at which it was sent
  double scale = 1;       ///< the input is scale times what was received, and offset
  double offset = 0;
  Duration max_latency{};  ///< 0: it may be of any age
};

struct Links {
  std::string node;  ///< what this run is to others; empty: it exchanges nothing
  std::vector<SentSignal> sent;
  std::vector<ReceivedSignal> received;
};

[[nodiscard]] std::string to_json(const Links& links);
/// What to_json() made of them, from the attachments; none: it is not among them. Error: it is
/// something else.
[[nodiscard]] Result<std::optional<Links>> links_of(const Description& description);

}  // namespace hild::framelog
