// SPDX-License-Identifier: Apache-2.0
#include "exec/overrides.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace hild::exec {
namespace {

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
  Falsified& s = signals_[o.signal];
  const FaultKind& kind = fault_kind(o.kind);
  const bool kept = kind.keeps && s.until[at(o.kind)] != 0;  // goes on with what it kept
  if (std::ranges::find(active_, o.signal) == active_.end()) active_.push_back(o.signal);
  s.until[at(o.kind)] = end_of(frame, o.frames);
  if (!kept) s.moment[at(o.kind)].value = kind.keeps ? now : o.value;
  if (kind.draws) s.noise[at(o.kind)] = Noise(o.seed);
}

void Overrides::release(std::uint32_t signal) noexcept {
  signals_[signal] = Falsified{};
  std::erase(active_, signal);
}

void Overrides::expire(std::int64_t frame) noexcept {
  std::erase_if(active_, [&](std::uint32_t i) {
    Falsified& s = signals_[i];
    bool any = false;
    for (auto& until : s.until) {
      if (until <= frame) until = 0;
      any = any || until != 0;
    }
    return !any;
  });
}

double Overrides::falsify(const Falsified& s, double v) noexcept {
  const auto of = [&](std::size_t k, double from) {
    return fault_kinds[k].falsify(from, s.moment[k]);
  };
  for (std::size_t k = override_kinds; k-- > 0;) {
    if (s.until[k] != 0 && fault_kinds[k].replaces) return of(k, v);
  }
  for (std::size_t k = 0; k < override_kinds; ++k) {
    if (s.until[k] != 0) v = of(k, v);
  }
  return v;
}

void Overrides::transfer(Archive& archive) noexcept {
  if (archive.loads()) std::ranges::fill(signals_, Falsified{});
  archive.list(active_, signals_.size(), "signals with overrides", [&](std::uint32_t& i) {
    archive.number(i, 0, static_cast<std::uint32_t>(signals_.size() - 1), "a signal");
    Falsified& s = signals_[i];
    archive(s.until, s.noise);
    for (FaultMoment& m : s.moment) archive(m.value, m.drawn);
  });
}

void Overrides::apply(std::span<double> values) noexcept {
  for (const std::uint32_t i : active_) {
    Falsified& s = signals_[i];
    for (std::size_t k = 0; k < override_kinds; ++k) {
      if (s.until[k] != 0 && fault_kinds[k].draws) s.moment[k].drawn = s.noise[k].next();
    }
    values[i] = falsify(s, values[i]);
  }
}

void Overrides::apply_again(std::span<double> values) const noexcept {
  for (const std::uint32_t i : active_) values[i] = falsify(signals_[i], values[i]);
}

}  // namespace hild::exec
