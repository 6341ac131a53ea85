// SPDX-License-Identifier: Apache-2.0
#include "control/server/websocket_session.hpp"

#include <algorithm>

#include "control/server/http_guard.hpp"

namespace hild::server {

namespace beast = boost::beast;
namespace websocket = beast::websocket;
using Failure = boost::system::error_code;
using namespace std::chrono_literals;

WebSocketSession::WebSocketSession(boost::asio::ip::tcp::socket socket, Front& front,
                                   Visitor visitor, HttpRequest request)
    : Connection(front, std::move(visitor)),
      stream_(std::move(socket)),
      request_(std::move(request)),
      bucket_(front.control().rate) {
  Failure ignored;  // it may have gone already
  stream_.next_layer().set_option(boost::asio::ip::tcp::no_delay(true), ignored);
  stream_.set_option(websocket::stream_base::timeout{30s, 60s, true});
  stream_.read_message_max(front.limits().message);
  stream_.auto_fragment(false);
  stream_.text(true);
}

void WebSocketSession::start() {
  const auto offered = subprotocols(request_);
  const bool named = std::ranges::find(offered, "hild") != offered.end();
  stream_.set_option(websocket::stream_base::decorator([named](websocket::response_type& response) {
    response.set(beast::http::field::server, "hild");
    if (named) response.set(beast::http::field::sec_websocket_protocol, "hild");
  }));
  stream_.async_accept(request_, [this, self = shared_from_this()](const Failure& failure) {
    if (closed_) return;
    if (failure) return close();
    front_.gate().open(visitor_.id, visitor_.rights);
  });
}

void WebSocketSession::go_on() {
  if (!closed_) read();
}

void WebSocketSession::read() {
  stream_.async_read(
      buffer_, [this, self = shared_from_this()](const Failure& failure, std::size_t) {
        if (closed_) return;
        if (failure) return close();
        const auto bytes = buffer_.cdata();
        const bool may_write = front_.control().writing && visitor_.rights.may_not_write.empty();
        Intake intake = take_in({static_cast<const char*>(bytes.data()), bytes.size()},
                                front_.limits(), may_write, bucket_);
        buffer_.consume(buffer_.size());
        front_.asked(visitor_);
        front_.gate().text(visitor_.id, std::move(intake));
      });
}

void WebSocketSession::send(std::string text) {
  if (closed_) return;
  sending_ = std::move(text);
  stream_.async_write(boost::asio::buffer(sending_),
                      [this, self = shared_from_this()](const Failure& failure, std::size_t) {
                        const std::size_t bytes = std::exchange(sending_, {}).size();
                        if (closed_) return;
                        if (failure) return close();
                        front_.gate().sent(visitor_.id, bytes);
                      });
}

void WebSocketSession::part() {
  if (closed_) return;
  stream_.async_close(websocket::close_code::going_away,
                      [this, self = shared_from_this()](const Failure&) { close(); });
}

void WebSocketSession::close() {
  if (std::exchange(closed_, true)) return;
  const auto self = shared_from_this();
  Failure ignored;
  stream_.next_layer().close(ignored);
  front_.leave(visitor_);
  front_.gate().gone(visitor_.id);
}

}  // namespace hild::server
