// SPDX-License-Identifier: Apache-2.0
#include "control/server/http_session.hpp"

#include <sys/socket.h>

#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include "control/server/http_guard.hpp"
#include "control/server/http_pages.hpp"
#include "control/server/websocket_session.hpp"

namespace hild::server {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace asio = boost::asio;
using Failure = boost::system::error_code;
using namespace std::chrono_literals;

constexpr std::uint32_t longest_header = 16 << 10;
// For a whole request, or for a reply to be read. Browsers connect ahead, and where the machine is
// busy come to ask long after: of a connection that was ended meanwhile they make a page in pieces.
constexpr auto longest_idle = 30s;

bool is_json(const HttpRequest& request) {
  const auto type = request[http::field::content_type];
  const auto name = type.substr(0, type.find(';'));
  return beast::iequals(name.substr(0, name.find_last_not_of(" \t") + 1), "application/json");
}

}  // namespace

HttpSession::HttpSession(asio::ip::tcp::socket socket, Front& front, Visitor visitor)
    : Connection(front, std::move(visitor)), stream_(std::move(socket)) {}

void HttpSession::read() {
  parser_.emplace();
  parser_->header_limit(longest_header);
  parser_->body_limit(front_.limits().message);
  stream_.expires_after(longest_idle);
  http::async_read(stream_, buffer_, *parser_,
                   [this, self = shared_from_this()](const Failure& failure, std::size_t) {
                     if (closed_) return;
                     if (failure) return refuse(failure);
                     stream_.expires_never();
                     busy_ = true;
                     serve(parser_->release());
                   });
}

void HttpSession::serve(HttpRequest request) {
  keep_alive_ = request.keep_alive() && !finishing_;
  head_only_ = request.method() == http::verb::head;
  version_ = request.version();
  const config::Control& control = front_.control();
  const auto role = role_of(request, control.roles);
  const bool whole = !control.token.empty() && carries_token(request, control.token);
  if (auto refused = refusal_of(request, visitor_.names, role ? "" : control.token)) {
    return reply(std::move(*refused));
  }
  rights_ = visitor_.rights;
  if (role) rights_ = {control.http_writing ? "" : rights_.may_not_write, *role};
  if ((role || whole) && !front_.join(visitor_)) {
    keep_alive_ = false;
    return reply({http::status::service_unavailable,
                  fmt::format("{} clients already: try again when one has left, or raise "
                              "control.limits.clients\n",
                              front_.control().clients)});
  }
  front_.asked(visitor_);
  const std::string_view path = path_of(request);
  if (path == "/rpc") return serve_rpc(request);
  if (!front_.bucket(visitor_).take(TokenBucket::Clock::now())) {
    return reply({http::status::too_many_requests,
                  "too many requests a second, see control.limits.rate\n",
                  {{"Retry-After", "1"}}});
  }
  if (path == "/metrics" || path == "/healthz") {
    asked_ = true;
    return front_.gate().get(visitor_.id, std::move(request));
  }
  if (path != "/ws") return reply(front_.pages().reply_to(request));
  if (beast::websocket::is_upgrade(request)) return become_websocket(std::move(request));
  reply({http::status::upgrade_required,
         "/ws is a WebSocket; POST /rpc takes single requests\n",
         {{"Upgrade", "websocket"}}});
}

void HttpSession::serve_rpc(const HttpRequest& request) {
  if (request.method() != http::verb::post) return reply(method_not_allowed("POST"));
  if (!is_json(request)) {
    return reply(
        {http::status::unsupported_media_type, "expected Content-Type: application/json\n"});
  }
  watch_for_end();
  const bool may_write = front_.control().writing && rights_.may_not_write.empty();
  asked_ = true;
  front_.gate().post(visitor_.id,
                     take_in(request.body(), front_.limits(), may_write, front_.bucket(visitor_)),
                     rights_);
}

void HttpSession::send(std::string text) {
  if (text.empty()) return reply({.status = http::status::no_content, .type = {}});
  reply({.body = std::move(text) + "\n", .type = "application/json"});
}

