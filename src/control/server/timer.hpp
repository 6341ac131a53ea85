// SPDX-License-Identifier: Apache-2.0
/// \file
/// A timer that calls back once on the thread of an io_context. It does without the headers of
/// Asio, which most users of a timer need for nothing else.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace boost::asio {
class io_context;
}

namespace hild::server {

class Timer {
 public:
  explicit Timer(boost::asio::io_context& io);
  ~Timer();  ///< cancels
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  /// Calls `call` after `time`, instead of what it was to call before, if anything.
  void after(std::chrono::nanoseconds time, std::function<void()> call);
  /// After this nothing is called, even if the time was almost up.
  void cancel();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace hild::server
