// SPDX-License-Identifier: Apache-2.0
#include "exec/overrides.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hild::exec {
namespace {

constexpr std::int64_t forever = std::numeric_limits<std::int64_t>::max();
constexpr auto at(OverrideKind k) noexcept { return static_cast<std::size_t>(k); }

}  // namespace

double Noise::uniform() noexcept {
  state_ += 0x9E3779B97F4A7C15U;
  std::uint64_t z = state_;
  z = (z ^ (z >> 30U)) * 0xBF58476D1CE4E5B9U;
  z = (z ^ (z >> 27U)) * 0x94D049BB133111EBU;
  z ^= z >> 31U;
  return (static_cast<double>(z >> 11U) + 1) * 0x1p-53;
}

double Noise::next() noexcept {
  has_spare_ = !has_spare_;
  if (!has_spare_) return spare_;
  const double radius = std::sqrt(-2 * std::log(uniform()));
  const double angle = 2 * std::numbers::pi * uniform();
  spare_ = radius * std::sin(angle);
  return radius * std::cos(angle);
}

Overrides::Overrides(std::size_t signals) : signals_(signals) { active_.reserve(signals); }

void Overrides::set(const Override& o, std::int64_t frame, double now) noexcept {
  Signal& s = signals_[o.signal];
  const bool keeps = o.kind == OverrideKind::dropout;
  const bool kept = keeps && s.until[at(o.kind)] != 0;  // goes on with what it kept
  if (std::ranges::find(active_, o.signal) == active_.end()) active_.push_back(o.signal);
  s.until[at(o.kind)] = o.frames == 0 || o.frames > forever - frame ? forever : frame + o.frames;
  if (!kept) s.value[at(o.kind)] = keeps ? now : o.value;
  if (o.kind == OverrideKind::noise) s.noise = Noise(o.seed);
}

void Overrides::release(std::uint32_t signal) noexcept {
  signals_[signal] = Signal{};
  std::erase(active_, signal);
}

void Overrides::expire(std::int64_t frame) noexcept {
  std::erase_if(active_, [&](std::uint32_t i) {
    Signal& s = signals_[i];
    bool any = false;
    for (auto& until : s.until) {
      if (until <= frame) until = 0;
      any = any || until != 0;
    }
    return !any;
  });
}

double Overrides::falsify(const Signal& s, double v) noexcept {
  using enum OverrideKind;
  const auto active = [&](OverrideKind k) { return s.until[at(k)] != 0; };
  if (active(dropout)) return s.value[at(dropout)];
  if (active(stuck)) return s.value[at(stuck)];
  if (active(gain)) v *= s.value[at(gain)];
  if (active(offset)) v += s.value[at(offset)];
  if (active(noise)) v += s.value[at(noise)] * s.drawn;
  return v;
}

void Overrides::apply(std::span<double> values) noexcept {
  for (const std::uint32_t i : active_) {
    Signal& s = signals_[i];
    if (s.until[at(OverrideKind::noise)] != 0) s.drawn = s.noise.next();
    values[i] = falsify(s, values[i]);
  }
}

void Overrides::apply_again(std::span<double> values) const noexcept {
  for (const std::uint32_t i : active_) values[i] = falsify(signals_[i], values[i]);
}

}  // namespace hild::exec
