// SPDX-License-Identifier: Apache-2.0
/// \file
/// The virtual clock of an offline run: time jumps from tick to tick as fast as the machine goes,
/// but never ahead of whoever takes the records, so that none is dropped.
#pragma once

#include <chrono>
#include <thread>

#include "hild/rt/clock.hpp"
#include "hild/rt/ring.hpp"

namespace hild::commands {

class OfflineClock final : public rt::Clock {
 public:
  explicit OfflineClock(const rt::SlotRing& records) : records_(&records) {}

  [[nodiscard]] bool virtual_time() const noexcept override { return true; }
  [[nodiscard]] MonoTime now() noexcept override { return now_; }
  void sleep_until(MonoTime due) noexcept override {
    while (records_->full()) std::this_thread::sleep_for(std::chrono::microseconds(200));
    if (due > now_) now_ = due;
  }

 private:
  const rt::SlotRing* records_;
  MonoTime now_{};
};

}  // namespace hild::commands
