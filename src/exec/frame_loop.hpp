// SPDX-License-Identifier: Apache-2.0
/// \file
/// The frame loop: plants in lock-step with a clock. `docs/frame.md` walks through one frame. All
/// is allocated by the constructor; run() is the real-time side.
#pragma once

#include <memory>
#include <vector>

#include "exec/clamp_watch.hpp"
#include "exec/dense_outputs.hpp"
#include "exec/external_events.hpp"
#include "exec/inputs.hpp"
#include "exec/interlock.hpp"
#include "exec/meter.hpp"
#include "exec/overrun.hpp"
#include "exec/plausible.hpp"
#include "exec/replay.hpp"
#include "exec/state_events.hpp"
#include "exec/steering.hpp"
#include "exec/timetable.hpp"
#include "hild/io/sampler.hpp"
#include "hild/rt/heartbeat.hpp"
#include "hild/rt/ring.hpp"

namespace hild::exec {

/// Why a run ended.
enum class End : std::uint8_t {
  duration,
  requested,
  overrun_limit,
  device_failed,
  model_fault,
  interlock,
  guard_lost,  ///< who watches over the run has died
};

/// What a model fault is: why the plant is not the plant any more.
enum class Fault : std::uint8_t {
  not_finite,   ///< a state or an output
  implausible,  ///< a state beyond its plausible range
  clamped,      ///< outputs cut to their limits for too long
};

struct Outcome {
  End end = End::duration;
  bool limit_reached = false;   ///< also when the run went on: frozen, or with safe outputs
  Limit limit = Limit::missed;  ///< the first that was reached
  std::int64_t limit_frame = 0;
  Duration stood{};  ///< how long the plant stood still, where that was the limit
  bool safe = true;  ///< every output took its safe value
  // After a model fault: the first value that was not finite, or not plausible. After an interlock:
  // `index` is its number, `value` what tripped it.
  Fault fault = Fault::not_finite;
  std::int64_t frame = 0;
  SimTime t{};  ///< of the value: the end of the step
  std::size_t plant = 0;
  bool in_states = true;  ///< else in the outputs
  std::size_t index = 0;
  double value = 0;
  io::Interval plausible{};        ///< what was plausible of it
  const char* function = nullptr;  ///< of the model, which failed, where it says so
};

/// What the loop works with; all of it outlives the loop.
struct Parts {
  rt::Clock& clock;
  io::Sampler& sampler;
  std::vector<model::Plant*> plants;
  std::vector<std::uint8_t> held_inputs;  ///< 1: digital; over the inputs of all plants in order
  /// Likewise; stand until the first sample. What is sampled beyond the inputs of the plants is
  /// there for interlocks alone: it follows them here and in the sampler's vector.
  std::vector<double> start_inputs;
  ExternalEvents* events = nullptr;  ///< none: no external events
  rt::SlotRing* records = nullptr;   ///< none: no records; slots of layout().bytes()
  /// Over the inputs of all plants: a larger change from one step to the next drops the history of
  /// the plant it enters. Empty: none does.
  std::vector<double> jumps{};
  std::vector<Interlock> interlocks{};  ///< what ends the run at once
  Replay* replay = nullptr;             ///< a recorded run decides instead of the time
  rt::Heartbeat* heartbeat = nullptr;   ///< of this loop and its guard; none: nobody watches
  /// Of the states of all plants; none: all that is finite is plausible.
  std::vector<io::Interval> plausible{};
  /// Frames, steps and simulated time count from this one on.
  std::int64_t first_frame = 0;
};

class FrameLoop {
 public:
  FrameLoop(const Settings& settings, Parts parts);
  ~FrameLoop();

  /// The layout of the records of these plants, with `lines` sampled beyond their inputs and
  /// `counted` raw counts (Sampler::counts).
  [[nodiscard]] static io::FrameLayout layout(std::span<model::Plant* const> plants,
                                              std::size_t lines = 0, std::size_t counted = 0);

