// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where a model in a process of its own waits until the test lets it go on: what is to be late is
/// late on any machine, and what is to come back does.
#pragma once

#include <unistd.h>

#include "hild/rt/atomic.hpp"
#include "hild/rt/model_memory.hpp"

namespace hild::testing {

/// Made before the model's process is, which shares it.
class Gate {
 public:
  void open() noexcept { open_.raise(); }
  void wait() const noexcept {
    while (!open_.raised()) ::usleep(1000);
  }

 private:
  rt::ModelMemory memory_{sizeof(rt::Flag)};
  rt::Flag& open_ = memory_.emplace<rt::Flag>();
};

}  // namespace hild::testing
