// SPDX-License-Identifier: Apache-2.0
/// \file
/// The frame loop runs a plant in lock-step with a clock; `docs/frame.md` walks through one frame.
/// The constructor allocates everything; run() is the real-time side and shows the order of a
/// frame. The parts of a frame are done by their owners:
///
/// | owner | has |
/// |---|---|
/// | `FrameClock` | ticks, sleeping, span, slip |
/// | `StepRunner` | passes, samples, events |
/// | `ExternalControl` | what takes effect from outside |
/// | `OutputScheduler` | what is put out, and when |
/// | `OverrunMonitor` | the verdict, its cause, the limits |
/// | `Keyframes` | when the state of all of them is saved |
#pragma once

#include "exec/external_control.hpp"
#include "exec/frame_times.hpp"
#include "exec/image_publisher.hpp"
#include "exec/keyframes.hpp"
#include "exec/output_scheduler.hpp"
#include "exec/overrun_monitor.hpp"
#include "exec/plausible.hpp"
#include "exec/recorded_clock.hpp"
#include "exec/step_runner.hpp"
#include "hild/rt/lifeline.hpp"

namespace hild::exec {

class FrameLoop {
 public:
  FrameLoop(const Settings& settings, Parts parts);

  /// The layout of the records of this plant, with `lines` inputs sampled beyond its own, `counted`
  /// raw counts (Sampler::counts) and `groups` image groups, whose models are run beside one
  /// another or not, and of which other nodes hear `heard` lines.
  [[nodiscard]] static io::FrameLayout layout(const model::Stepper& plant, std::size_t lines = 0,
                                              std::size_t counted = 0, std::size_t groups = 1,
                                              bool shared = false, std::size_t heard = 0);

  /// Runs `frames` frames from `start`, until `stop` is raised, or until a fault. Outputs are at
  /// their safe values when it returns. Real-time safe.
  Outcome run(MonoTime start, std::int64_t frames, const rt::Flag& stop) noexcept;
  /// Where a run goes on from.
  struct From {
    const KeyframeView& keyframe;  ///< of another run it must be of the same settings
    MonoTime tick{};               ///< when its tick comes
    Tables* tables = nullptr;      ///< finds the tables of playbacks; null: there are none
    bool held = false;             ///< the plant is held in the first frame already, as by Freeze
  };
  /// The same from a keyframe instead of from the start. What is wrong with a keyframe that does
  /// not fit is in `problem`, and nothing is run. The devices go on from what they have.
  Outcome run_from(const From& from, std::int64_t frames, const rt::Flag& stop,
                   Archive::Problem& problem) noexcept;

  /// The most bytes its state takes; 0: it cannot be saved. Not while running.
  [[nodiscard]] std::size_t most_state_bytes();
  /// Saves the state between two steps, on the thread of the loop. What was wrong is in the result.
  Archive save(std::span<std::byte> into) noexcept;
  /// The head of a keyframe that were made now; `bytes` is not told. As save().
  [[nodiscard]] KeyframeHead place() const noexcept;
  /// The keyframes it makes, for one other thread to take out; null: it makes none.
  [[nodiscard]] rt::SlotRing* keyframes() noexcept { return keyframes_.ring(); }
  /// Asks for a keyframe soon (Keyframes::ask). Any thread.
  void ask_keyframe() noexcept { keyframes_.ask(); }
  /// Why it cannot make any.
  [[nodiscard]] const Archive::Problem& why_no_keyframes() const noexcept {
    return keyframes_.problem();
  }

  /// Readable from any thread at any time.
  [[nodiscard]] const Statistics& statistics() const noexcept { return *run_.statistics; }
  /// To be given every record of this loop, in their order, by the thread that reads them: of times
  /// the statistics hold what they tell.
  [[nodiscard]] FrameTimes& times() noexcept { return times_; }
  /// Images of its steps, for one reader, which may ask for them; and what SaveStates saved.
  [[nodiscard]] Snapshot& snapshot() const noexcept { return images_.snapshot(); }
  [[nodiscard]] const SavedStates& saved_states() const noexcept { return external_.saved(); }

  /// Readable from any thread while the loop lives.
  [[nodiscard]] const LostInputs& lost_inputs() const noexcept { return runner_.inputs().lost(); }
  /// Of these only Alarms::told(), since() and keep_disarmed().
  [[nodiscard]] const Alarms& alarms() const noexcept { return run_.alarms; }

 private:
  [[gnu::noinline]] void begin_run(MonoTime start) noexcept;
  [[nodiscard]] bool plain() const noexcept;
  Outcome go_on(std::int64_t frames, const rt::Flag& stop) noexcept;
  template <bool Plain>
  [[gnu::noinline, gnu::flatten]] Outcome take_frames(std::int64_t frames,
                                                      const rt::Flag& stop) noexcept;
  template <bool Plain>
  [[nodiscard]] auto& clock() noexcept;
  template <bool Plain>
  bool next_step(const rt::Flag& stop) noexcept;
  template <bool Plain>
  bool next_step_at(std::int64_t& mark, std::int64_t last, const rt::Flag& stop) noexcept;
  void transfer(Archive& archive, Tables* tables = nullptr) noexcept;
  void read_before() noexcept;
  template <bool Plain>
  [[nodiscard]] bool begin_step() noexcept;
  template <bool Plain>
  [[nodiscard]] bool exchange() noexcept;
  [[gnu::noinline]] [[nodiscard]] bool follow() noexcept;
  [[gnu::noinline]] void note_change() noexcept;
  [[gnu::noinline]] void steer() noexcept;
  [[gnu::noinline]] void hold() noexcept;
  template <bool Plain>
  [[nodiscard]] bool close_step() noexcept;
  bool record_values() noexcept;
  [[gnu::noinline]] void blame_model() noexcept;
  [[nodiscard, gnu::noinline]] bool look_at_results() noexcept;
  void note_alarms() noexcept;
  void close_record() noexcept;
  [[gnu::noinline]] void end_run(bool well) noexcept;

  LoopContext run_;
  OutputScheduler outputs_;
  ExternalControl external_;
  StepRunner runner_;
  OverrunMonitor monitor_;
  PlausibleStates plausible_;
  ImagePublisher images_;
  FrameTimes times_;
  Keyframes keyframes_;
  rt::Heartbeat* heartbeat_;
  std::int64_t first_frame_;
  std::uint64_t fingerprint_;  // of what the state of the plant belongs to
};

}  // namespace hild::exec
