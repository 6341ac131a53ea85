// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the frame leaves in the page to be sent: all outputs, their number and the present time. A
/// run and the guard that it forks have it in common. All memory is there from the start.
#pragma once

#include <array>
#include <span>

#include "drivers/dds/page.hpp"
#include "hild/core/time.hpp"

namespace hild::dds {

class Sender {
 public:
  /// Of so many outputs. The page outlives it.
  Sender(const Page& page, std::size_t outputs);

  /// Leaves them there, and wakes the gateway: one system call that does not wait. Real-time safe.
  void send(std::span<const double> outputs, MonoTime now) noexcept;
  /// Whether what this process has written last was handed to the network. Real-time safe.
  [[nodiscard]] bool left() const noexcept { return head_->left.get() >= number_; }
  /// What was written last, by this process or one forked from it. False: nothing was.
  [[nodiscard]] bool last(std::span<double> outputs) const;

 private:
  PageHead* head_;
  rt::ImageSlot slot_;
  std::int64_t number_ = 0;
};

inline void Sender::send(std::span<const double> outputs, MonoTime now) noexcept {
  // Whatever the gateway has made of it.
  number_ = static_cast<std::int64_t>(static_cast<std::uint64_t>(head_->numbers.take()) + 1);
  slot_.write(std::array{as_word(number_), as_word(now.ns)}, outputs);
  head_->written.ring();
}

}  // namespace hild::dds
