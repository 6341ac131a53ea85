// SPDX-License-Identifier: Apache-2.0
/// \file
/// Work for the thread of an io_context, one piece a turn and in the order it came: however much
/// there is, whatever else is ready on that thread has its turn between two pieces.
#pragma once

#include <functional>
#include <memory>

namespace boost::asio {
class io_context;
}

namespace hild::server {

class Turns {
 public:
  explicit Turns(boost::asio::io_context& io);
  ~Turns();  ///< what has not had its turn is left undone
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  /// From any thread.
  void post(std::function<void()> work);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace hild::server
