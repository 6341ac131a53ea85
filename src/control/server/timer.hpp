// SPDX-License-Identifier: Apache-2.0
/// \file
/// Calls back once, later, on the thread of an io_context; without the headers of Asio, of which
/// most that wait need nothing else.
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

  /// Instead of what it was to call before, if anything. After cancel() nothing is called, however
  /// near it was.
  void after(std::chrono::nanoseconds time, std::function<void()> call);
  void cancel();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace hild::server
