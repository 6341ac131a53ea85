// SPDX-License-Identifier: Apache-2.0
#include "cli/ctl/client.hpp"

#include <boost/asio/write.hpp>
#include <boost/json.hpp>
#include <csignal>

#include "cli/ctl/connect_words.hpp"
#include "cli/ctl/replies.hpp"
#include "control/rpc/message.hpp"
#include "control/rpc/parse_json.hpp"

namespace hild::ctl {
namespace {

namespace asio = boost::asio;
using CallKind = CallError::Reason;
using ErrorCode = boost::system::error_code;

constexpr rpc::Limits reply_limits{.message = 64U << 20U, .depth = 64};

CallError refusal(const json::value& error) {
  std::string words = text_of(error, "message");
  if (words.empty()) words = "the daemon refused without a word";
  return {CallKind::refused, std::move(words), static_cast<int>(whole_of(error, "code")),
          map_of(error, "data")};
}

double length_of(Client::Timeout patience) {
  return std::chrono::duration<double>(*patience).count();
}

}  // namespace

Client::Client(const std::string& path, Timeout timeout) : timeout_(timeout) {
  ErrorCode error;
  try {
    socket_.connect(asio::local::stream_protocol::endpoint(path), error);
  } catch (const boost::system::system_error& bad_path) {
    error = bad_path.code();
  }
  if (error) fail_call(CallKind::lost, "{}", no_connection(path, error.value()));
  read_more();
}

void Client::heed_signals() {
  ErrorCode ignored;
  signals_.add(SIGINT, ignored);
  signals_.add(SIGTERM, ignored);
  signals_.async_wait(
      [this](const ErrorCode& error, int) { interrupted_ = interrupted_ || !error; });
}

void Client::read_more() {
  socket_.async_read_some(asio::buffer(chunk_), [this](const ErrorCode& error, std::size_t size) {
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
  } else if (member(*message, "method") == nullptr) {
    reply_ = std::move(*message);
  } else if (text_of(*message, "method") != "ended") {
    notifications_.push_back({text_of(*message, "method"), map_of(*message, "params")});
  } else if (const auto* ending = member(*message, "params");
             ending != nullptr && ending->is_object()) {
    ended_ = ending_words(*ending);
    lost_ = "the run has ended: " + ended_;
  }
}

template <class Done>
bool Client::wait(Timeout patience, Done done) {
  const auto deadline = std::chrono::steady_clock::now() + patience.value_or(std::chrono::hours(0));
  io_.restart();
  while (!done()) {
    if (std::exchange(interrupted_, false)) {
      heed_signals();
      fail_call(CallKind::interrupted, "interrupted");
    }
    if (!lost_.empty()) fail_call(CallKind::lost, "{}", lost_);
    if (!patience) {
      io_.run_one();
    } else if (io_.run_one_until(deadline) == 0) {
      return false;
    }
  }
  return true;
}

json::value Client::call(std::string_view method, const json::object& params) {
  const std::int64_t id = next_id_++;
  send(rpc::request_text(id, method, params) + "\n");
  const auto has_come = [&] {
    // A reply to a call that was given up before may still arrive.
    const json::value* its = reply_ ? member(*reply_, "id") : nullptr;
    if (its != nullptr && *its != id && !its->is_null()) reply_.reset();
    return reply_.has_value();
  };
  if (!wait(timeout_, has_come)) {
    fail_call(CallKind::silent,
              "no reply to {} within {:.3g} s: is the daemon stopped or overloaded? --timeout "
              "waits longer",
              method, length_of(timeout_));
  }
  const json::value reply = *std::exchange(reply_, {});
  if (const auto* error = member(reply, "error"); error != nullptr && error->is_object()) {
    throw refusal(*error);
  }
  if (const auto* result = member(reply, "result")) return *result;
  fail_call(CallKind::lost, "what answers is no daemon of hild: neither result nor error");
}

std::optional<Client::Notification> Client::next(Timeout patience) {
  if (!wait(patience, [&] { return !notifications_.empty(); })) return {};
  Notification next = std::move(notifications_.front());
  notifications_.pop_front();
  return next;
}

std::optional<json::value> Client::notification(std::string_view method, Timeout patience) {
  using std::chrono::steady_clock;
  const auto deadline = steady_clock::now() + patience.value_or(std::chrono::hours(0));
  while (auto n = next(patience)) {
    if (n->method == method) return std::move(n->params);
    if (patience) {
      patience = std::chrono::ceil<std::chrono::milliseconds>(deadline - steady_clock::now());
    }
  }
  return {};
}

void Client::send(std::string line) {
  if (!sending_.empty()) fail_call(CallKind::lost, "the daemon takes no requests");
  sending_ = std::move(line);
  asio::async_write(socket_, asio::buffer(sending_), [this](const ErrorCode& error, std::size_t) {
    sending_.clear();
    if (error && lost_.empty()) lost_ = "the daemon closed the connection";
  });
  if (!wait(timeout_, [&] { return sending_.empty(); })) {
    fail_call(CallKind::silent, "no room for a request within {:.3g} s", length_of(timeout_));
  }
}

}  // namespace hild::ctl
