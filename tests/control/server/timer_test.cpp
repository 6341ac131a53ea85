// SPDX-License-Identifier: Apache-2.0
/// \file
/// A timer calls once, and not after it was cancelled: Asio alone still does where the time is up
/// and the call has its place in the queue.
#include "control/server/timer.hpp"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

namespace hild::server {
namespace {

using std::chrono::nanoseconds;

// Both times are up when the io_context first looks, and the earlier one has its turn first.
TEST(Timer, IsNotCalledOnceItIsCancelledThoughItsTimeIsUp) {
  boost::asio::io_context io;
  Timer later(io);
  boost::asio::steady_timer earlier(io);
  int calls = 0;
  const std::function<void()> again = [&] {
    ++calls;
    if (calls < 3) later.after(nanoseconds(1), again);
  };
  const auto now = boost::asio::steady_timer::clock_type::now();
  earlier.expires_at(now - std::chrono::hours(1));
  earlier.async_wait([&](const boost::system::error_code&) { later.cancel(); });
  later.after(nanoseconds(0), again);
  io.run();
  EXPECT_EQ(calls, 0);
}

TEST(Timer, CallsOnceAndInsteadOfWhatItWasToCall) {
  boost::asio::io_context io;
  Timer timer(io);
  int first = 0;
  int second = 0;
  timer.after(std::chrono::hours(1), [&] { ++first; });
  timer.after(nanoseconds(0), [&] { ++second; });
  io.run();
  EXPECT_EQ(first, 0);
  EXPECT_EQ(second, 1);
}

}  // namespace
}  // namespace hild::server
