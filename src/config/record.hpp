// SPDX-License-Identifier: Apache-2.0
/// \file
/// What of a run is recorded, and where.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hild::config {

/// Frames around what is looked for; nothing else is recorded.
struct Trigger {
  bool overrun = false;
  bool state_event = false;
  bool command = false;  ///< a mark set from outside
  std::int64_t before = 0;
  std::int64_t after = 0;
};

/// record: {file: run.mcap, replace: false, compression: zstd, decimate: 1, frames: all, signals:
/// [outputs, speed],
///          trigger: {on: [overrun, state-event, command], before: 500 frames, after: 2 s}}
struct Record {
  std::string file;
  bool replace = false;       ///< an older file of that name
  std::int64_t decimate = 1;  ///< signals: those of every so many steps
  bool compress = true;       ///< as far as there is time for it
  bool all_frames = true;     ///< whole records of all frames; else of those with something to tell
  std::vector<bool> inputs;   ///< which signals, in the model's order
  std::vector<bool> outputs;
  std::vector<bool> states;
  std::optional<Trigger> trigger;
};

}  // namespace hild::config
