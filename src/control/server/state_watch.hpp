// SPDX-License-Identifier: Apache-2.0
/// \file
/// Looks at the state of the run now and then, and reports each change once: to the log, and to the
/// clients that follow it. At the end it tells those how the run ended. For one thread, the
/// server's.
#pragma once

#include <boost/json/object.hpp>
#include <memory>
#include <string>
#include <vector>

#include "control/server/run_state.hpp"
#include "control/server/timer.hpp"

namespace hild::server {

class StateWatch {
 public:
  /// The context outlives this.
  StateWatch(boost::asio::io_context& io, const Context& context);

  /// Makes a client a follower: from now on it gets notifications `state`, and at last `ended`.
  /// Returns what a `state` contains: {state, told}.
  [[nodiscard]] json::object follow(const std::shared_ptr<Client>& client);

  /// Looks now, and from then on again and again.
  void start();
  /// To be called when the run has ended: looks a last time, then tells nobody any more.
  void close();

 private:
  struct Follower {
    std::weak_ptr<Client> client;
    bool owed = false;  ///< it did not keep up when there was something to tell
  };
  void look();
  void tell(const std::vector<Topic>& topics);

  const Context& context_;
  Timer timer_;
  std::vector<std::string> known_;  ///< what was reported last, by topic
  std::vector<Follower> followers_;
};

}  // namespace hild::server
