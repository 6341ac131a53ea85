// SPDX-License-Identifier: Apache-2.0
#include "exec/external_events.hpp"

#include <algorithm>
#include <cstring>

namespace hild::exec {
namespace {

// Stands for the cost until one has been measured, and guards every decision.
constexpr Duration guard = 5'000_ns;

}  // namespace

bool ExternalEvents::post(const ExternalEvent& event) noexcept {
  std::byte* slot = ring_.claim();
  if (slot == nullptr) return false;
  std::memcpy(slot, &event, sizeof event);
  ring_.publish();
  return true;
}

ExternalEvents::Served ExternalEvents::serve(Duration slack) noexcept {
  const std::byte* slot = ring_.front();
  if (slot == nullptr || count_ == max_prepared) return Served::nothing;
  // The largest cost seen is its high quantile while costs are this small.
  if (slack < cost_.max() + guard) {
    if (++deferrals_ < max_deferrals) return Served::deferred;
    deferrals_ = 0;
    ring_.release();
    return Served::refused;
  }
  deferrals_ = 0;
  std::memcpy(&prepared_[count_++], slot, sizeof(ExternalEvent));
  ring_.release();
  return Served::prepared;
}

}  // namespace hild::exec
