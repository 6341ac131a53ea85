// SPDX-License-Identifier: Apache-2.0
#include "drivers/dds_sender.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace hild::dds {

Sender::Sender(const Page& page, std::size_t outputs)
    : head_(&page.head()), slot_(page.outputs(outputs)) {}

bool Sender::last(std::span<double> outputs) const {
  std::vector<double> image(slot_.size());
  if (slot_.writes() == 0 || !slot_.read(image, 1000)) return false;
  const auto values = std::span(image).subspan(stamps, outputs.size());
  if (!std::ranges::all_of(values, [](double v) { return std::isfinite(v); })) return false;
  std::ranges::copy(values, outputs.begin());
  return true;
}

}  // namespace hild::dds
