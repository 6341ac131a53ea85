// SPDX-License-Identifier: Apache-2.0
#include "control/server/gate.hpp"

#include "control/server/conversation.hpp"

namespace hild::server {

/// Who has posted a text.
class Gate::Post final : public Client {
 public:
  Post(LinkId id, Gate& gate, std::string may_not_write)
      : id_(id), gate_(gate), may_not_write_(std::move(may_not_write)) {}

  void answer(std::string text) override {
    gate_.link().send(id_, std::move(text));
    go();
  }
  [[nodiscard]] std::string_view may_not_write() const override { return may_not_write_; }
  void finish() override {}  // it is owed an answer
  void close() override {
    if (gone_) return;
    gate_.link().close(id_);
    go();
  }
  /// Nobody waits for the answer any more.
  void go() {
    if (std::exchange(gone_, true)) return;
    const auto self = shared_from_this();
    gate_.forget(id_);
    gate_.service().clients.remove(*this);
  }

 private:
  LinkId id_;
  Gate& gate_;
  std::string may_not_write_;
  bool gone_ = false;
};

class Gate::WebSocket final : public Conversation {
 public:
  WebSocket(LinkId id, Gate& gate, std::string may_not_write)
      : Conversation(gate.service()),
        id_(id),
        gate_(gate),
        may_not_write_(std::move(may_not_write)) {}

  void take_next() override {
    if (!may_take() || std::exchange(asked_, true)) return;
    gate_.link().go_on(id_);
  }
  void text(Intake intake) {
    asked_ = false;
    if (!closed_) receive(std::move(intake), gate_.turns());
  }
  void delivered(std::size_t bytes) {
    sending_ = false;
    sent(bytes);
  }
  [[nodiscard]] std::string_view may_not_write() const override { return may_not_write_; }

 private:
  void send_waiting() override {
    if (sending_ || !outbox_.waiting()) return;
    sending_ = true;
    gate_.link().send(id_, std::move(outbox_.take(1).front()));
  }
  void part() override { gate_.link().part(id_); }
  void shut() override {
    gate_.link().close(id_);
    gate_.forget(id_);
  }

  LinkId id_;
  Gate& gate_;
  std::string may_not_write_;
  bool asked_ = false;  // for its next text
  bool sending_ = false;
};

void Gate::post(LinkId from, Intake intake, std::string may_not_write) {
  turns_.post(
      [this, from, intake = std::move(intake), may_not = std::move(may_not_write)]() mutable {
        const auto client = std::make_shared<Post>(from, *this, std::move(may_not));
        service_.clients.add(client);
        here_[from] = client;
        service_.dispatcher.serve(std::move(intake), client, turns_, [] {});
      });
}

void Gate::get(LinkId from, HttpRequest request) {
  turns_.post(
      [this, from, request = std::move(request)] { link_->reply(from, pages_.reply_to(request)); });
}

void Gate::open(LinkId from, std::string may_not_write) {
  turns_.post([this, from, may_not = std::move(may_not_write)]() mutable {
    if (finishing_) return link_->part(from);
    const auto client = std::make_shared<WebSocket>(from, *this, std::move(may_not));
    service_.clients.add(client);
    here_[from] = client;
    client->take_next();
  });
}

void Gate::text(LinkId from, Intake intake) {
  turns_.post([this, from, intake = std::move(intake)]() mutable {
    const auto found = here_.find(from);
    if (found == here_.end()) return;
    if (const auto client = std::dynamic_pointer_cast<WebSocket>(found->second.lock())) {
      client->text(std::move(intake));
    }
  });
}

void Gate::sent(LinkId from, std::size_t bytes) {
  turns_.post([this, from, bytes] {
    const auto found = here_.find(from);
    if (found == here_.end()) return;
    if (const auto client = std::dynamic_pointer_cast<WebSocket>(found->second.lock())) {
      client->delivered(bytes);
    }
  });
}

void Gate::gone(LinkId from) {
  turns_.post([this, from] {
    const auto found = here_.find(from);
    if (found == here_.end()) return;
    const auto client = found->second.lock();
    if (client == nullptr) return;
    if (const auto post = std::dynamic_pointer_cast<Post>(client)) return post->go();
    client->close();
  });
}

}  // namespace hild::server
