// SPDX-License-Identifier: Apache-2.0
#include "exec/meter.hpp"

namespace hild::exec {
namespace {

constexpr std::size_t at(io::Phase p) noexcept { return static_cast<std::size_t>(p); }

}  // namespace

void Meter::next_frame() noexcept {
  if (!open_) {  // what was before the first tick belongs to no frame
    open_ = true;
    begun_ = mark_;
    current_ = {};
    return;
  }
  const Duration waited = current_[at(io::Phase::wake)] + current_[at(io::Phase::wait)] +
                          current_[at(io::Phase::slack)] + current_[at(io::Phase::idle)];
  if (mark_ - begun_ - waited > budget_) statistics_->over_budget.add();
  begun_ = mark_;
  after_record_ = {current_[at(io::Phase::record)], current_[at(io::Phase::slack)],
                   current_[at(io::Phase::idle)]};
  current_ = {};
  waited_ = false;
}

void Meter::report(io::FrameHeader& header) const noexcept {
#pragma GCC unroll 16
  for (std::size_t p = 0; p < at(io::Phase::record); ++p) header.phases[p] = current_[p];
  for (std::size_t i = 0; i < after_record_.size(); ++i) {
    header.phases[at(io::Phase::record) + i] = after_record_[i];
  }
}

}  // namespace hild::exec
