// SPDX-License-Identifier: Apache-2.0
/// \file
/// A daemon that a test plays: a Unix socket, a thread, and an answer for each method. One client
/// at a time.
#pragma once

#include <boost/json.hpp>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cli/main/program.hpp"

namespace hild::ctl {

class FakeDaemon {
 public:
  struct Call {
    std::string method;
    boost::json::object params;
  };
  /// What goes back for a request: lines without their ends; none is silence.
  struct Answer {
    std::vector<std::string> lines;
    bool hang_up = false;  ///< after them
  };
  using Handler = std::function<Answer(const boost::json::value& id, const Call& call)>;

  /// Answers `list`, `status`, `methods`, `subscribe`; whatever else with {frame: 7, time_s:
  /// 0.007}.
  FakeDaemon();
  FakeDaemon(const FakeDaemon&) = delete;
  FakeDaemon& operator=(const FakeDaemon&) = delete;
  ~FakeDaemon();

  [[nodiscard]] std::string socket() const { return folder_.path("control.sock"); }

  /// The result of a method from now on.
  void answer(const std::string& method, boost::json::value result);
  void refuse(const std::string& method, int code, const std::string& message);
  /// Anything at all.
  void handle(const std::string& method, Handler handler);

  /// All calls so far.
  [[nodiscard]] std::vector<Call> calls() const;

  [[nodiscard]] static std::string reply(const boost::json::value& id, boost::json::value result);
  /// A notification of samples: a row a time.
  [[nodiscard]] static std::string samples(const std::vector<std::int64_t>& frames,
                                           const std::vector<std::vector<double>>& values,
                                           std::int64_t lost = 0);

 private:
  void serve();
  void serve_client(int client);
  Answer answer_to(const boost::json::value& request);

  test::Folder folder_;
  int listening_ = -1;
  int wake_[2] = {-1, -1};
  mutable std::mutex mutex_;
  std::map<std::string, Handler> handlers_;
  std::vector<Call> calls_;
  std::thread thread_;
};

/// Runs hildctl against it.
[[nodiscard]] test::Ended hildctl(const FakeDaemon& daemon, std::vector<std::string> arguments);

}  // namespace hild::ctl
