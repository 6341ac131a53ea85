// SPDX-License-Identifier: Apache-2.0
#include "control/server/unix_session.hpp"

#include <poll.h>

#include <boost/asio/write.hpp>

namespace hild::server {

namespace asio = boost::asio;
using Failure = boost::system::error_code;

UnixSession::UnixSession(Socket socket, Service& service, Rights rights, std::string crowded)
    : Conversation(service, std::move(rights)),
      socket_(std::move(socket)),
      lines_(service.limits.message),
      bucket_(service.rate),
      crowded_(std::move(crowded)) {}

void UnixSession::take_next() {
  if (!may_take()) return;
  const auto line = lines_.next();
  if (!line) return read();
  receive(intake_of(*line), service_.turns);
  if (!crowded_.empty()) ended();
}

Intake UnixSession::intake_of(const rpc::LineBuffer::Whole& line) {
  if (line.too_long) return too_long(service_.limits);
  Intake intake = take_in(line.text, service_.limits, true, bucket_);
  if (crowded_.empty()) return intake;
  for (Intake::Item& item : intake.items) {
    if (!item.urgent) item.refused = rpc::Error{rpc::Code::too_many, crowded_, {}};
  }
  return intake;
}

void UnixSession::read() {
  if (std::exchange(reading_, true)) return;
  const auto read_some = [this, self = shared_from_this()](const Failure& failure, std::size_t n) {
    if (closed_) return;
    if (failure == asio::error::eof) return no_more();  // stays marked as reading
    if (failure) return close();
    reading_ = false;
    lines_.append({chunk_.data(), n});
    take_next();
  };
  socket_.async_read_some(asio::buffer(chunk_), read_some);
}

// It may have gone, or have closed its side alone and wait for what it is owed.
void UnixSession::no_more() {
  pollfd state{socket_.native_handle(), 0, 0};
  if (::poll(&state, 1, 0) > 0 && (state.revents & (POLLHUP | POLLERR)) != 0) return close();
  socket_.async_wait(Socket::wait_error, [this, self = shared_from_this()](const Failure&) {
    if (!closed_) close();
  });
  ended();
}

void UnixSession::send_waiting() {
  if (!sending_.empty() || !outbox_.waiting()) return;
  sending_ = outbox_.take(64);
  std::vector<asio::const_buffer> buffers;
  std::size_t texts = 0;
  for (std::string& text : sending_) {
    texts += text.size();
    text += '\n';
    buffers.emplace_back(text.data(), text.size());
  }
  asio::async_write(socket_, buffers,
                    [this, texts, self = shared_from_this()](const Failure& failure, std::size_t) {
                      sending_.clear();
                      if (closed_) return;
                      if (failure) return close();
                      sent(texts);
                    });
}

void UnixSession::shut() {
  Failure ignored;
  socket_.close(ignored);
}

}  // namespace hild::server
