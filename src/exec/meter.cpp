// SPDX-License-Identifier: Apache-2.0
#include "exec/meter.hpp"

#include <utility>

namespace hild::exec {

void Meter::next_frame() noexcept {
  if (!open_) open();
  end_frame();
  auto& phases = header_->phases;
  std::memset(static_cast<void*>(phases.data()), 0, before_record);
#pragma GCC unroll 4
  for (std::size_t i = 0; i < after_record_.size(); ++i) {
    phases[first_after + i] = std::exchange(after_record_[i], {});
  }
  waited_ = false;
}

// What was before the first tick belongs to no frame.
void Meter::open() noexcept {
  open_ = true;
  work_from_ = mark_;
  after_record_ = {};
}

}  // namespace hild::exec
