// SPDX-License-Identifier: Apache-2.0
/// \file
/// The subscriptions of clients to samples: a row for every n-th step, sent about twenty times a
/// second. Rows that a client has no room for are dropped and counted, as are samples lost on the
/// way here.
#pragma once

#include <boost/json/object.hpp>
#include <list>
#include <memory>
#include <vector>

#include "control/server/names.hpp"
#include "control/server/params.hpp"
#include "control/server/sample_tap.hpp"
#include "control/server/timer.hpp"

namespace hild::server {

class Client;

class Subscriptions {
 public:
  static constexpr std::int64_t most_of_a_client = 16;

  /// All references outlive this. A subscription that does not say how many rows it wants gets
  /// about a hundred a second.
  Subscriptions(boost::asio::io_context& io, SampleTap& tap, const Names& names, double rate_hz);

  /// Both throw Refused. A new subscription gets no row of a step before that of `frame`: the
  /// recorder may be a little behind what the client has been told already.
  json::object subscribe(Params& params, const std::shared_ptr<Client>& client, std::int64_t frame);
  json::object unsubscribe(Params& params, const Client& client);
  [[nodiscard]] bool has(const Client& client) const;
  /// Removes the subscriptions of a client that has gone.
  void forget(const Client& client);
  void close();

  /// Takes the samples there are and sends the rows that are due; the timer does the same.
  void send();

  /// Rows dropped so far, in all subscriptions.
  [[nodiscard]] std::int64_t lost() const noexcept { return lost_; }
  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }

 private:
  struct Subscription {
    std::int64_t id = 0;
    std::weak_ptr<Client> client;
    std::vector<std::size_t> columns;
    std::int64_t every = 1;
    std::int64_t first_frame = 0;
    std::int64_t next = -1;  // the step of the next row; -1: any
    std::int64_t lost = 0;
    std::vector<std::int64_t> frames;
    std::vector<double> times;
    std::vector<double> values;  // row by row
  };
  void add_row(Subscription& s, const SampleTap::Sample& sample);
  void send(Subscription& s);
  void wait();
  [[nodiscard]] static std::string text_of(const Subscription& s);

  SampleTap& tap_;
  const Names& names_;
  std::int64_t usual_every_;
  Timer timer_;
  std::list<Subscription> all_;
  std::int64_t last_id_ = 0;
  std::int64_t lost_ = 0;
};

}  // namespace hild::server
