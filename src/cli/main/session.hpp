// SPDX-License-Identifier: Apache-2.0
/// \file
/// One run from start to report: clock, devices, frame thread, recorder, and the main thread that
/// listens to signals and shows progress.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <memory>
#include <optional>
#include <string>

#include "cli/main/guard_keeper.hpp"
#include "cli/main/nodes_keeper.hpp"
#include "cli/main/offline_sequence.hpp"
#include "cli/main/rewinder.hpp"
#include "cli/main/run_logs.hpp"
#include "cli/main/run_warnings.hpp"
#include "cli/main/service.hpp"
#include "cli/report/report.hpp"
#include "config/plan/placement.hpp"
#include "config/plan/plan.hpp"
#include "control/server/server.hpp"
#include "exec/frame_loop.hpp"
#include "hild/rt/thread.hpp"
#include "offline/replay/state_at.hpp"
#include "recording/record/recorder.hpp"

namespace hild::commands {

class Session {
 public:
  struct Options {
    bool offline = false;
    bool arm = false;                  ///< hardware outputs are live from the start
    std::optional<Duration> duration;  ///< none: the run ends by a signal, or with its sequence
    std::optional<SequenceTask> sequence{};  ///< of an offline run
    /// Where a live run goes on from, held and disarmed; null: it begins at its start.
    std::shared_ptr<const replay::StateAt> from{};
    /// Reads the configuration again, as a run that begins anew will.
    std::function<Result<config::Config>()> again{};
  };
  Session(plan::Assembly assembly, const Options& options);
  ~Session();

  /// Opens the devices, measures, makes the plan. Throws an Error where a device fails, a privilege
  /// is missing that the run needs, or the plan does not fit.
  void prepare();
  /// Runs to the end. Outputs are safe when it returns. Throws an Error.
  void run();
  /// Shows the report, writes it to `file` unless empty; returns the exit code of the run.
  [[nodiscard]] ExitCode finish(const std::string& file);
  /// Whether a thread is in a model that does not return, so that nothing of the run may be
  /// destroyed.
  [[nodiscard]] bool stuck() const {
    return (frames_.crew && frames_.crew->stuck()) ||
           (frames_.background && frames_.background->stuck());
  }
  /// Ends what is under way, after an error. Whether it is stuck.
  [[nodiscard]] bool end();
  /// What came of the sequence; null: it has none. After run().
  [[nodiscard]] const OfflineSequence* sequence() const { return frames_.sequence.get(); }
  /// Whether the run was ended to begin again with its configuration read anew.
  [[nodiscard]] bool reload_asked() const { return anew_.service.reloads(); }
  /// Likewise at this step; none: at its start.
  [[nodiscard]] const std::optional<RecordedStep>& rewinds_to() const {
    return anew_.rewinder.step();
  }

 private:
  void choose_grid();
  void warn_of_tai();
  [[nodiscard]] MonoTime first_tick(MonoTime earliest);
  void choose_patience();
  void choose_arming();
  void start_guard();
  void meet_nodes();
  [[nodiscard]] bool may_arm() const;
  [[nodiscard]] MonoTime begin_with_others(Duration ahead);
  void arm(bool armed);
  void make_outputs_safe();
  void end_loop();
  void settle_background();
  void share_work();
  [[nodiscard]] rt::Clock& clock() { return frames_.crew ? frames_.crew->clock() : *clock_; }
  void make_and_judge_plan();
  void warn_of_unsound_step();
  void make_room_for_records();
  void begin_logs();
  void begin_recording(std::vector<record::Sink*> sinks);
  void take_keyframes();
  [[nodiscard]] std::vector<record::LosableInput> losable_inputs() const;
  void begin_sequence(std::vector<record::Sink*>& sinks);
  void serve(std::vector<record::Sink*>& sinks);
  [[nodiscard]] server::Run served_run();
  [[nodiscard]] std::vector<server::Run::Recorder> recorders_state() const;
  [[nodiscard]] std::string record(std::size_t recorder, bool on);
  [[nodiscard]] report::Run reported();
  [[nodiscard]] server::Ending ending();
  [[nodiscard]] std::string why_no_rewind() const;
  [[nodiscard]] std::string rewind(SimTime to);
  [[nodiscard]] std::string go_back(const RecordedStep& to);
  void run_frames(MonoTime start, std::int64_t frames);
  void gather_evidence(pid_t frame_thread);
  void listen();
  void log_ready();
  void watch();
  void await_model_ending() const;
  void serve_until_done();
  void show_progress(bool last);

  /// The records of frames, from the loop to the recorder.
  struct Records {
    io::FrameLayout layout;
    std::optional<rt::SlotRing> ring{};
    record::Handover handover{};
  };
  /// The frame loop, the thread it runs on, and those that models have.
  struct Frames {
    std::unique_ptr<plan::Crew> crew;                  // null: there are none
    std::unique_ptr<plan::BackgroundCrew> background;  // likewise
    std::vector<server::Run::ModelSpan> planned{};     // what they are to have when
    std::vector<server::Run::Models::InBackground> in_background{};
    std::unique_ptr<exec::FrameLoop> loop;
    std::optional<rt::Thread> thread;
    std::unique_ptr<OfflineSequence> sequence;  // null: nobody steers the run by one
    rt::Flag stop;
    rt::Flag done;
    exec::Outcome outcome;
    std::string refused;  // why it could not go on from the recorded step
  };

  plan::Assembly assembly_;
  Options options_;
  RunWarnings warnings_;

  exec::ExternalEvents events_;
  Records records_;
  std::unique_ptr<rt::Clock> clock_;
  Descriptor latency_hold_;
  boost::asio::io_context io_{1};
  GuardKeeper guard_keeper_{io_};
  NodesKeeper nodes_keeper_{io_};
  RunLogs logs_;
  Frames frames_;
  /// What has the run begin anew once it has ended.
  struct Anew {
    explicit Anew(boost::asio::io_context& io) : rewinder(io) {}
    ServiceManager service;
    Rewinder rewinder;
  };
  Anew anew_{io_};
  boost::asio::signal_set signals_{io_};
  std::unique_ptr<server::Server> server_;  // null: nobody can steer the run
};

}  // namespace hild::commands
