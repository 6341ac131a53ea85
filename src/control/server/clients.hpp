// SPDX-License-Identifier: Apache-2.0
/// \file
/// The clients that are connected. A client lives as long as it is listed here.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>

#include "control/server/client.hpp"
#include "control/server/ownership.hpp"
#include "control/server/subscriptions.hpp"
#include "control/server/transactions.hpp"

namespace hild::server {

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
