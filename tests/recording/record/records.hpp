// SPDX-License-Identifier: Apache-2.0
/// \file
/// Frame records made by hand, in memory aligned like a ring's.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "hild/io/frame_record.hpp"
#include "hild/rt/ring.hpp"

namespace hild::record {

/// One output, nothing else.
inline const io::FrameLayout one_output{0, 0, 1, 0};

/// A step of one frame of 1 ms, done 600 us after its tick; t = 0 is at 5 s of the clock.
inline io::FrameHeader header(std::int64_t frame) {
  io::FrameHeader h;
  h.step = frame;
  h.frame = frame;
  h.t = SimTime{} + 1_ms * frame;
  h.due = MonoTime{} + 5_s + 1_ms * frame;
  h.start = h.due + 3_us;
  h.end = h.due + 600_us;
  h.deadline = h.due + 1_ms;
  h.lateness = h.end - h.deadline;
  return h;
}

/// The same, late by `lateness`.
inline io::FrameHeader late(std::int64_t frame, Duration lateness, io::Cause cause) {
  io::FrameHeader h = header(frame);
  h.end = h.deadline + lateness;
  h.lateness = lateness;
  h.cause = cause;
  return h;
}

/// The same step over two frames.
inline io::FrameHeader doubled(io::FrameHeader h) {
  h.span = 2;
  h.deadline += 1_ms;
  return h;
}

inline void set_phase(io::FrameHeader& h, io::Phase phase, Duration d) {
  h.phases[static_cast<std::size_t>(phase)] = d;
}

inline void write(std::byte* place, const io::FrameHeader& h, double y) {
  io::FrameSlot slot(one_output, place);
  slot.begin();
  slot.header() = h;
  slot.outputs({&y, 1});
}

/// Hands one record to a sink.
template <class Sink>
void give(Sink& sink, const io::FrameHeader& h, double y = 0) {
  std::vector<double> memory((one_output.bytes() + 7) / 8);
  auto* const place = reinterpret_cast<std::byte*>(memory.data());
  write(place, h, y);
  sink.frame(io::FrameView(one_output, place));
}

}  // namespace hild::record
