// SPDX-License-Identifier: Apache-2.0
/// \file
/// Who may send requests, as the methods see it, whatever it is connected by.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace hild::server {

class Client : public std::enable_shared_from_this<Client> {
 public:
  Client() = default;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  virtual ~Client() = default;

  /// The answer to one text that was received; empty when there is nothing to say. Never dropped
  /// while the client is there.
  virtual void answer(std::string text) = 0;

  /// Why this one may only read, in the middle of a sentence; empty: it may write too.
  [[nodiscard]] virtual std::string_view may_not_write() const { return {}; }
  /// Whether it can be sent what it did not ask for.
  [[nodiscard]] virtual bool can_subscribe() const { return false; }
  /// Whether it takes samples now, or has too much to read already.
  [[nodiscard]] virtual bool keeps_up() const { return false; }
  /// A text nobody asked for. Precondition: keeps_up().
  virtual void notify(std::string /*text*/) {}  // NOLINT: who overrides it keeps the text

  /// No more requests are taken: what is owed is sent, then it is closed.
  virtual void finish() = 0;
  /// At once.
  virtual void close() = 0;
};

}  // namespace hild::server
