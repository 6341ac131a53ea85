// SPDX-License-Identifier: Apache-2.0
#include "drivers/dds_sender.hpp"

#include <algorithm>

namespace hild::dds {

Sender::Sender(const Page& page, std::size_t outputs)
    : head_(&page.head()), slot_(page.outputs(outputs)), outgoing_(stamps + outputs) {}

void Sender::send(std::span<const double> outputs, MonoTime now) noexcept {
  number_ = head_->numbers.take() + 1;
  outgoing_[0] = as_word(number_);
  outgoing_[1] = as_word(now.ns);
  std::ranges::copy(outputs, outgoing_.begin() + stamps);
  slot_.write(outgoing_);
  head_->written.ring();
}

bool Sender::last(std::span<double> outputs) const {
  std::vector<double> image(outgoing_.size());
  if (slot_.writes() == 0 || !slot_.read(image)) return false;
  std::copy_n(image.begin() + stamps, outputs.size(), outputs.begin());
  return true;
}

}  // namespace hild::dds
