// SPDX-License-Identifier: Apache-2.0
#include "server/websocket_session.hpp"

#include <algorithm>

#include "server/http_guard.hpp"

namespace hild::server {

namespace beast = boost::beast;
namespace websocket = beast::websocket;
using Failure = boost::system::error_code;
using namespace std::chrono_literals;

WebSocketSession::WebSocketSession(boost::asio::ip::tcp::socket socket, Service& service,
                                   HttpRequest request)
    : Conversation(socket.get_executor(), service),
      stream_(std::move(socket)),
      request_(std::move(request)) {
  Failure ignored;  // it may have gone already
  stream_.next_layer().set_option(boost::asio::ip::tcp::no_delay(true), ignored);
  stream_.set_option(websocket::stream_base::timeout{30s, 60s, true});
  stream_.read_message_max(service.limits.message);
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
    open_ = true;
    take_next();
  });
}

void WebSocketSession::take_next() {
  if (!open_ || reading_ || !may_take()) return;
  reading_ = true;
  stream_.async_read(buffer_,
                     [this, self = shared_from_this()](const Failure& failure, std::size_t) {
                       reading_ = false;
                       if (closed_) return;
                       if (failure) return close();
                       const auto bytes = buffer_.cdata();
                       receive({static_cast<const char*>(bytes.data()), bytes.size()});
                       buffer_.consume(buffer_.size());
                       take_next();
                     });
}

void WebSocketSession::send_waiting() {
  if (!open_ || !sending_.empty() || !outbox_.waiting()) return;
  sending_ = std::move(outbox_.take(1).front());
  stream_.async_write(boost::asio::buffer(sending_),
                      [this, self = shared_from_this()](const Failure& failure, std::size_t) {
                        const std::size_t bytes = std::exchange(sending_, {}).size();
                        if (closed_) return;
                        if (failure) return close();
                        sent(bytes);
                      });
}

void WebSocketSession::part() {
  if (!open_) return close();
  stream_.async_close(websocket::close_code::going_away,
                      [this, self = shared_from_this()](const Failure&) { close(); });
}

void WebSocketSession::shut() {
  Failure ignored;
  stream_.next_layer().close(ignored);
}

}  // namespace hild::server
