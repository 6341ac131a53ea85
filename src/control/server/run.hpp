// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the server knows of the run it serves, and the few functions through which it can act on
/// it.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "config/config.hpp"
#include "control/nodes/agreement.hpp"
#include "exec/frame_loop.hpp"
#include "hild/core/descriptor.hpp"
#include "hild/io/device.hpp"
#include "hild/io/options.hpp"
#include "hild/model/description.hpp"
#include "hild/rt/atomic.hpp"
#include "recording/record/overrun_attribution.hpp"

namespace hild::server {

/// Where an input comes from or an output goes to, in words; empty: nowhere.
struct Wire {
  std::string where;
  std::optional<double> safe{};  ///< safe value of a wired output, in the signal's unit
  io::Interval limits{};         ///< limits of a wired output's line, likewise
};

/// Whether a guard process makes the outputs safe when this process cannot.
enum class Guarding : std::uint8_t {
  none,      ///< none is needed: no output is driven
  off,       ///< the configuration wants none
  watching,  ///< a guard is watching
  lost,      ///< it died or hung; the run ends
};

/// How a run ended.
struct Ending {
  std::string outcome = "requested";  ///< as in the report: "duration", "overrun_limit" ...
  std::string words = "The run has ended.";
  std::string next{};  ///< what to do about it; empty when all is well
  int exit_code = 0;
  bool safe = true;  ///< every output took its safe value
};

/// The run. Whatever it refers to outlives the server.
struct Run {
  std::string model;
  std::string method;
  std::string version;
  exec::Settings settings;
  io::FrameLayout layout;  ///< of its records
  model::Description description;
  std::vector<double> start_parameters;  ///< those the run begins with
  std::vector<Wire> inputs;              ///< one for each input of the description
  std::vector<Wire> outputs;
  std::string devices{};  ///< their names, for words about overruns
  /// What a device counts of its own.
  struct DeviceCounters {
    std::string name;
    std::span<const io::DeviceCounter> counters;
  };
  std::vector<DeviceCounters> device_counters{};
  /// What can be made wrong with the devices, as the sampler numbers it.
  std::span<const io::DeviceFault> device_faults{};
  /// Those that are configured, as they are numbered.
  std::span<const config::Alarm> alarms{};
  /// A model's part of a frame, as a rehearsal found it; worker -1: the frame thread.
  struct ModelSpan {
    std::size_t model = 0;
    int worker = -1;
    Duration start{};  ///< after the tick
    Duration took{};
  };
  /// The CPUs that several models are run on; empty where none is run beside others.
  struct Models {
    int frame_cpu = -1;       ///< -1: any
    std::vector<int> cpus{};  ///< of each worker
    std::vector<ModelSpan> planned{};
    /// Of each model in the background.
    struct InBackground {
      std::size_t model = 0;
      int cpu = 0;
      Duration due{};   ///< after the tick of its step
      Duration took{};  ///< what a step takes by itself; 0: nobody has measured it
    };
    std::vector<InBackground> background{};
  };
  Models models{};
  const record::CauseCorrections* corrections =
      nullptr;            ///< corrections of the loop's causes; null: there are none
  bool evidence = false;  ///< the configuration asks for evidence of the kernel
  const exec::FrameLoop& loop;
  exec::ExternalEvents& events;  ///< the server is the only one to submit
  rt::Flag& stop;                ///< raised to end the run
  const rt::Flag& ended;         ///< raised when the loop has ended
  /// arm(true) lets outputs follow the model, arm(false) takes them to safety; armed() tells
  /// whether they follow it.
  std::function<void(bool)> arm = [](bool) {};
  std::function<bool()> armed = [] { return true; };
  /// Of each device whose outputs nobody takes to safety if this process dies: "device daq: why".
  std::vector<std::string> unguardable{};
  /// With the other nodes of its system; null: there are none. On the server's thread.
  nodes::Agreement* nodes = nullptr;
  /// The state of a recorder.
  struct Recorder {
    std::string name;
    std::string_view state;   ///< idle, beginning, recording
    std::string file;         ///< the newest; empty: there was none
    std::int64_t files = 0;   ///< begun so far
    std::uint64_t bytes = 0;  ///< of the newest file, as far as it is written
    std::size_t closing = 0;  ///< files that have ended and are not yet whole on the disk
    /// Blocks of memory: the most that were ever on their way to the disk.
    std::size_t blocks = 0;
    std::size_t blocks_max = 0;  ///< the most that may be before frames are lost
    std::int64_t lost = 0;       ///< frames that should be in the files and are not
    std::string error{};         ///< what went wrong first; empty when nothing did
  };
  /// Those that are configured.
  std::function<std::vector<Recorder>()> recorders = [] { return std::vector<Recorder>(); };
  /// Has a recorder, by its place in the list, begin or end, which it does soon. Returns why not;
  /// empty: it does.
  std::function<std::string(std::size_t, bool on)> record = [](std::size_t, bool) {
    return std::string();
  };
  /// What has become of going back to a recorded step.
  struct Rewinding {
    bool looking = false;         ///< for its state; then the run ends and begins there anew
    std::optional<SimTime> to{};  ///< asked for last; none: nobody has
    std::string error{};          ///< why the run goes on where it is; empty: it does not
  };
  /// Has a held run go back to the first step that starts at this time or later, soon. Returns why
  /// not; empty: it is tried.
  std::function<std::string(SimTime)> rewind = [](SimTime) {
    return std::string("the run cannot go back");
  };
  std::function<Rewinding()> rewinding = [] { return Rewinding(); };
  /// What is needed to run a test sequence in a process of its own.
  struct Launch {
    std::string file;     ///< of the sequence
    std::string socket;   ///< the server's own, by which it is a client like others
    std::string owner{};  ///< whose control, which stays, it is lent; empty: nobody's
  };
  /// A process that runs a sequence: a child of this one, nobody else's to wait for.
  struct Launched {
    pid_t pid = -1;
    Descriptor process{};  ///< readable once it has ended
    Descriptor lines{};    ///< what it writes, as `hildctl sequence --lines` does
  };
  /// Starts one. Error: why there is none.
  std::function<Result<Launched>(const Launch&)> launch = [](const Launch&) -> Result<Launched> {
    return fail("this run begins no sequences");
  };
  /// A change that took effect before, in the run that this one goes on from.
  struct Earlier {
    exec::Change change;
    std::int64_t frame = 0;
    SimTime time{};
    std::uint64_t transaction = 0;  ///< its number in that run
  };
  std::vector<Earlier> earlier{};
  /// Called with every transaction that took effect, in their order, on the server's thread, and
  /// with what a person wrote to each of its changes, mostly nothing.
  using Texts = std::span<const std::string>;
  std::function<void(const exec::Transaction&, const exec::Reply&, Texts)> accepted =
      [](const exec::Transaction&, const exec::Reply&, Texts) {};
  /// How the process of the model ended by itself; empty: it did not, or it is not known.
  std::function<std::string()> model_ending = [] { return std::string(); };
  std::function<Guarding()> guard = [] { return Guarding::none; };
  /// How the run ended; called once `ended` is raised.
  std::function<Ending()> ending = [] { return Ending{}; };
  /// Called with each change of the run's state once, in words for a log; `bad`: something is lost.
  std::function<void(const std::string& words, bool bad)> tell = [](const std::string&, bool) {};
};

/// What is known of the newest step at any time: its frame (the last it covers; -1 while there is
/// none), its time, the mode. Costs the loop nothing, and there are no values in it.
[[nodiscard]] inline exec::Image newest_step(const Run& run) {
  exec::Image image;
  const exec::Statistics& s = run.loop.statistics();
  if (s.frames.get() == 0) return image;
  image.mode = run.loop.snapshot().mode();
  image.frozen = image.mode.frozen;
  image.time = {s.sim_time_ns.get()};
  const std::int64_t next = run.settings.grid.frames_in(Duration{image.time.ns});
  image.frame = image.frozen ? next : next - 1;
  return image;
}

/// The image of the newest step, unchanged until the next call; its frame is -1 while there is
/// none. For the server's thread. Where nobody has asked for a while it is waited for: one is begun
/// in the frame that comes, and a large one takes some more.
[[nodiscard]] inline const exec::Image& newest_image(const Run& run) {
  using std::chrono::steady_clock;
  exec::Snapshot& snapshot = run.loop.snapshot();
  const exec::Statistics& s = run.loop.statistics();
  snapshot.ask();
  const exec::Image& known = snapshot.newest();
  const std::int64_t wanted = snapshot.begun() + 1;
  if (!snapshot.offered() || s.frames.get() == 0) return known;
  const std::int64_t age = run.settings.snapshot_every + 1 +
                           2 * static_cast<std::int64_t>((run.description.states.size() +
                                                          run.description.parameters.size()) /
                                                         exec::ImagePublisher::piece);
  if (known.frame >= 0 && s.frames.get() - known.frames <= age) return known;
  // A loop that stands still keeps nobody waiting for long.
  const auto until = steady_clock::now() + std::chrono::milliseconds(250);
  while (snapshot.published() < wanted && !run.ended.raised() && steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  return snapshot.newest();
}

}  // namespace hild::server
