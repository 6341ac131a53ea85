// SPDX-License-Identifier: Apache-2.0
/// \file
/// A client as the methods see it, whichever way it is connected.
#pragma once

#include <memory>
#include <string>

namespace hild::server {

class Client : public std::enable_shared_from_this<Client> {
 public:
  /// `may_not_write` says why this client may only read, worded for the middle of a sentence;
  /// empty: it may write too.
  explicit Client(std::string may_not_write = {}) : may_not_write_(std::move(may_not_write)) {}
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  virtual ~Client() = default;

  /// Sends the answer to one text that was received; empty when there is nothing to say. It is
  /// never dropped while the client is connected.
  virtual void answer(std::string text) = 0;

  [[nodiscard]] const std::string& may_not_write() const { return may_not_write_; }
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
  std::string may_not_write_;
};

}  // namespace hild::server
