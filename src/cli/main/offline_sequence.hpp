// SPDX-License-Identifier: Apache-2.0
/// \file
/// A test sequence of an offline run: it asks the run by the methods of docs/control.md, as
/// `hildctl sequence` does, but in lock-step with the loop, so that each change takes effect in the
/// same frame whenever it is run.
#pragma once

#include <boost/json/value.hpp>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "cli/main/lockstep.hpp"
#include "config/plan/assembly.hpp"
#include "control/sequence/names.hpp"
#include "control/sequence/runner.hpp"
#include "control/server/desk.hpp"
#include "hild/rt/thread.hpp"
#include "recording/record/sink.hpp"

namespace hild::commands {

/// The sequence that a run is steered by.
struct SequenceTask {
  std::string file;
  std::vector<sequence::Let> lets{};
  bool quiet = false;  ///< its steps are not shown as they end
};

/// The names that a sequence may use of a run.
[[nodiscard]] sequence::Names names_of(const plan::Assembly& assembly);

class OfflineSequence final : private sequence::Bench, public record::Sink {
 public:
  /// Reads the file and checks it against the run. `assembly` and what `run` refers to outlive it.
  /// Throws an Error.
  OfflineSequence(const SequenceTask& task, const plan::Assembly& assembly, server::Run run);
  ~OfflineSequence() override;

  /// What the clock of the run stands at.
  [[nodiscard]] Lockstep& lockstep() noexcept { return lockstep_; }
  /// Begins, on a thread of its own; when it is over the run is asked to end. Error: no thread.
  [[nodiscard]] Result<void> start();
  /// Waits until it is over.
  void join();

  /// What came of it, after join(): as to_json() has it; or why it was not begun.
  [[nodiscard]] const boost::json::value& outcome() const noexcept { return told_; }
  [[nodiscard]] sequence::Verdict verdict() const noexcept { return verdict_; }
  /// How it went, in one line.
  [[nodiscard]] const std::string& summary() const noexcept { return summary_; }

  void frame(const io::FrameView& record) override;

 private:
  /// What was recorded, from the recorder's thread.
  struct Recorded {
    std::mutex mutex;  // guards what follows
    std::condition_variable moved;
    std::int64_t records = 0;
    std::vector<std::size_t> columns;  ///< subscribed to: places in `values`
    std::vector<double> values;        ///< of the newest step: inputs, outputs, states, alarms
    sequence::Samples samples;
  };

  boost::json::value call(std::string_view method, boost::json::object params) override;
  sequence::Samples samples(SimTime until) override;
  void work();
  void advance(SimTime until);
  [[nodiscard]] boost::json::value subscribe(const boost::json::object& params);
  [[nodiscard]] boost::json::value present(const boost::json::object& params);
  [[nodiscard]] std::size_t column(server::Place place) const;

  const plan::Assembly& assembly_;
  rt::Flag& stop_;
  const exec::Statistics& statistics_;
  server::Desk desk_;
  sequence::Sequence sequence_;
  bool quiet_;
  Lockstep lockstep_;
  Recorded recorded_;
  SimTime newest_{};        // end of the newest step that is known
  std::int64_t still_ = 0;  // frames since that moved
  boost::json::value told_;
  sequence::Verdict verdict_ = sequence::Verdict::error;
  std::string summary_;
  std::optional<rt::Thread> thread_;
};

}  // namespace hild::commands
