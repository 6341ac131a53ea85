// SPDX-License-Identifier: Apache-2.0
#include "control/server/sample_tap.hpp"

#include <algorithm>
#include <cstring>

namespace hild::server {
namespace {

constexpr std::size_t head = 3 * sizeof(std::int64_t);  // step, frame, time
constexpr double most_bytes = 8 << 20;

std::size_t bytes_of(const io::FrameLayout& l) {
  return head + sizeof(double) * (l.inputs() + l.outputs() + l.states());
}

std::size_t slots_for(const io::FrameLayout& l, double steps) {
  return static_cast<std::size_t>(
      std::clamp(steps, 64.0, most_bytes / static_cast<double>(bytes_of(l))));
}

}  // namespace

SampleTap::SampleTap(const io::FrameLayout& layout, double rate_hz, double seconds)
    : values_(layout.inputs() + layout.outputs() + layout.states()),
      passes_(layout.passes()),
      ring_(bytes_of(layout), slots_for(layout, rate_hz * seconds)) {}

void SampleTap::frame(const io::FrameView& record) {
  const io::FrameHeader& h = record.header();
  if (wanted_.get() == 0 || h.frozen || h.passes == 0) return;
  std::byte* at = ring_.claim();
  if (at == nullptr) return;
  const SimTime end = h.t + (h.deadline - h.due);
  const std::int64_t numbers[] = {h.step, h.frame, end.ns};
  std::memcpy(at, numbers, head);
  at += head;
  const auto last = std::min(static_cast<std::size_t>(h.passes), passes_) - 1;
  for (const auto part : {record.inputs(last), record.outputs(), record.states()}) {
    if (part.empty()) continue;
    std::memcpy(at, part.data(), part.size_bytes());
    at += part.size_bytes();
  }
  ring_.publish();
}

void SampleTap::want(bool wanted) {
  drain([](const Sample&) {});
  wanted_.set(wanted ? 1 : 0);
}

SampleTap::Sample SampleTap::read(const std::byte* slot) const noexcept {
  std::int64_t numbers[3];
  std::memcpy(numbers, slot, head);
  const auto* const values = reinterpret_cast<const double*>(slot + head);
  return {numbers[0], numbers[1], {numbers[2]}, {values, values_}};
}

}  // namespace hild::server
