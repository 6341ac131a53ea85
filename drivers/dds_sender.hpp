// SPDX-License-Identifier: Apache-2.0
/// \file
/// What the frame leaves in the page to be sent: all outputs, their number and the present time. A
/// run and the guard that it forks have it in common. All memory is there from the start.
#pragma once

#include <span>
#include <vector>

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
  rt::SeqlockView slot_;
  std::vector<double> outgoing_;
  std::int64_t number_ = 0;
};

}  // namespace hild::dds
