// SPDX-License-Identifier: Apache-2.0
/// \file
/// A client that sends and receives many texts over one connection: the common part of the Unix
/// socket and the WebSocket. Its texts are taken one after the other, each once the one before has
/// been dealt with, as long as it reads what it is sent and does not ask too much.
#pragma once

#include <algorithm>
#include <deque>
#include <iterator>
#include <string>
#include <vector>

#include "control/server/dispatcher.hpp"
#include "control/server/timer.hpp"

namespace hild::server {

/// The texts a client has yet to read. Answers are never dropped; instead a client that lags is
/// asked no more, and one that lags too far is closed.
class Outbox {
 public:
  /// Bytes waiting, beyond which samples are dropped.
  static constexpr std::size_t room_for_samples = 64 << 10;
  /// Bytes waiting, beyond which no more requests are taken.
  static constexpr std::size_t slow = 256 << 10;
  /// Bytes waiting, beyond which the connection is closed.
  static constexpr std::size_t most = 8 << 20;

  void push(std::string text) {
    bytes_ += text.size();
    waiting_.push_back(std::move(text));
  }
  /// Takes the oldest waiting texts, to be sent; they count until sent().
  [[nodiscard]] std::vector<std::string> take(std::size_t at_most) {
    const auto n = static_cast<std::ptrdiff_t>(std::min(at_most, waiting_.size()));
    std::vector<std::string> texts(std::make_move_iterator(waiting_.begin()),
                                   std::make_move_iterator(waiting_.begin() + n));
    waiting_.erase(waiting_.begin(), waiting_.begin() + n);
    return texts;
  }
  void sent(std::size_t bytes) noexcept { bytes_ -= bytes; }

  [[nodiscard]] bool waiting() const noexcept { return !waiting_.empty(); }
  /// Bytes not yet sent, including those on their way.
  [[nodiscard]] std::size_t bytes() const noexcept { return bytes_; }

 private:
  std::deque<std::string> waiting_;
  std::size_t bytes_ = 0;
};

class Conversation : public Client {
 public:
  explicit Conversation(Service& service, Rights rights = {})
      : Client(std::move(rights)), service_(service), pause_(service.io) {}

  void answer(std::string text) override;
  [[nodiscard]] bool can_subscribe() const override { return true; }
  [[nodiscard]] bool keeps_up() const override {
    return !closed_ && outbox_.bytes() < Outbox::room_for_samples;
  }
  void notify(std::string text) override { push(std::move(text)); }
  void finish() override;
  void close() override;

 protected:
  // The transport's part.
  /// Takes the next text when may_take(), reading where there is none.
  virtual void take_next() = 0;
  /// Sends what waits, unless it is sending.
  virtual void send_waiting() = 0;
  /// Closes the connection, at once.
  virtual void shut() = 0;
  /// Says goodbye where the transport has a way to, then calls close().
  virtual void part() { close(); }

  // What the transport calls.
  [[nodiscard]] bool may_take() const {
    return !closed_ && !finishing_ && !paused_ && !serving_ && outbox_.bytes() < Outbox::slow;
  }
  /// Deals with the next text. take_next() is called again when that is done.
  void receive(Intake intake, Turns& turns);
  /// Reports that so many bytes were sent.
  void sent(std::size_t bytes);
  /// Reports that the client will send no more texts, but may still read.
  void ended();

  Service& service_;
  Outbox outbox_;
  bool closed_ = false;

 private:
  void push(std::string text);
  void part_if_done();

  Timer pause_;
  bool paused_ = false;
  bool serving_ = false;  // part of the text received last has not been dealt with
  bool ended_ = false;
  bool finishing_ = false;
  bool parting_ = false;
  std::size_t owed_ = 0;  // answers
};

}  // namespace hild::server
