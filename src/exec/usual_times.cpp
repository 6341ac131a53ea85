// SPDX-License-Identifier: Apache-2.0
#include "exec/usual_times.hpp"

namespace hild::exec {
namespace {

struct Suspect {
  io::Phase phase;
  io::Cause cause;

  [[nodiscard]] constexpr std::size_t at() const noexcept {
    return static_cast<std::size_t>(phase);
  }
};
constexpr std::array suspects{
    Suspect{io::Phase::device, io::Cause::device},
    Suspect{io::Phase::passes, io::Cause::pass},
    Suspect{io::Phase::outputs, io::Cause::pass},
    Suspect{io::Phase::events, io::Cause::state_event},
    Suspect{io::Phase::commit, io::Cause::external_event},
};

}  // namespace

io::Cause UsualTimes::cause_of(Duration lateness, const Step& step) const noexcept {
  io::Cause cause = io::Cause::unknown;
  Duration most = lateness / 2;
  const bool waited = step.before_wait != nullptr;
  const PhaseTimes& usual = waited ? after_wait_ : whole_;
  for (const auto& s : suspects) {
    const Duration before = waited ? (*step.before_wait)[s.at()] : Duration{};
    const Duration excess = step.times[s.at()] - before - usual[s.at()];
    if (excess >= most) {
      most = excess;
      cause = s.cause;
    }
  }
  return cause;
}

void UsualTimes::learn(const Step& step) noexcept {
  // A sliding mean over some eight of those; the first frame sets it.
  const auto learn = [](Duration& usual, Duration now, bool learnt) {
    usual.ns = learnt ? usual.ns + ((now - usual).ns >> 3) : now.ns;
  };
  const bool waited = step.before_wait != nullptr;
  for (const auto& s : suspects) {
    const Duration whole = step.times[s.at()];
    learn(whole_[s.at()], whole, learnt_);
    if (!waited) continue;
    learn(after_wait_[s.at()], whole - (*step.before_wait)[s.at()], learnt_waits_);
  }
  learnt_waits_ = learnt_waits_ || waited;
  learnt_ = true;
}

}  // namespace hild::exec