  /// Runs `frames` frames from `start`, until `stop` is raised, or until a fault. Outputs are at
  /// their safe values when it returns. Real-time safe.
  Outcome run(MonoTime start, std::int64_t frames, const rt::Flag& stop) noexcept;

  /// Readable from any thread at any time.
  [[nodiscard]] const Statistics& statistics() const noexcept { return *statistics_; }
  /// The newest step, every `snapshot_every` frames; and what SaveStates saved.
  [[nodiscard]] const Snapshot& snapshot() const noexcept { return snapshot_; }
  [[nodiscard]] const SavedStates& saved_states() const noexcept { return steering_.saved; }

 private:
  struct Seat;    // a plant and its places in the shared vectors
  struct Commit;  // makes one change from outside
  // What u_ is of: the newest sample, taken for a release, at an instant that a pass needs.
  struct InputsAtHand {
    MonoTime release;
    MonoTime nominal;
    bool waited = false;  // for the release
  };

  // The parts of a frame, in order.
  void begin_run(MonoTime start) noexcept;
  [[nodiscard]] bool begin_frame() noexcept;
  [[gnu::noinline, gnu::cold]] bool go_unguarded() noexcept;
  bool exchange() noexcept;
  bool call_devices(std::span<const double> y, std::span<double> u, MonoTime& sampled) noexcept;
  bool commit() noexcept;
  [[nodiscard]] std::uint32_t empty_slot_in(const Transaction& t) const noexcept;
  [[nodiscard]] std::uint32_t step_of_running_in(const Transaction& t) const noexcept;
  void save_states(std::size_t slot) noexcept;
  void load_states(std::size_t slot, bool states, bool parameters) noexcept;
  void before_steered_step() noexcept;
  void steer_inputs(MonoTime nominal) noexcept;
  void steer_inputs_again(MonoTime nominal, std::span<double> u) const noexcept;
  void after_steered_step() noexcept;
  void declare_outputs() noexcept;
  void release_table(const Stimuli::Source& holder) noexcept;
  void end_steering() noexcept;
  [[gnu::noinline]] bool interlocked(Interlock::Of of, std::span<const double> values,
                                     std::size_t first = 0) noexcept;
  bool advance() noexcept;
  [[gnu::noinline]] void connect(SimTime t) noexcept;
  [[gnu::noinline]] void reconnect() noexcept;
  bool run_passes(SimTime t, Duration h) noexcept;
  bool before_pass(const Slot& slot, SimTime t, InputsAtHand& at_hand) noexcept;
  bool sample_at(InputsAtHand& to_be, std::span<const double> due) noexcept;
  void use_sample(MonoTime nominal, bool waited) noexcept;
  [[gnu::noinline]] void move_sample(MonoTime nominal, bool is_late) noexcept;
  [[nodiscard]] bool fits(const Slot& slot, SimTime t) noexcept;
  bool complete_early(Seat& seat, const Slot& slot, SimTime t) noexcept;
  [[nodiscard]] std::span<const double> outputs_within(const Slot& slot, SimTime t) noexcept;
  [[nodiscard]] SimTime dense_instant(std::size_t i) const noexcept;
  [[gnu::noinline]] void take_dense(SimTime t, Duration h) noexcept;
  [[gnu::noinline]] void take_dense_anew(const Seat& seat, SimTime t, Duration h) noexcept;
  [[gnu::noinline]] bool put_out_dense(std::size_t count, SimTime until) noexcept;
  void drop_broken_histories() noexcept;
  void estimate_errors() noexcept;
  void carry_outputs_ahead() noexcept;
  void act_on_pending_events(SimTime t) noexcept;
  void state_events(SimTime t, Duration h) noexcept;
  [[nodiscard]] SimTime next_time_event(SimTime t) const noexcept;
  void note_put_off(SimTime t, SimTime end) noexcept;
  void time_events(SimTime before, SimTime t) noexcept;
  void note_cap(io::Cap cap, std::uint32_t by) noexcept;
  void note_caps() noexcept;
  [[gnu::noinline]] StepPlan fall_behind(MonoTime start) noexcept;
  [[gnu::noinline]] void go_unanswered(bool owes, bool gone) noexcept;
  [[gnu::noinline]] void slip_past(MonoTime end) noexcept;
  void stand_still(Limit limit, Duration stood) noexcept;
  [[gnu::noinline]] void reach(Limit limit, Duration stood = {}) noexcept;
  bool close_step() noexcept;
  bool record_values() noexcept;
  [[gnu::noinline]] void blame_model() noexcept;
  [[gnu::noinline]] bool blame_limits() noexcept;
  [[nodiscard]] bool result_interlocked() noexcept;
  void judge(MonoTime end) noexcept;
  [[gnu::noinline]] void publish_image(SimTime t) noexcept;
  void claim_record() noexcept;
  void write_record() noexcept;
  [[nodiscard]] io::FrameHeader& record() noexcept { return record_.header(); }
  void hold_frame() noexcept;
  void serve_slack(MonoTime until, std::int64_t next_frame) noexcept;
  void note_wake(MonoTime due, MonoTime woke) noexcept;
  void wait_for(MonoTime release) noexcept;

