// SPDX-License-Identifier: Apache-2.0
#include "exec/meter.hpp"

namespace hild::exec {
namespace {

constexpr std::size_t at(io::Phase p) noexcept { return static_cast<std::size_t>(p); }

struct Suspect {
  io::Phase phase;
  io::Cause cause;
};
constexpr std::array suspects{
    Suspect{io::Phase::device, io::Cause::device},
    Suspect{io::Phase::passes, io::Cause::pass},
    Suspect{io::Phase::outputs, io::Cause::pass},
    Suspect{io::Phase::events, io::Cause::state_event},
    Suspect{io::Phase::commit, io::Cause::external_event},
};

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

io::Cause Meter::cause_of(Duration lateness) const noexcept {
  io::Cause cause = io::Cause::unknown;
  Duration most = lateness / 2;
  const PhaseTimes& usual = waited_ ? usual_after_wait_ : usual_;
  for (const auto& s : suspects) {
    const Duration before = waited_ ? before_wait_[at(s.phase)] : Duration{};
    const Duration excess = current_[at(s.phase)] - before - usual[at(s.phase)];
    if (excess >= most) {
      most = excess;
      cause = s.cause;
    }
  }
  return cause;
}

void Meter::learn() noexcept {
  // One frame in eight tells enough of what is usual.
  if (learnt_ && ++skipped_ < 8) return;
  skipped_ = 0;
  // A sliding mean over some eight of those; the first frame sets it.
  const auto learn = [](Duration& usual, Duration now, bool learnt) {
    usual.ns = learnt ? usual.ns + ((now - usual).ns >> 3) : now.ns;
  };
  for (const auto& s : suspects) {
    const Duration whole = current_[at(s.phase)];
    learn(usual_[at(s.phase)], whole, learnt_);
    if (!waited_) continue;
    learn(usual_after_wait_[at(s.phase)], whole - before_wait_[at(s.phase)], learnt_waits_);
  }
  learnt_waits_ = learnt_waits_ || waited_;
  learnt_ = true;
}

}  // namespace hild::exec
