// SPDX-License-Identifier: Apache-2.0
/// \file
/// The section `record` of a configuration: what of a run is recorded, and where.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hild::config {

/// The trigger of a recording: only frames around such events are recorded.
struct Trigger {
  bool overrun = false;
  bool state_event = false;
  bool command = false;  ///< a mark set from outside
  std::int64_t before = 0;
  std::int64_t after = 0;
};

/// The settings of a recording:
///
/// record: {file: run.mcap, replace: false, compression: zstd, decimate: 1, frames: all,
///          keyframes: 10000 frames, signals: [outputs, speed],
///          trigger: {on: [overrun, state-event, command], before: 500 frames, after: 2 s}}
struct Record {
  std::string file;
  bool replace = false;       ///< an existing file of that name is replaced
  std::int64_t decimate = 1;  ///< signals are recorded in every n-th step
  bool compress = true;       ///< as far as there is time
  bool all_frames = true;     ///< whole records of all frames; else only of notable ones
  std::vector<bool> inputs;   ///< which signals are recorded, in the model's order
  std::vector<bool> outputs;
  std::vector<bool> states;
  std::optional<Trigger> trigger;
};

}  // namespace hild::config
