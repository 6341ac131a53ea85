// SPDX-License-Identifier: Apache-2.0
/// \file
/// Submits transactions to the loop and waits for their replies. Looks for replies by a short
/// timer, and only while one is owed. A verdict is reported when the image of its step has been
/// published, so that a client that has the answer can read the effect. Keeps what is lent to the
/// loop until it is released. For one thread, the server's.
#pragma once

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <tl/expected.hpp>

#include "control/server/active_changes.hpp"
#include "control/server/refused.hpp"
#include "control/server/run.hpp"
#include "control/server/timer.hpp"

namespace hild::server {

class Client;

/// The memory of a playback table, lent to the loop until it replies `released`.
struct Table {
  std::vector<double> times;
  std::vector<double> values;
};

/// The changes that a request asks for, to be made as one transaction, with everything needed to
/// submit them and to report on them afterwards.
struct Changes {
  /// Where in the request a change comes from, for messages.
  struct Origin {
    std::size_t entry = 0;  ///< its place in `changes` of a transaction, or in `values` of a set
    std::string called{};   ///< "values.inertia"
  };

  exec::When when{};
  std::vector<exec::Change> all;
  std::vector<Origin> origins;                 ///< of each change
  std::vector<std::unique_ptr<Table>> tables;  ///< of each change; null: it has none
  std::vector<std::string> texts;              ///< of each: what a person wrote to it, or nothing

  /// Adds a change. Throws Refused when there are too many.
  void add(const exec::Change& change, Origin origin, std::unique_ptr<Table> table = nullptr,
           std::string text = {}) {
    if (all.size() == exec::max_changes) {
      refuse(rpc::Code::invalid_params, "more than {} changes: a transaction holds no more",
             exec::max_changes);
    }
    all.push_back(change);
    origins.push_back(std::move(origin));
    tables.push_back(std::move(table));
    texts.push_back(std::move(text));
  }
};

class Transactions {
 public:
  struct Effect {
    std::int64_t frame = 0;  ///< the frame of the step at whose start it took effect
    SimTime time{};
  };
  using Verdict = tl::expected<Effect, rpc::Error>;
  using Done = std::function<void(const Verdict&)>;

  /// Changes that take effect are reported to `active`. All references outlive this.
  Transactions(boost::asio::io_context& io, const Run& run, ActiveChanges& active);

  /// Numbers in use are not given anew: the loop still names those of the run that this one goes on
  /// from, when it is done with a table that one of them lent.
  void number_after(std::uint64_t id) noexcept { last_id_ = std::max(last_id_, id); }
  /// Submits changes; calls `done` once, later. Throws Refused when they cannot even be submitted.
  /// Changes that `asker` wants at a later frame are withdrawn if forget() comes before it.
  void submit(Changes changes, const Client& asker, Done done);
  /// Reports that a client has gone.
  void forget(const Client& asker);
  /// Looks for replies now; the timer does the same.
  void poll();
  /// To be called when the run has ended or is given up: what is owed is answered so.
  void close();

  [[nodiscard]] std::size_t pending() const noexcept { return pending_.size(); }

 private:
  struct Pending {
    Changes changes;
    const Client* asker = nullptr;  // only to be compared
    Done done;                      // empty once its verdict is on its way
    std::size_t tables = 0;
  };
  /// A verdict to be reported when so many images have been published.
  struct Verdicts {
    std::int64_t images = 0;
    Done done;
    Verdict verdict;
  };

  void take(const exec::Reply& reply);
  /// Reports the verdicts that are due, or all.
  void tell(bool all = false);
  void withdraw();
  /// Sets the timer to look again after a nap, if it is not set to an earlier time.
  void wait();

  const Run& run_;
  ActiveChanges& active_;
  Timer timer_;
  std::chrono::microseconds nap_{};
  std::optional<std::chrono::steady_clock::time_point> next_look_;  // none: the timer is not set
  std::uint64_t last_id_ = 0;
  std::map<std::uint64_t, Pending> pending_;
  std::deque<Verdicts> verdicts_;
  std::deque<std::uint64_t> withdrawn_;  // withdrawals the loop is yet to be told of
};

}  // namespace hild::server
