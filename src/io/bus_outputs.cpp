// SPDX-License-Identifier: Apache-2.0
/// Whether outputs follow the model or their safe actions, and how far they have come.
#include <algorithm>

#include "io/bus.hpp"

namespace hild::io {

void Bus::arm(Duration over) noexcept {
  arm_over_ns_.set(over.ns);
  arm_.set(1);
}

void Bus::disarm() noexcept { arm_.set(0); }

void Bus::start_disarmed() noexcept {
  disarm();
  armed_.set(0);
  at_once_ = false;
}

bool Bus::settled() const noexcept {
  return std::ranges::none_of(calls_, [](const Call& call) { return call.outputs.moving(); });
}

bool Bus::drives() const noexcept {
  return std::ranges::any_of(calls_, [](const Call& call) { return !call.outputs.empty(); });
}

bool Bus::lines(std::span<double> carried) const noexcept {
  for (std::size_t i = 0; i < carried.size(); ++i) {
    const OutputSignal& s = outputs_[i];
    const bool wired = s.device >= 0;
    carried[i] =
        wired
            ? s.scale * calls_[static_cast<std::size_t>(s.device)].outputs.held()[s.slot] + s.offset
            : std::numeric_limits<double>::quiet_NaN();
  }
  return !settled();
}

// The values of the lines in this call; whether they are to be written.
bool Bus::put_out(std::span<const double> y, MonoTime now) noexcept {
  if (y.empty()) {
    // Told also while the safe actions hold for another reason, as in a plant that is held safe.
    if (!following_ && arm_.get() == 0) {
      armed_.set(0);
      at_once_ = false;
    }
    if (following_ || settled()) return false;
    relax(now);
  } else if (arm_.get() != 0) {
    follow(y, now);
  } else {
    armed_.set(0);
    at_once_ = false;
    relax(now);
  }
  return true;
}

void Bus::begin_way(bool following, MonoTime now) noexcept {
  following_ = following;
  at_once_ = false;
  way_began_ = now;
  for (Call& call : calls_) call.outputs.begin();
}

void Bus::follow(std::span<const double> y, MonoTime now) noexcept {
  if (!at_once_) return follow_softly(y, now);
  for (Call& call : calls_) {
    if (call.outputs.empty()) continue;
    if (const auto cut = call.outputs.follow(y); cut != 0) clamped_.add(cut);
  }
  written_ = now;
}

// From the safe actions, on the way there, or with slew limits.
void Bus::follow_softly(std::span<const double> y, MonoTime now) noexcept {
  if (!following_ || !armed()) {
    begin_way(true, now);
    way_over_ = armed() ? Duration{} : Duration{arm_over_ns_.get()};
    armed_.set(1);
  }
  const Duration gone = now - way_began_;
  double share = 1;
  if (gone < way_over_) {
    share = seconds(gone) / seconds(way_over_);
  } else {
    way_over_ = {};
  }
  const Duration since = written_once_ ? now - written_ : Duration{};
  for (Call& call : calls_) {
    if (call.outputs.empty()) continue;
    if (const auto cut = call.outputs.follow(y, share, since); cut != 0) clamped_.add(cut);
  }
  written_ = now;
  written_once_ = true;
  at_once_ = way_over_.ns == 0 && !slewed_;
}

void Bus::relax(MonoTime now) noexcept {
  if (following_) begin_way(false, now);
  for (Call& call : calls_) call.outputs.relax(now - way_began_);
  written_ = now;
  written_once_ = true;
}

std::vector<CutOutput> Bus::cut_outputs() const {
  std::vector<CutOutput> all;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const OutputSignal& s = outputs_[i];
    if (s.device < 0) continue;
    const OutputStage::Cut& cut = calls_[static_cast<std::size_t>(s.device)].outputs.cuts()[s.slot];
    if (cut.values.get() == 0) continue;
    const auto signal = [&](double line) { return s.scale * line + s.offset; };
    const double a = signal(s.limits.low);
    const double b = signal(s.limits.high);
    all.push_back({i, cut.values.get(), signal(cut.last()), {std::min(a, b), std::max(a, b)}});
  }
  return all;
}

}  // namespace hild::io