void HttpSession::become_websocket(HttpRequest request) {
  Visitor visitor = visitor_;
  visitor.rights = rights_;
  const auto session = std::make_shared<WebSocketSession>(stream_.release_socket(), front_,
                                                          std::move(visitor), std::move(request));
  closed_ = true;
  front_.become(session);
  session->start();
}

// An answer may be long in coming: who asked may have gone meanwhile.
void HttpSession::watch_for_end() {
  stream_.socket().async_wait(asio::ip::tcp::socket::wait_read,
                              [this, self = shared_from_this()](const Failure& failure) {
                                if (failure || closed_ || !busy_) return;
                                char byte = 0;
                                const auto fd = stream_.socket().native_handle();
                                if (::recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0) close();
                              });
}

void HttpSession::refuse(Failure failure) {
  keep_alive_ = false;
  if (failure == http::error::header_limit) {
    return reply({http::status::request_header_fields_too_large,
                  fmt::format("a header of more than {} bytes\n", longest_header)});
  }
  if (failure == http::error::body_limit) {
    return reply(
        {http::status::payload_too_large,
         fmt::format("more than {} bytes, see control.limits.message\n", front_.limits().message)});
  }
  const bool gone = failure == http::error::end_of_stream ||
                    failure == http::error::partial_message || failure == beast::error::timeout ||
                    failure.category() != make_error_code(http::error::bad_method).category();
  if (gone) return close();
  reply({http::status::bad_request, fmt::format("not a request of HTTP: {}\n", failure.message())});
}

void HttpSession::reply(HttpReply reply) {
  if (closed_) return;
  busy_ = true;
  asked_ = false;
  const auto response = std::make_shared<http::response<http::string_body>>(reply.status, version_);
  response->set(http::field::server, "hild");
  response->set("X-Content-Type-Options", "nosniff");
  if (!reply.type.empty()) response->set(http::field::content_type, reply.type);
  for (const auto& [name, value] : reply.fields) response->set({name.data(), name.size()}, value);
  response->keep_alive(keep_alive_);
  response->body() = std::move(reply.body);
  response->prepare_payload();
  if (head_only_) response->body().clear();  // the length stays that of the whole
  stream_.expires_after(longest_idle);
  http::async_write(
      stream_, *response,
      [this, response, self = shared_from_this()](const Failure& failure, std::size_t) {
        if (closed_) return;
        busy_ = false;
        if (failure || finishing_) return close();
        if (!keep_alive_) return linger();
        read();
      });
}

// It may be sending still what was refused; were the connection closed on that, the reply would be
// lost on the way.
void HttpSession::linger() {
  constexpr std::size_t enough = 4 << 20;
  Failure ignored;
  stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  stream_.expires_after(2s);
  buffer_.clear();
  stream_.async_read_some(buffer_.prepare(16 << 10),
                          [this, self = shared_from_this()](const Failure& failure, std::size_t n) {
                            if (closed_) return;
                            discarded_ += n;
                            if (failure || finishing_ || discarded_ > enough) return close();
                            linger();
                          });
}

void HttpSession::finish() {
  finishing_ = true;
  if (!busy_) close();
}

// Said if it can be at once, and then it goes: there is no time for it.
void HttpSession::make_room() {
  if (!busy_ && !closed_) {
    const std::string body = fmt::format(
        "there are too many connections: {} in all, {} from {}, of those who have not shown who "
        "they are; use fewer, or send the token\n",
        Places::most_strangers, Places::most_of_one, visitor_.from);
    const std::string text = fmt::format(
        "HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\n"
        "Content-Length: {}\r\nConnection: close\r\n\r\n{}",
        body.size(), body);
    Failure ignored;
    stream_.socket().non_blocking(true, ignored);
    stream_.socket().write_some(asio::buffer(text), ignored);
  }
  close();
}

void HttpSession::close() {
  if (std::exchange(closed_, true)) return;
  const auto self = shared_from_this();
  Failure ignored;
  stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  stream_.close();
  front_.leave(visitor_);
  if (asked_) front_.gate().gone(visitor_.id);
}

}  // namespace hild::server
