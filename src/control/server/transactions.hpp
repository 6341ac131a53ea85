// SPDX-License-Identifier: Apache-2.0
/// \file
/// Transactions on their way: submitted to the loop, then waited for. Looks for replies by a short
/// timer, and only while one is owed. A verdict is told when the image of its step is there to be
/// read, so that whoever has the answer can read what it did. Keeps what is lent to the loop until
/// it is released. One thread, the server's.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <tl/expected.hpp>

#include "control/server/active_changes.hpp"
#include "control/server/changes.hpp"
#include "control/server/run.hpp"
#include "control/server/timer.hpp"

namespace hild::server {

class Client;

class Transactions {
 public:
  struct Effect {
    std::int64_t frame = 0;  ///< of the step at whose start it took effect
    SimTime time{};
  };
  using Verdict = tl::expected<Effect, rpc::Error>;
  using Done = std::function<void(const Verdict&)>;

  /// What takes effect is told to `active`; all outlive this.
  Transactions(boost::asio::io_context& io, const Run& run, ActiveChanges& active);

  /// Calls `done` once, later. Throws Refused when it cannot even be submitted.
  /// What `asker` asks for ahead is withdrawn when forget() comes before its frame.
  void submit(Changes changes, const Client& asker, Done done);
  void forget(const Client& asker);
  /// Looks for replies now; the timer does the same.
  void poll();
  /// The run has ended or is given up: what is owed is answered with that.
  void close();

  [[nodiscard]] std::size_t pending() const noexcept { return pending_.size(); }

 private:
  struct Pending {
    Changes changes;
    const Client* asker = nullptr;  // only to be compared
    Done done;                      // empty once its verdict is on its way
    std::size_t tables = 0;
  };
  /// A verdict to be told when so many images have been published.
  struct Verdicts {
    std::uint64_t images = 0;
    Done done;
    Verdict verdict;
  };

  void take(const exec::Reply& reply);
  void tell();
  void withdraw();
  /// Looks again after a nap; sooner, where the timer runs longer than that.
  void wait();

  const Run& run_;
  ActiveChanges& active_;
  Timer timer_;
  std::chrono::microseconds nap_{};
  std::optional<std::chrono::steady_clock::time_point> next_look_;  // none: the timer is not set
  std::uint64_t last_id_ = 0;
  std::map<std::uint64_t, Pending> pending_;
  std::deque<Verdicts> verdicts_;
  std::deque<std::uint64_t> withdrawn_;  // which the loop is yet to be told
};

/// A refusal of the run in words.
[[nodiscard]] rpc::Error error_of(const exec::Reply& reply, const Changes& changes);

}  // namespace hild::server
