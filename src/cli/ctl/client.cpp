// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/client.hpp"

#include <fmt/format.h>

#include <boost/asio/write.hpp>
#include <boost/json.hpp>
#include <csignal>

#include "cli/ctl/connect_words.hpp"
#include "cli/ctl/told.hpp"
#include "control/rpc/parse_json.hpp"
#include "control/rpc/request.hpp"

namespace hild::ctl {
namespace {

namespace asio = boost::asio;
namespace json = boost::json;
using CallKind = CallError::Kind;

constexpr rpc::Limits reply_limits{.message = 64U << 20U, .depth = 64};

CallError refusal(const json::object& error) {
  CallError refused{CallKind::refused, "the daemon refused without a word"};
  if (const auto* message = error.if_contains("message"); message && message->is_string()) {
    refused.message = std::string(message->get_string());
  }
  if (const auto* code = error.if_contains("code"); code && code->is_int64()) {
    refused.code = static_cast<int>(code->get_int64());
  }
  if (const auto* data = error.if_contains("data"); data && data->is_object()) {
    refused.data = data->get_object();
  }
  return refused;
}

}  // namespace

Reply<void> Client::connect(const std::string& path) {
  boost::system::error_code error;
  try {
    socket_.connect(asio::local::stream_protocol::endpoint(path), error);
  } catch (const boost::system::system_error& bad_path) {
    error = bad_path.code();
  }
  if (error) return call_error(CallKind::lost, no_connection(path, error.value()));
  read_more();
  return {};
}

void Client::heed_signals() {
  boost::system::error_code ignored;
  signals_.add(SIGINT, ignored);
  signals_.add(SIGTERM, ignored);
  signals_.async_wait([this](const boost::system::error_code& error, int) {
    if (!error) interrupted_ = true;
  });
}

void Client::read_more() {
  socket_.async_read_some(asio::buffer(chunk_), [this](const boost::system::error_code& error,
                                                       std::size_t size) {
    if (error) {
      lost_ = error == asio::error::eof || error == asio::error::connection_reset
                  ? "the daemon closed the connection: the run has ended, or it was too slow to "
                    "read"
                  : fmt::format("the connection failed: {}", error.message());
      return;
    }
    lines_.append({chunk_.data(), size});
    while (auto line = lines_.next()) {
      if (line->too_long) {
        lost_ = "the daemon sent a message that is longer than any reply";
      } else {
        take(line->text);
      }
    }
    read_more();
  });
}

void Client::take(std::string_view line) {
  auto message = rpc::parse_json(line, reply_limits);
  if (!message || !message->is_object()) {
    lost_ = fmt::format("what answers is no daemon of hild: {}",
                        message ? "not an object" : message.error().message);
    return;
  }
  json::object& object = message->get_object();
  if (object.contains("method") && object.at("method") == "ended") return take_end(object);
  (object.contains("method") ? notifications_.emplace_back() : reply_.emplace()) =
      std::move(object);
}

void Client::take_end(const json::object& notification) {
  const auto* params = notification.if_contains("params");
  if (params == nullptr || !params->is_object()) return;
  ended_ = params->get_object();
  lost_ = fmt::format("the run has ended: {}", ending_words(*params));
}

template <class Done>
Reply<void> Client::wait(Timeout patience, std::string_view what, Done done) {
  const auto deadline = std::chrono::steady_clock::now() + patience.value_or(std::chrono::hours(0));
  io_.restart();
  while (!done()) {
    if (interrupted_) {
      interrupted_ = false;
      heed_signals();
      return call_error(CallKind::interrupted, "interrupted");
    }
    if (!lost_.empty()) return call_error(CallKind::lost, lost_);
    if (!patience) {
      io_.run_one();
    } else if (io_.run_one_until(deadline) == 0) {
      return call_error(CallKind::silent,
                        fmt::format("no {} within {:.3g} s", what,
                                    std::chrono::duration<double>(*patience).count()));
    }
  }
  return {};
}

Reply<json::value> Client::call(std::string_view method, const json::object& params) {
  const std::int64_t id = next_id_++;
  if (auto sent = send(rpc::request_text(id, method, params) + "\n"); !sent) {
    return tl::make_unexpected(sent.error());
  }
  const auto its = [&] {
    // A reply to a call that was given up before may still arrive.
    if (reply_ && reply_->contains("id") && reply_->at("id") != id && !reply_->at("id").is_null()) {
      reply_.reset();
    }
    return reply_.has_value();
  };
  if (auto waited = wait(timeout_, fmt::format("reply to {}", method), its); !waited) {
    if (waited.error().kind == CallKind::silent) {
      waited.error().message += ": is the daemon stopped or overloaded? --timeout waits longer";
    }
    return tl::make_unexpected(waited.error());
  }
  json::object reply = std::move(*reply_);
  reply_.reset();
  if (auto* error = reply.if_contains("error"); error != nullptr && error->is_object()) {
    return tl::make_unexpected(refusal(error->get_object()));
  }
  if (auto* result = reply.if_contains("result"); result != nullptr) return std::move(*result);
  return call_error(CallKind::lost, "what answers is no daemon of hild: neither result nor error");
}

Reply<Client::Notification> Client::next(Timeout patience) {
  auto waited = wait(patience, "notification", [&] { return !notifications_.empty(); });
  if (!waited) return tl::make_unexpected(waited.error());
  json::object next = std::move(notifications_.front());
  notifications_.pop_front();
  Notification n{.method = {}, .params = {}};
  if (const auto* method = next.if_contains("method"); method && method->is_string()) {
    n.method = std::string(method->get_string());
  }
  if (auto* params = next.if_contains("params"); params && params->is_object()) {
    n.params = std::move(params->get_object());
  }
  return n;
}

Reply<json::object> Client::notification(std::string_view method, Timeout patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience.value_or(std::chrono::hours(0));
  while (true) {
    Timeout left = patience;
    if (patience) {
      left =
          std::chrono::ceil<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    }
    auto n = next(left);
    if (!n && n.error().kind == CallKind::silent) {
      n.error().message = fmt::format("no {} within {:.3g} s", method,
                                      std::chrono::duration<double>(*patience).count());
    }
    if (!n) return tl::make_unexpected(n.error());
    if (n->method == method) return std::move(n->params);
  }
}

Reply<void> Client::send(const std::string& line) {
  bool sent = false;
  asio::async_write(socket_, asio::buffer(line),
                    [&](const boost::system::error_code& error, std::size_t) {
                      sent = true;
                      if (error && lost_.empty()) lost_ = "the daemon closed the connection";
                    });
  auto waited = wait(timeout_, "room for a request", [&] { return sent; });
  if (sent) return waited;
  // The buffer must outlive the write.
  boost::system::error_code ignored;
  socket_.cancel(ignored);
  while (!sent && io_.run_one() > 0) {
  }
  if (lost_.empty()) lost_ = "the daemon takes no requests";
  return waited;
}

}  // namespace hild::ctl
