// SPDX-License-Identifier: Apache-2.0
/// \file
/// Two nodes by hand: an arm sends where it is at each of its frames, a meter looks at it at each
/// of its own. What is seen is told look by look.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "recording/join/join.hpp"

namespace hild::join {

inline constexpr TaiTime begin_of_all{1'800'000'000'000'000'000};
inline constexpr Duration frame_of_pair = 10_ms;

inline const framelog::LinkName place_of_arm{42, "rig", "arm", "place"};

/// When a frame begins.
inline TaiTime tick(double n) {
  return begin_of_all + Duration{static_cast<std::int64_t>(n * 1e7)};
}
/// What the arm sends in a frame, in m.
inline double sent_in(std::int64_t frame) { return 100.0 + static_cast<double>(frame); }
/// The same as the meter has it: in mm, twice as many, and one more.
inline double seen_of(std::int64_t frame) {
  return 200'001.0 + 2'000.0 * static_cast<double>(frame);
}

/// Frames 0 to `frames` less one, a write in each, at its tick.
inline NodeRecord arm_of(std::int64_t frames) {
  NodeRecord node;
  node.file = "arm.mcap";
  node.name = "arm";
  node.links = {"arm", {{place_of_arm, "position", "m"}}, {}};
  node.frame = frame_of_pair;
  node.first = tick(0);
  node.last = tick(static_cast<double>(frames));
  for (std::int64_t f = 0; f < frames; ++f) {
    node.writes.push_back({tick(static_cast<double>(f)), f});
    node.written.push_back(sent_in(f));
  }
  return node;
}

/// A meter that has looked at nothing yet.
inline NodeRecord meter_of(std::int64_t frames) {
  NodeRecord node;
  node.file = "meter.mcap";
  node.name = "meter";
  framelog::ReceivedSignal place;
  place.name = place_of_arm;
  place.input = "way";
  place.unit = "mm";
  place.in = "V";
  place.scale = 2;
  place.offset = 1;
  place.max_latency = 25_ms;
  node.links = {"meter", {}, {place}};
  node.frame = frame_of_pair;
  node.first = tick(0.3);
  node.last = tick(0.3 + static_cast<double>(frames));
  return node;
}

/// At its tick, three tenths of a frame behind that of the arm, it sees what the arm sent in a
/// frame; -1: nothing yet.
inline void see(NodeRecord& meter, std::int64_t frame, std::int64_t of) {
  const TaiTime at = tick(0.3 + static_cast<double>(frame));
  meter.looks.push_back({at, frame, 0.01 * static_cast<double>(frame), true});
  meter.made.push_back(of < 0 ? at + -31'536'000_s : tick(static_cast<double>(of)));
  meter.received.push_back(of < 0 ? 0.0 : seen_of(of));
}

/// One after the other, from its frame 0 on.
inline NodeRecord meter_that_sees(std::initializer_list<std::int64_t> of) {
  NodeRecord meter = meter_of(static_cast<std::int64_t>(of.size()));
  for (const std::int64_t one : of) see(meter, static_cast<std::int64_t>(meter.looks.size()), one);
  return meter;
}

/// Of both.
inline Joined joined_of(const NodeRecord& arm, const NodeRecord& meter) {
  const std::array nodes{arm, meter};
  auto joined = join(nodes);
  EXPECT_TRUE(joined) << joined.error().message;
  return joined ? *joined : Joined{};
}
inline Link link_of(const NodeRecord& arm, const NodeRecord& meter) {
  const Joined joined = joined_of(arm, meter);
  EXPECT_EQ(joined.links.size(), 1U);
  return joined.links.empty() ? Link{} : joined.links.front();
}

}  // namespace hild::join
