// SPDX-License-Identifier: Apache-2.0
/// \file
/// One run from start to report: clock, devices, frame thread, recorder, and the main thread that
/// listens to signals and shows progress.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>

#include "exec/frame_loop.hpp"
#include "framelog/frame_log.hpp"
#include "guard/guard.hpp"
#include "guard/watch.hpp"
#include "hild/rt/thread.hpp"
#include "plan/plan.hpp"
#include "record/clamp_log.hpp"
#include "record/overrun_attribution.hpp"
#include "record/overrun_log.hpp"
#include "record/recorder.hpp"
#include "record/standstill_log.hpp"
#include "record/trace.hpp"
#include "report/report.hpp"
#include "server/server.hpp"

namespace hild::commands {

class Session {
 public:
  struct Options {
    bool offline = false;
    bool arm = false;                  ///< outputs of hardware are live from the start
    std::optional<Duration> duration;  ///< none: the run ends by a signal
  };
  Session(plan::Assembly assembly, const Options& options);
  ~Session();

  /// Opens the devices, measures, makes the plan. Error: a device, a privilege the run cannot do
  /// without, or a plan that does not fit.
  [[nodiscard]] Result<void> prepare();
  /// Runs to the end. Outputs are safe when it returns.
  [[nodiscard]] Result<void> run();
  /// Shows the report, writes it to `file` unless empty; returns the exit code of the run.
  [[nodiscard]] ExitCode finish(const std::string& file);
  /// The run was ended to begin again, with its configuration read anew.
  [[nodiscard]] bool reload_asked() const { return reload_; }

 private:
  Result<void> choose_clock();
  void choose_patience();
  void choose_arming();
  Result<void> start_guard();
  void watch_guard();
  void look_at_guard();
  void tell_guard_lost();
  void make_outputs_safe();
  void end_loop();
  Result<void> make_and_judge_plan();
  void warn_of_unsound_step();
  void tell_clamping();
  Result<void> serve(std::vector<record::Sink*>& sinks);
  void tell_state_to(server::Run& run);
  [[nodiscard]] report::Run reported();
  [[nodiscard]] server::Ending ending();
  void gather_evidence(pid_t frame_thread);
  void listen();
  void begin_reload();
  void tell_ready();
  void watch();
  void await_model_ending() const;
  void feed_watchdog();
  void serve_until_done();
  void show_progress(bool last);
  void warn(const std::string& text);

  plan::Assembly assembly_;
  bool offline_;
  bool arm_;
  std::optional<Duration> duration_;
  rt::Warnings warnings_;
  std::size_t warned_ = 0;

  exec::ExternalEvents events_;
  io::FrameLayout layout_;
  rt::SlotRing records_;
  std::unique_ptr<rt::Clock> clock_;
  std::optional<guard::Guard> guard_;  // none: offline, not wanted, or nothing to be made safe
  bool guard_lost_ = false;
  rt::Flag recording_broken_;  // what recorded was given up
  std::optional<rt::CpuLatencyHold> latency_hold_;
  std::shared_ptr<spdlog::logger> logger_;
  record::OverrunLog overrun_log_;
  record::Trace trace_;
  record::OverrunAttribution attribution_;
  std::unique_ptr<framelog::FrameLog> frame_log_;  // when the run is recorded
  std::unique_ptr<record::Recorder> recorder_;
  std::unique_ptr<exec::FrameLoop> loop_;
  std::optional<record::ClampLog> clamp_log_;
  std::optional<record::StandstillLog> standstill_log_;
  std::optional<rt::Thread> thread_;
  rt::Flag stop_;
  rt::Flag done_;
  exec::Outcome outcome_;
  std::int64_t fed_at_frame_ = 0;
  bool reload_ = false;
  boost::asio::io_context io_{1};
  boost::asio::signal_set signals_{io_};
  boost::asio::posix::stream_descriptor guard_death_{io_};
  boost::asio::steady_timer guard_look_{io_};
  guard::Watch guard_watch_{Duration{}};
  std::unique_ptr<server::Server> server_;  // none: nobody may steer the run
};

}  // namespace hild::commands
