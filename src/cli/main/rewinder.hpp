// SPDX-License-Identifier: Apache-2.0
/// \file
/// Looks beside a run for the state that it had at a recorded step, as it will be looked for when
/// the run begins anew there: what cannot be reached is told while the run is still what it was.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "cli/main/service.hpp"
#include "control/server/run.hpp"
#include "hild/rt/atomic.hpp"

namespace hild::commands {

class Rewinder {
 public:
  /// `io` is that of the main thread, and outlives this.
  explicit Rewinder(boost::asio::io_context& io) : io_(io) {}
  ~Rewinder();
  Rewinder(const Rewinder&) = delete;
  Rewinder& operator=(const Rewinder&) = delete;

  /// What it needs of the run.
  struct Run {
    /// Reads the configuration again, on another thread.
    std::function<Result<config::Config>()> again;
    /// Called on the main thread once the state is there. Returns why the run does not go back;
    /// empty: it does.
    std::function<std::string(const RecordedStep&)> found;
  };
  /// Begins to look for the first step of `file` that starts at `to` or later. Returns why not;
  /// empty: it does.
  [[nodiscard]] std::string begin(std::string file, SimTime to, Run run);
  /// What has become of it. Any thread.
  [[nodiscard]] server::Run::Rewinding state() const;
  /// The step that the run ends for; none: it ends for no step.
  [[nodiscard]] const std::optional<RecordedStep>& step() const noexcept { return step_; }

 private:
  void look(const std::string& file, SimTime to, const Run& run);
  void fail(const std::string& why);

  boost::asio::io_context& io_;
  mutable std::mutex mutex_;
  server::Run::Rewinding state_;  // guarded by it
  std::optional<RecordedStep> step_;
  rt::Flag given_up_;
  std::thread looking_;
};

}  // namespace hild::commands
