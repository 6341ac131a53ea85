// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a frame loop is made from (`Parts`), and what the owners of its state share
/// (`LoopContext`): settings, plant, clock, devices, and where they write what they have done. Each
/// keeps its own state.
#pragma once

#include <memory>
#include <vector>

#include "exec/alarms.hpp"
#include "exec/background_models.hpp"
#include "exec/devices.hpp"
#include "exec/frame_clock.hpp"
#include "exec/interlock.hpp"
#include "exec/step_record.hpp"
#include "hild/model/stepper.hpp"
#include "hild/rt/lifeline.hpp"
#include "hild/rt/tai.hpp"

namespace hild::exec {

class ExternalEvents;
class ModelWorkers;
class Replay;

/// The things a loop is made from; whatever is referred to must outlive the loop.
struct Parts {
  rt::Clock& clock;
  io::Sampler& sampler;
  model::Stepper& plant;
  /// How each input is sampled. A change of an input from one step to the next by more than its
  /// `jump` drops the history of the plant as well. What is sampled beyond the inputs of the plant
  /// is there for interlocks alone: it follows them here, below and in the sampler's vector.
  std::vector<io::SampledInput> inputs;
  std::vector<double> start_inputs;     ///< inputs until the first sample
  ExternalEvents* events = nullptr;     ///< none: no external events
  rt::SlotRing* records = nullptr;      ///< none: no records; slots of layout().bytes()
  std::vector<Interlock> interlocks{};  ///< what ends the run at once
  std::vector<Alarm> alarms{};          ///< at most most_alarms
  Replay* replay = nullptr;             ///< a recorded run decides instead of time; none: time does
  /// The heartbeat shared with the guard of this loop; null: no guard watches.
  rt::Heartbeat* heartbeat = nullptr;
  /// The plausible range of each state; none: all that is finite is plausible.
  std::vector<io::Interval> plausible{};
  /// Frames, steps and simulated time count from this one on.
  std::int64_t first_frame = 0;
  /// Those that share the work of the plant; null: it is done by the loop alone.
  ModelWorkers* workers = nullptr;
  rt::TaiClock* tai = &rt::kernel_tai();  ///< where frames are aligned (Settings::align)
  BackgroundThreads background{};         ///< of models whose steps are taken in the background
};

/// What the owners of the state of a loop share.
struct LoopContext {
  LoopContext(const Settings& wanted, const Parts& parts, const io::FrameLayout& layout);
  LoopContext(const LoopContext&) = delete;
  LoopContext& operator=(const LoopContext&) = delete;

  Step step;  ///< as the clock has planned it
  Settings settings;
  model::Stepper& plant;
  std::unique_ptr<Statistics> statistics;
  StepRecord record;
  Meter meter;
  RunEnd end;
  Devices devices;
  Interlocks interlocks;
  Alarms alarms;
  bool watches_results;  ///< there are interlocks or alarms: one test where there are none
  std::unique_ptr<FrameClock> clock;
  ModelWorkers* workers;  ///< null: there are none
  BackgroundModels background;
};

}  // namespace hild::exec
