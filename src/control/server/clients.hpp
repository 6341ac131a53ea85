// SPDX-License-Identifier: Apache-2.0
/// \file
/// The clients, whichever way they are connected.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <unordered_map>

#include "control/server/ownership.hpp"
#include "control/server/rights.hpp"
#include "control/server/subscriptions.hpp"
#include "control/server/transactions.hpp"

namespace hild::server {

/// A client as the methods see it, whichever way it is connected.
class Client : public std::enable_shared_from_this<Client> {
 public:
  explicit Client(Rights rights = {}) : rights_(std::move(rights)) {}
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  virtual ~Client() = default;

  /// Sends the answer to one text that was received; empty when there is nothing to say. It is
  /// never dropped while the client is connected.
  virtual void answer(std::string text) = 0;

  [[nodiscard]] const Rights& rights() const { return rights_; }
  /// Whether it can be sent notifications.
  [[nodiscard]] virtual bool can_subscribe() const { return false; }
  /// Whether it can take samples now; false when it has too much to read already.
  [[nodiscard]] virtual bool keeps_up() const { return false; }
  /// Sends a notification. Precondition: keeps_up().
  virtual void notify(std::string /*text*/) {}  // NOLINT: who overrides it keeps the text

  /// Takes no more requests; what is owed is sent, then the connection is closed.
  virtual void finish() = 0;
  /// Closes the connection at once.
  virtual void close() = 0;

 private:
  Rights rights_;
};

/// The clients that are connected. A client lives as long as it is listed here.
class Clients {
 public:
  Clients(Subscriptions& subscriptions, Transactions& transactions, Ownership& ownership)
      : subscriptions_(subscriptions), transactions_(transactions), ownership_(ownership) {}

  [[nodiscard]] std::size_t size() const noexcept { return all_.size(); }

  void add(std::shared_ptr<Client> client) {
    Client* const key = client.get();
    all_.emplace(key, std::move(client));
  }
  /// Removes a client that has gone, and with it its subscriptions, its control and the changes it
  /// asked for ahead.
  void remove(Client& client) {
    subscriptions_.forget(client);
    transactions_.forget(client);
    ownership_.forget(client);
    all_.erase(&client);
    if (all_.empty() && when_none_) when_none_();
  }
  /// Sets what is called when the last client has gone.
  void when_none(std::function<void()> call) { when_none_ = std::move(call); }
  [[nodiscard]] bool subscribed(const Client& client) const { return subscriptions_.has(client); }

  /// Calls `call` with every client that is connected now.
  template <class Call>
  void each(Call call) {
    const auto now = all_;
    for (const auto& [key, client] : now) call(*client);
  }

 private:
  Subscriptions& subscriptions_;
  Transactions& transactions_;
  Ownership& ownership_;
  std::function<void()> when_none_;
  std::unordered_map<Client*, std::shared_ptr<Client>> all_;
};

}  // namespace hild::server
