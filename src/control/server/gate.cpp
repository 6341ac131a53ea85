// SPDX-License-Identifier: Apache-2.0
#include "control/server/gate.hpp"

#include "control/server/conversation.hpp"
#include "control/server/front.hpp"

namespace hild::server {

/// Who has posted a text.
class Gate::Post final : public Client {
 public:
  Post(LinkId id, Gate& gate, Rights rights) : Client(std::move(rights)), id_(id), gate_(gate) {}

  void answer(std::string text) override {
    gate_.send(id_, std::move(text));
    go();
  }
  void finish() override {}  // it is owed an answer
  void close() override {
    gate_.front_->tell(id_, &Connection::close);
    go();
  }

 private:
  /// Nobody waits for the answer any more.
  void go() {
    if (std::exchange(gone_, true)) return;
    const auto self = shared_from_this();
    gate_.here_.erase(id_);
    gate_.service_.clients.remove(*this);
  }

  LinkId id_;
  Gate& gate_;
  bool gone_ = false;
};

class Gate::WebSocket final : public Conversation {
 public:
  WebSocket(LinkId id, Gate& gate, Rights rights)
      : Conversation(gate.service_, std::move(rights)), id_(id), gate_(gate) {}

  void take_next() override {
    if (!may_take() || std::exchange(asked_, true)) return;
    gate_.front_->tell(id_, &Connection::go_on);
  }
  void text(Intake intake) {
    asked_ = false;
    if (!closed_) receive(std::move(intake), gate_.turns_);
  }
  void delivered(std::size_t bytes) {
    sending_ = false;
    sent(bytes);
  }

 private:
  void send_waiting() override {
    if (sending_ || !outbox_.waiting()) return;
    sending_ = true;
    gate_.send(id_, std::move(outbox_.take(1).front()));
  }
  void part() override { gate_.front_->tell(id_, &Connection::part); }
  void shut() override {
    gate_.front_->tell(id_, &Connection::close);
    gate_.here_.erase(id_);
  }

  LinkId id_;
  Gate& gate_;
  bool asked_ = false;  // for its next text
  bool sending_ = false;
};

template <class C>
std::shared_ptr<C> Gate::add(LinkId from, Rights rights) {
  auto client = std::make_shared<C>(from, *this, std::move(rights));
  service_.clients.add(client);
  here_[from] = client;
  return client;
}

void Gate::send(LinkId to, std::string text) {
  front_->tell(to, [text = std::move(text)](Connection& c) mutable { c.send(std::move(text)); });
}

template <class C, class What>
void Gate::with(LinkId from, What what) {
  turns_.post([this, from, what = std::move(what)]() mutable {
    const auto found = here_.find(from);
    if (found == here_.end()) return;
    if (const auto client = std::dynamic_pointer_cast<C>(found->second.lock())) what(*client);
  });
}

void Gate::post(LinkId from, Intake intake, Rights rights) {
  turns_.post([this, from, intake = std::move(intake), rights = std::move(rights)]() mutable {
    serve(service_.context, std::move(intake), add<Post>(from, std::move(rights)), turns_, [] {});
  });
}

void Gate::get(LinkId from, HttpRequest request) {
  turns_.post([this, from, request = std::move(request)] {
    front_->tell(from, [reply = pages_.reply_to(request)](Connection& c) mutable {
      c.reply(std::move(reply));
    });
  });
}

void Gate::open(LinkId from, Rights rights) {
  turns_.post([this, from, rights = std::move(rights)]() mutable {
    if (finishing_) return front_->tell(from, &Connection::part);
    add<WebSocket>(from, std::move(rights))->take_next();
  });
}

void Gate::text(LinkId from, Intake intake) {
  with<WebSocket>(from, [intake = std::move(intake)](WebSocket& client) mutable {
    client.text(std::move(intake));
  });
}

void Gate::sent(LinkId from, std::size_t bytes) {
  with<WebSocket>(from, [bytes](WebSocket& client) { client.delivered(bytes); });
}

void Gate::gone(LinkId from) {
  with<Client>(from, [](Client& client) { client.close(); });
}

}  // namespace hild::server
