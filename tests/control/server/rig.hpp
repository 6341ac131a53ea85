// SPDX-License-Identifier: Apache-2.0
/// \file
/// A served run in this process: a real frame loop on a thread and on the virtual clock, so that
/// nothing of the machine's can make it late, a real recorder, and the server on a thread of its
/// own. Frames go by as fast as `pace` lets them.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <thread>

#include "control/server/server.hpp"
#include "exec/fakes.hpp"
#include "recording/record/recorder.hpp"
#include "recording/record/times.hpp"

namespace hild::testing {

/// x' = u; shows its parameter `level`, and has names that need prefixes.
struct Bench {
  static constexpr std::string_view name = "bench";
  static constexpr std::string_view summary = "shows what was done to it";
  static constexpr std::array states{model::State{"x", "rad", 0}};
  static constexpr std::array inputs{model::Input{"u", "rad/s", 0}, model::Input{"load", "N m", 0}};
  static constexpr std::array outputs{model::Output{"level"}, model::Output{"seen", "rad/s"},
                                      model::Output{"load", "N m"}};
  static constexpr std::array parameters{model::Parameter{"level", "1", 0, -1e9, 1e9},
                                         model::Parameter{"inertia", "kg m2", 0.01, 1e-6, 10},
                                         model::Parameter{"gain", "V", 1}};
  using D = model::Data<Bench>;
  static void derivatives(double, D::X, D::U u, D::P, D::DX dx) noexcept { dx[0] = u[0]; }
  static void outputs_of(double, D::X, D::U u, D::P p, D::Y y) noexcept {
    y[0] = p[0];
    y[1] = u[0];
    y[2] = u[1];
  }
};

/// Inputs hold; every call takes a while of the machine's time, none of the clock's, and waits for
/// the recorder where that lags.
class PacedSampler final : public io::Sampler {
 public:
  PacedSampler(rt::VirtualClock& clock, const rt::SlotRing& records)
      : clock_(&clock), records_(&records) {}

  bool exchange(std::span<const double>, std::span<double> u, MonoTime /*now*/,
                std::span<MonoTime> sampled) noexcept override {
    while (records_->full(2) || halts.get() != 0) ::usleep(200);
    if (pace_us > 0) ::usleep(pace_us);
    for (MonoTime& instant : sampled) instant = clock_->now() - Duration{age_ns.get()};
    for (std::size_t i = 0; i < u.size(); ++i) u[i] = inputs[i];
    return true;
  }
  bool safe() noexcept override { return true; }
  /// What can be made wrong with its device.
  static constexpr std::array known_faults{
      io::DeviceFault{"bus.Command.missing", "its frames do not come"},
      io::DeviceFault{"bus.Command.delayed", "its frames come so much later", "s", {1e-6, 10}}};
  [[nodiscard]] std::size_t faults() const noexcept override { return known_faults.size(); }
  [[nodiscard]] std::optional<io::Interval> fault_range(std::size_t fault) const noexcept override {
    if (fault >= known_faults.size()) return {};
    return known_faults[fault].allowed;
  }
  bool lines(std::span<double> carried) const noexcept override {
    std::ranges::fill(carried, std::numeric_limits<double>::quiet_NaN());
    carried[0] = line;
    return false;
  }

  std::array<double, 2> inputs{0.5, 0.25};
  double line = 1.5;  ///< what the first output's carries, whatever is put out
  unsigned pace_us = 50;
  rt::Counter halts;   ///< while not 0, no call returns
  rt::Counter age_ns;  ///< of the images

