// SPDX-License-Identifier: Apache-2.0
#include "control/server/conversation.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>

namespace hild::server {

void Conversation::receive(Intake intake, Turns& turns) {
  ++owed_;
  serving_ = true;
  const auto pause = intake.pause;
  serve(service_.context, std::move(intake), shared_from_this(), turns, [this] {
    serving_ = false;
    if (closed_) return;
    // Not from within: what is ready on this thread besides comes before this client's next text.
    boost::asio::post(service_.io, [this, self = shared_from_this()] {
      if (!closed_) take_next();
    });
  });
  if (pause.count() <= 0 || closed_) return;
  paused_ = true;
  pause_.after(std::chrono::duration_cast<std::chrono::nanoseconds>(pause), [this] {
    if (closed_) return;
    const auto self = shared_from_this();
    paused_ = false;
    take_next();
  });
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
