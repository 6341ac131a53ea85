// SPDX-License-Identifier: Apache-2.0
/// \file
/// The sections `record` and `recorders` of a configuration: what of a run is recorded, and where.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hild/core/time.hpp"

namespace hild::config {

/// The trigger of a recording: only frames around such events are recorded.
struct Trigger {
  bool overrun = false;
  bool state_event = false;
  bool command = false;  ///< a mark set from outside
  std::int64_t before = 0;
  std::int64_t after = 0;
};

/// When a recorder goes on in a new file, and how many it keeps.
struct Rotation {
  std::uint64_t bytes = 0;  ///< once a file has so many; 0: whatever its size
  Duration time{};          ///< once a file has so much of the run; 0: however long
  std::size_t keep = 0;     ///< files that are left when a new one is begun; 0: all

  [[nodiscard]] bool any() const noexcept { return bytes > 0 || time > Duration{}; }
};

/// The settings of a recorder:
///
/// record: {file: run.mcap, replace: false, compression: zstd, decimate: 1, frames: all,
///          keyframes: 10000 frames, signals: [outputs, speed],
///          trigger: {on: [overrun, state-event, command], before: 500 frames, after: 2 s},
///          begin: with-run, rotate: {size: 100 MB, time: 10 min, keep: 20}}
/// recorders: {NAME: the same, ...}
struct Record {
  std::string name = "record";  ///< of the recorder; that of the section `record` is called so
  std::string file;
  bool with_run = true;  ///< it begins with the run; else when it is asked to
  Rotation rotation{};
  bool keyframes = false;     ///< the whole state is recorded as well, and at the start of a file
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
