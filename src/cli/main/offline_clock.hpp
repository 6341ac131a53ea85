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
    // The record of this step may have its place already; that of the next must find one.
    while (records_->full(2)) std::this_thread::sleep_for(std::chrono::microseconds(200));
    if (due > now_) now_ = due;
  }

 private:
  const rt::SlotRing* records_;
  MonoTime now_{};
};

}  // namespace hild::commands
