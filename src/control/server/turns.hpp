// SPDX-License-Identifier: Apache-2.0
/// \file
/// A queue of work for the thread of an io_context. It does one piece a turn, in the order they
/// came: however much there is, whatever else is ready on that thread is served between two pieces.
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
  ~Turns();  ///< work that has not had its turn is dropped
  Turns(const Turns&) = delete;
  Turns& operator=(const Turns&) = delete;

  /// Adds work; from any thread.
  void post(std::function<void()> work);

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace hild::server
