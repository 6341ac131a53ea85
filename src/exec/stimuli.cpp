// SPDX-License-Identifier: Apache-2.0
#include "exec/stimuli.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "exec/change_check.hpp"
#include "exec/transfer_change.hpp"

namespace hild::exec {
namespace {

constexpr double cycle = 2 * std::numbers::pi;

// The frequency goes linearly from f0 to f1: the cycles so far are its integral.
double cycles_of_chirp(const Stimulus& s, double tau) noexcept {
  const double over = seconds(s.over);
  const double swept = std::min(tau, over);
  const double slope = (s.frequency_end - s.frequency) / over;
  return s.frequency * swept + slope * swept * swept / 2 + s.frequency_end * (tau - swept);
}

double in_table(const PlaybackTable& table, double tau) noexcept {
  const double* const first = table.times;
  const double* const last = first + table.size;
  const double* const after = std::upper_bound(first, last, tau);
  const auto i = static_cast<std::size_t>(after - first);
  if (after == first) return table.values[0];
  if (after == last) return table.values[table.size - 1];
  const double share = (tau - first[i - 1]) / (first[i] - first[i - 1]);
  return table.values[i - 1] + share * (table.values[i] - table.values[i - 1]);
}

double shape_of(const Stimulus& s, double tau) noexcept {
  switch (s.shape) {
    case Shape::step:
      return 1;
    case Shape::ramp:
      return s.over.ns > 0 ? std::min(tau / seconds(s.over), 1.0) : 1;
    case Shape::sine:
      return std::sin(cycle * s.frequency * tau + s.phase);
    case Shape::chirp:
      return std::sin(cycle * cycles_of_chirp(s, tau) + s.phase);
    case Shape::playback:
      return in_table(s.table, tau);
  }
  return 0;
}

}  // namespace

double value_of(const Stimulus& s, double tau) noexcept {
  return s.offset + s.amplitude * shape_of(s, tau);
}

Stimuli::Stimuli(std::size_t inputs) : inputs_(inputs) { active_.reserve(inputs); }

void Stimuli::start(const Stimulus& s, SimTime start, Source source) noexcept {
  active_.push_back({s, start, source});
}

bool Stimuli::stop_at(std::size_t place, Source& holder) noexcept {
  const Active& a = active_[place];
  holder = a.what.shape == Shape::playback ? a.source : Source{};
  active_.erase(active_.begin() + static_cast<std::ptrdiff_t>(place));
  return true;
}

bool Stimuli::stop(std::uint32_t input, Source& holder) noexcept {
  const auto of_input = [&](const Active& a) { return a.what.input == input; };
  const auto found = std::ranges::find_if(active_, of_input);
  if (found == active_.end()) return false;
  static_cast<void>(stop_at(static_cast<std::size_t>(found - active_.begin()), holder));
  return holder.id != 0;
}

bool Stimuli::stop_ended(SimTime t, Source& holder) noexcept {
  const auto ended = [&](const Active& a) {
    return a.what.duration.ns > 0 && t - a.start >= a.what.duration;
  };
  const auto found = std::ranges::find_if(active_, ended);
  return found != active_.end() &&
         stop_at(static_cast<std::size_t>(found - active_.begin()), holder);
}

bool Stimuli::stop_any(Source& holder) noexcept {
  return !active_.empty() && stop_at(active_.size() - 1, holder);
}

std::size_t Stimuli::transfer(Archive& archive, Tables* tables) noexcept {
  archive.list(active_, inputs_, "stimuli",
               [&](Active& one) { transfer(archive, one, inputs_, tables); });
  if (archive.loads() && !archive.good()) active_.clear();
  return static_cast<std::size_t>(std::ranges::count_if(
      active_, [](const Active& one) { return one.what.shape == Shape::playback; }));
}

// A table is told by what brought it: it is in the recording already.
void Stimuli::transfer(Archive& archive, Active& one, std::size_t inputs, Tables* tables) noexcept {
  transfer_fields(archive, one.what);
  archive(one.start, one.source.id, one.source.change);
  if (!archive.loads()) return;
  archive.check(check(one.what, {.parameters = {}, .inputs = inputs}) == Refusal::none,
                "a stimulus");
  archive.check(one.start <= archive.now().time, "the start of a stimulus");
  if (one.what.shape != Shape::playback) return;
  const PlaybackTable* const table = tables != nullptr && archive.good()
                                         ? tables->find(one.source.id, one.source.change, one.start)
                                         : nullptr;
  if (table == nullptr) return archive.lack("the table that a stimulus plays");
  one.what.table = *table;
}

void Stimuli::apply(SimTime t, std::span<double> u) const noexcept {
  for (const Active& a : active_) {
    if (t < a.start) continue;
    const double value = value_of(a.what, seconds(t - a.start));
    double& input = u[a.what.input];
    input = a.what.replace ? value : input + value;
  }
}

}  // namespace hild::exec