  [[nodiscard]] bool events_waiting() const noexcept {
    return parts_.events != nullptr && parts_.events->waiting();
  }
  [[nodiscard]] MonoTime wall(SimTime t) const noexcept { return due_ + (t - time_); }
  [[nodiscard]] int late_degree() const noexcept;

  Settings settings_;
  Parts parts_;
  std::unique_ptr<Statistics> statistics_;
  Meter meter_;
  Timeline timeline_;
  OverrunLimits limits_;
  ClampWatch clamps_;
  Inputs inputs_;
  Timetable timetable_;
  std::vector<Seat> seats_;
  Inputs ahead_;  // newest outputs of plants that run behind
  DenseOutputs dense_;
  io::FrameLayout layout_;
  std::span<const std::uint32_t> counts_;  // raw, of the newest image
  PlausibleStates plausible_;
  Targets targets_;  // what changes from outside may aim at
  Steering steering_;
  Snapshot snapshot_;
  std::vector<double> u_;          // inputs of the pass at hand, all plants
  std::vector<double> y_;          // newest outputs, all plants
  std::vector<double> own_y_;      // those of the plants alone; kept where there are snapshots
  std::vector<double> lines_;      // what the output lines carry, for a snapshot
  std::vector<double> y_within_;   // outputs at a node within the step
  std::vector<double> last_u_;     // inputs of the last step, where jumps are watched
  std::vector<std::byte> unread_;  // takes the records there is no room for

  // The step at hand.
  io::FrameSlot record_;
  const io::FrameHeader* told_ = nullptr;  // in a replay: what it was
  bool any_state_events_ = false;
  bool any_time_events_ = false;
  bool any_estimates_ = false;
  std::array<std::uint32_t, io::cap_count> capped_by_{};  // where a cap was reached in it
  bool any_caps_ = false;                                 // some plant cuts its model short
  bool connects_ = false;                                 // some plant supplies inputs of its own
  bool busy_within_ = false;  // passes are more than evaluations one after the other
  bool claimed_ = false;      // record_ lies in the ring
  std::int64_t frame_ = 0;    // simulated frames so far
  std::int64_t step_ = 0;
  SimTime time_{};
  SimTime end_{};
  MonoTime due_{};
  std::size_t slot_ = 0;
  bool slept_ = false;
  // How late it was when the loop last waited, or began the step without: what came before that
  // made nothing late.
  Duration began_late_{};
  bool woken_ = false;  // by the clock, else it did not wait
  bool was_late_ = false;
  bool unanswered_ = false;      // the step at hand, by its model
  MonoTime unanswered_since_{};  // the tick of the first such step in a row
  bool silent_ = false;          // for so long that the outputs were made safe
  bool frozen_ = false;
  bool limited_ = false;  // frozen by an overrun limit
  bool steered_ = false;  // steering_ has something to do
  bool output_written_ = false;
  bool outputs_withheld_ = false;  // safe values stand instead
  int until_image_ = 0;            // frames to the next snapshot; 0: there are none
  Outcome outcome_;
};

}  // namespace hild::exec
