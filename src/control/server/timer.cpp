// SPDX-License-Identifier: Apache-2.0
#include "control/server/timer.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

namespace hild::server {

struct Timer::State {
  explicit State(boost::asio::io_context& io) : timer(io) {}
  boost::asio::steady_timer timer;
  std::uint64_t turn = 0;  // what was to be called in an earlier one is not
};

Timer::Timer(boost::asio::io_context& io) : state_(std::make_shared<State>(io)) {}

Timer::~Timer() { cancel(); }

void Timer::after(std::chrono::nanoseconds time, std::function<void()> call) {
  const std::uint64_t turn = ++state_->turn;
  state_->timer.expires_after(time);
  state_->timer.async_wait(
      [state = state_, turn, call = std::move(call)](const boost::system::error_code& error) {
        if (!error && state->turn == turn) call();
      });
}

void Timer::cancel() {
  ++state_->turn;
  state_->timer.cancel();
}

}  // namespace hild::server