 private:
  rt::VirtualClock* clock_;
  const rt::SlotRing* records_;
};

/// What the records told of each step.
class Recording final : public record::Sink {
 public:
  struct Step {
    io::FrameHeader header;
    std::vector<double> inputs;  ///< of the last pass
    std::vector<double> outputs;
    std::vector<double> states;
  };
  void frame(const io::FrameView& r) override {
    Step s{r.header(), {}, {}, {}};
    if (r.header().passes > 0) s.inputs.assign(r.inputs(0).begin(), r.inputs(0).end());
    s.outputs.assign(r.outputs().begin(), r.outputs().end());
    s.states.assign(r.states().begin(), r.states().end());
    steps.push_back(std::move(s));
  }
  std::vector<Step> steps;
};

/// A folder that vanishes.
class Folder {
 public:
  Folder() {
    std::string name = ::testing::TempDir() + "hild-server-XXXXXX";
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] std::string path(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/// Whose connections all are.
inline Result<server::Users::Of> users_are(uid_t user) {
  using Endpoint = server::Users::Endpoint;
  return server::Users::Of(
      [user](const Endpoint&, const Endpoint&) { return Result<uid_t>(user); });
}

class ServerRig {
 public:
  /// Set up, to be changed before start().
  explicit ServerRig(const exec::AdmissionSettings& admission = {});
  ~ServerRig();  ///< ends
  ServerRig(const ServerRig&) = delete;
  ServerRig& operator=(const ServerRig&) = delete;

  /// Serves, and lets frames go by unless told otherwise.
  ServerRig& start(bool frames = true);
  /// Returns when the first step has ended.
  void run_frames();
  /// Returns when the step that starts at `frame` has ended, however long the machine takes for
  /// it. Nothing that is yet to come is in the recording of a run that was ended.
  void run_past(std::int64_t frame) const;
  /// Waits until all steps that have ended by now are in the histograms.
  void catch_up() const;
  /// While it lives no frame goes by, however long a client takes: what is asked for ahead is
  /// ahead. Replies that wait for a step come after it.
  class Halt {
   public:
    explicit Halt(ServerRig& rig) : halts_(&rig.sampler.halts) { halts_->set(1); }
    Halt(const Halt&) = delete;
    Halt& operator=(const Halt&) = delete;
    ~Halt() { end(); }
    /// Frames go by again.
    void end() { halts_->set(0); }

   private:
    rt::Counter* halts_;
  };
  /// As a session ends: the loop first, then the server, then the recorder.
  void end();

  [[nodiscard]] const std::string& socket() const { return control.socket; }
  /// The port that HTTP got.
  [[nodiscard]] std::uint16_t port() const;
  [[nodiscard]] server::Server& server() { return *server_; }
  [[nodiscard]] const exec::Statistics& statistics() const { return loop_->statistics(); }
  [[nodiscard]] server::Run run();

  Folder folder;
  rt::VirtualClock clock;
  CostlyPlant plant;

 private:
  rt::SlotRing records_;

 public:
  PacedSampler sampler;
  exec::Settings settings;
  std::vector<io::SampledInput> wires = plain_inputs(2);
  std::int64_t first_frame = 0;  ///< frames and steps are counted from here
  exec::ExternalEvents events;
  config::Control control;
  /// Every connection is that of the run's own user, whoever runs the tests.
  server::Users users{.own = 1000, .open = [] { return users_are(1000); }};
  Recording recording;  ///< to be read after end()
  bool records_are_kept = true;
  exec::Outcome outcome;
  rt::Flag stop;
  rt::Flag ended;
  bool armed = true;                      ///< by the server's thread, which also asks
  nodes::Agreement* agreement = nullptr;  ///< set before start()
  server::Ending ending;
  std::string model_ending;  ///< set before start()
  server::Guarding guarding = server::Guarding::none;
  std::vector<config::Alarm> alarms;  ///< set before start()
  std::vector<server::Run::Recorder> recorders;
  std::string why_not;  ///< recorders do not as they are asked to
  std::vector<server::Run::DeviceCounters> device_counters{};
  /// Begins sequences; called by the server's thread. Set before start().
  std::function<Result<server::Run::Launched>(const server::Run::Launch&)> launch =
      [](const server::Run::Launch&) -> Result<server::Run::Launched> { return fail("not here"); };
  std::vector<std::string> log;  ///< to be read after end()

 private:
  [[nodiscard]] io::FrameLayout layout();

  std::unique_ptr<boost::asio::io_context> io_;
  std::unique_ptr<exec::FrameLoop> loop_;
  std::optional<record::Times> times_;
  std::unique_ptr<server::Server> server_;
  std::unique_ptr<record::Recorder> recorder_;
  std::thread io_thread_;
  std::thread loop_thread_;
};

}  // namespace hild::testing
