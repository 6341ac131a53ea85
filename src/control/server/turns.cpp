// SPDX-License-Identifier: Apache-2.0
#include "control/server/turns.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <deque>
#include <mutex>

namespace hild::server {

struct Turns::State : std::enable_shared_from_this<Turns::State> {
  explicit State(boost::asio::io_context& context) : io(context) {}

  boost::asio::io_context& io;
  std::mutex mutex;
  std::deque<std::function<void()>> waiting;
  bool over = false;

  void turn() {
    std::function<void()> work;
    {
      const std::scoped_lock lock(mutex);
      if (over) return;
      work = std::move(waiting.front());
    }
    work();
    const std::scoped_lock lock(mutex);
    if (over) return;
    waiting.pop_front();
    if (!waiting.empty()) come_again();
  }
  void come_again() {
    boost::asio::post(io, [self = shared_from_this()] { self->turn(); });
  }
};

Turns::Turns(boost::asio::io_context& io) : state_(std::make_shared<State>(io)) {}

Turns::~Turns() {
  std::deque<std::function<void()>> left;  // ends once the lock has gone
  const std::scoped_lock lock(state_->mutex);
  state_->over = true;
  left.swap(state_->waiting);
}

void Turns::post(std::function<void()> work) {
  const std::scoped_lock lock(state_->mutex);
  if (state_->over) return;
  state_->waiting.push_back(std::move(work));
  if (state_->waiting.size() == 1) state_->come_again();
}

}  // namespace hild::server
