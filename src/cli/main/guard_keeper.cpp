// SPDX-License-Identifier: Apache-2.0
#include "cli/main/guard_keeper.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "cli/main/commands.hpp"
#include "cli/terminal/print.hpp"

namespace hild::commands {

void GuardKeeper::start(io::Bus& bus, const config::Config& config, rt::Warnings& warnings) {
  const int frames = config.frame.priority;
  hang_ = guard::HangWatch(config.safety.within * 4);  // noticed in 2 ... 2.5 times that
  guard_.emplace(needed(guard::Guard::start(bus,
                                            {.within = config.safety.within,
                                             .frame = config.settings.grid.period(),
                                             .priority = frames > 0 ? std::min(frames + 1, 99) : 0},
                                            warnings)));
}

// Without a guard the run goes no further: the loop sees to that, here it is told.
void GuardKeeper::watch() {
  if (!guard_) return;
  death_.assign(::dup(guard_->death()));
  death_.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                    [this](const boost::system::error_code& error) {
                      if (!error && !guard_->released()) tell_lost();
                    });
  look();
}

void GuardKeeper::tell_lost() {
  if (std::exchange(lost_, true)) return;
  cli::tell_text("hild: the guard of the outputs died: ending the run\n");
}

// One that is stopped guards nothing. It is ended, and the run with it.
void GuardKeeper::look() {
  look_.after(std::chrono::nanoseconds(hang_.interval().ns), [this] {
    if (guard_->released()) return;
    if (hang_.hangs(guard_->looks())) {
      cli::tell_text("hild: the guard of the outputs does not look any more: ending it\n");
      return guard_->kill();
    }
    look();
  });
}

void GuardKeeper::stop_watching() {
  death_.close();
  look_.cancel();
}

}  // namespace hild::commands
