// SPDX-License-Identifier: Apache-2.0
#include "server/http_session.hpp"

#include <sys/socket.h>

#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <boost/beast/websocket/rfc6455.hpp>

#include "server/http_guard.hpp"
#include "server/http_pages.hpp"
#include "server/websocket_session.hpp"

namespace hild::server {
namespace {

namespace beast = boost::beast;
namespace http = beast::http;
namespace asio = boost::asio;
using Failure = boost::system::error_code;
using namespace std::chrono_literals;

constexpr std::uint32_t longest_header = 16 << 10;
constexpr auto patience = 30s;  // for a whole request, or for a reply to be read

std::vector<std::string> names_for(const asio::ip::tcp::socket& socket) {
  Failure failure;
  const auto end = socket.local_endpoint(failure);
  if (failure) return {};
  asio::ip::address address = end.address();
  if (address.is_v6() && address.to_v6().is_v4_mapped()) {
    address = asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6());
  }
  return own_names(address.to_string(), address.is_loopback());
}

bool is_json(const HttpRequest& request) {
  const auto type = request[http::field::content_type];
  const auto name = type.substr(0, type.find(';'));
  return beast::iequals(name.substr(0, name.find_last_not_of(" \t") + 1), "application/json");
}

}  // namespace

HttpSession::HttpSession(asio::ip::tcp::socket socket, Service& service)
    : service_(service), stream_(std::move(socket)), names_(names_for(stream_.socket())) {}

void HttpSession::read() {
  parser_.emplace();
  parser_->header_limit(longest_header);
  parser_->body_limit(service_.limits.message);
  stream_.expires_after(patience);
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
  if (auto refused = refusal_of(request, names_, service_.token)) return reply(std::move(*refused));
  const std::string_view path = path_of(request);
  if (path == "/rpc") return serve_rpc(request);
  if (!service_.http_requests.take(TokenBucket::Clock::now())) {
    return reply({.status = http::status::too_many_requests,
                  .body = "too many requests a second, see control.limits.rate\n",
                  .fields = {{"Retry-After", "1"}}});
  }
  if (path != "/ws") return reply(service_.pages.reply_to(request));
  if (beast::websocket::is_upgrade(request)) return become_websocket(std::move(request));
  reply({.status = http::status::upgrade_required,
         .body = "/ws is a WebSocket; POST /rpc takes single requests\n",
         .fields = {{"Upgrade", "websocket"}}});
}

void HttpSession::serve_rpc(const HttpRequest& request) {
  if (request.method() != http::verb::post) return reply(method_not_allowed("POST"));
  if (!is_json(request)) {
    return reply({.status = http::status::unsupported_media_type,
                  .body = "expected Content-Type: application/json\n"});
  }
  watch_for_end();
  service_.dispatcher.receive(request.body(), shared_from_this(), service_.http_requests);
}

void HttpSession::answer(std::string text) {
  if (closed_) return;
  if (text.empty()) return reply({.status = http::status::no_content, .type = {}});
  reply({.type = "application/json", .body = std::move(text) + "\n"});
}

void HttpSession::become_websocket(HttpRequest request) {
  const auto session =
      std::make_shared<WebSocketSession>(stream_.release_socket(), service_, std::move(request));
  closed_ = true;
  service_.clients.remove(*this);
  service_.clients.add(session);
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
    return reply({.status = http::status::request_header_fields_too_large,
                  .body = fmt::format("a header of more than {} bytes\n", longest_header)});
  }
  if (failure == http::error::body_limit) {
    return reply({.status = http::status::payload_too_large,
                  .body = fmt::format("more than {} bytes, see control.limits.message\n",
                                      service_.limits.message)});
  }
  const bool gone = failure == http::error::end_of_stream ||
                    failure == http::error::partial_message || failure == beast::error::timeout ||
                    failure.category() != make_error_code(http::error::bad_method).category();
  if (gone) return close();
  reply({.status = http::status::bad_request,
         .body = fmt::format("not a request of HTTP: {}\n", failure.message())});
}

void HttpSession::reply(HttpReply reply) {
  busy_ = true;
  const auto response = std::make_shared<http::response<http::string_body>>(reply.status, version_);
  response->set(http::field::server, "hild");
  response->set("X-Content-Type-Options", "nosniff");
  if (!reply.type.empty()) response->set(http::field::content_type, reply.type);
  for (const auto& [name, value] : reply.fields) response->set({name.data(), name.size()}, value);
  response->keep_alive(keep_alive_);
  response->body() = std::move(reply.body);
  response->prepare_payload();
  if (head_only_) response->body().clear();  // the length stays that of the whole
  stream_.expires_after(patience);
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

void HttpSession::close() {
  if (std::exchange(closed_, true)) return;
  const auto self = shared_from_this();
  Failure ignored;
  stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, ignored);
  stream_.close();
  service_.clients.remove(*this);
}

}  // namespace hild::server
