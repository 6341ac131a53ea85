// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/trigger.hpp"

namespace hild::framelog {
namespace {

constexpr std::size_t most_history_bytes = 256U << 20U;  ///< of the history

}  // namespace

Result<Trigger> Trigger::make(const config::Trigger& settings, const io::FrameLayout& layout) {
  const auto frames = static_cast<std::size_t>(settings.before);
  if (frames > most_history_bytes / layout.bytes()) {
    return fail(
        "record.trigger.before: {} frames of {} bytes would take {} MiB of memory, expected at "
        "most {} frames",
        frames, layout.bytes(), frames * layout.bytes() >> 20U,
        most_history_bytes / layout.bytes());
  }
  return Trigger(settings, layout);
}

Trigger::Trigger(const config::Trigger& settings, const io::FrameLayout& layout)
    : settings_(settings), history_(static_cast<std::size_t>(settings.before), layout) {}

}  // namespace hild::framelog
