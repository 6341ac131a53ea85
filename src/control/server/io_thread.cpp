// SPDX-License-Identifier: Apache-2.0
#include "control/server/io_thread.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <thread>

namespace hild::server {

Result<void> IoThread::start(std::string_view name, int nice) {
  rt::Warnings none;  // nothing is asked for that could be refused
  const rt::ThreadOptions ordinary{.priority = 0, .cpu = -1, .name = Name(name)};
  auto thread = rt::Thread::start(ordinary, none, [this, nice] {
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(::gettid()), nice);
    io_.run();
    done_.raise();
  });
  if (!thread) return tl::make_unexpected(thread.error());
  thread_.emplace(std::move(*thread));
  return {};
}

void IoThread::stop(std::chrono::nanoseconds patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (thread_ && !done_.raised() && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  io_.stop();
  thread_.reset();
}

void IoThread::do_rest() {
  io_.restart();
  io_.poll();
}

}  // namespace hild::server
