// SPDX-License-Identifier: Apache-2.0
#include "server/conversation.hpp"

namespace hild::server {

void Conversation::receive(std::string_view text) {
  ++owed_;
  const auto pause = service_.dispatcher.receive(text, shared_from_this(), bucket_);
  if (pause.count() <= 0 || closed_) return;
  paused_ = true;
  pause_.after(std::chrono::duration_cast<std::chrono::nanoseconds>(pause), [this] {
    if (closed_) return;
    const auto self = shared_from_this();
    paused_ = false;
    take_next();
  });
}

void Conversation::too_long() {
  ++owed_;
  service_.dispatcher.too_long(*this);
}

void Conversation::answer(std::string text) {
  --owed_;
  if (closed_) return;
  if (!text.empty()) push(std::move(text));
  part_if_done();
}

void Conversation::push(std::string text) {
  outbox_.push(std::move(text));
  if (outbox_.bytes() > Outbox::most) return close();
  send_waiting();
}

void Conversation::sent(std::size_t bytes) {
  outbox_.sent(bytes);
  if (closed_) return;
  send_waiting();
  take_next();
  part_if_done();
}

void Conversation::ended() {
  ended_ = true;
  part_if_done();
}

void Conversation::finish() {
  finishing_ = true;
  part_if_done();
}

void Conversation::part_if_done() {
  if (closed_ || parting_ || owed_ > 0 || outbox_.bytes() > 0) return;
  if (!finishing_ && (!ended_ || service_.clients.subscribed(*this))) return;
  parting_ = true;
  part();
}

void Conversation::close() {
  if (std::exchange(closed_, true)) return;
  const auto self = shared_from_this();
  pause_.cancel();
  shut();
  service_.clients.remove(*this);
}

}  // namespace hild::server
