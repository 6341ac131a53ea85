// SPDX-License-Identifier: Apache-2.0
#include "exec/meter.hpp"

namespace hild::exec {
namespace {

constexpr std::size_t at(io::Phase p) noexcept { return static_cast<std::size_t>(p); }

constexpr bool is_work(std::size_t phase) noexcept {
  return phase != at(io::Phase::wake) && phase != at(io::Phase::wait) &&
         phase != at(io::Phase::slack) && phase != at(io::Phase::idle);
}

// These follow the record of their own step.
constexpr bool follows_record(std::size_t phase) noexcept {
  return phase >= at(io::Phase::record);
}

}  // namespace

void Meter::next_frame() noexcept {
  Duration work{};
  for (std::size_t p = 0; p < io::phase_count; ++p) {
    statistics_->phases[p].add(current_[p]);
    if (is_work(p)) work += current_[p];
  }
  statistics_->work.add(work);
  if (work > budget_) statistics_->over_budget.add();
  previous_ = current_;
  current_ = {};
  pass_times_ = {};
}

void Meter::report(io::FrameHeader& header) const noexcept {
  for (std::size_t p = 0; p < io::phase_count; ++p) {
    header.phases[p] = follows_record(p) ? previous_[p] : current_[p];
  }
  header.pass_times = pass_times_;
}

io::Cause Meter::culprit(Duration lateness) const noexcept {
  struct Suspect {
    io::Phase phase;
    io::Cause cause;
  };
  static constexpr std::array suspects{
      Suspect{io::Phase::device, io::Cause::device},
      Suspect{io::Phase::passes, io::Cause::pass},
      Suspect{io::Phase::outputs, io::Cause::pass},
      Suspect{io::Phase::events, io::Cause::state_event},
      Suspect{io::Phase::commit, io::Cause::external_event},
  };
  io::Cause cause = io::Cause::unknown;
  Duration most = lateness / 2;
  for (const auto& s : suspects) {
    const Duration excess = current_[at(s.phase)] - usual_[at(s.phase)];
    if (excess >= most) {
      most = excess;
      cause = s.cause;
    }
  }
  return cause;
}

void Meter::learn() noexcept {
  for (std::size_t p = 0; p < io::phase_count; ++p) {
    if (!learnt_) {
      usual_[p] = current_[p];
    } else {
      usual_[p] += (current_[p] - usual_[p]) / 16;
    }
  }
  learnt_ = true;
}

}  // namespace hild::exec
