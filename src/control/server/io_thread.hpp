// SPDX-License-Identifier: Apache-2.0
/// \file
/// An io_context and the thread of its own that runs it.
#pragma once

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <optional>

#include "hild/core/result.hpp"
#include "hild/rt/atomic.hpp"
#include "hild/rt/thread.hpp"

namespace hild::server {

class IoThread {
 public:
  [[nodiscard]] boost::asio::io_context& io() noexcept { return io_; }

  /// Runs it, with this nice value, until there is nothing left to do after let_end(). Error: no
  /// thread could be started.
  [[nodiscard]] Result<void> start(std::string_view name, int nice);
  [[nodiscard]] bool started() const noexcept { return thread_.has_value(); }
  /// Lets the thread end with the last that it has to do. On the thread.
  void let_end() { work_.reset(); }
  /// Ends the thread: waits so long, at most, for what it has to do.
  void stop(std::chrono::nanoseconds patience);
  /// Does what is ready and left over, on this thread; after stop().
  void do_rest();

 private:
  boost::asio::io_context io_{1};
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{
      io_.get_executor()};
  rt::Flag done_;  // raised when the thread has done its work
  std::optional<rt::Thread> thread_;
};

}  // namespace hild::server
