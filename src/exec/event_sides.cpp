// SPDX-License-Identifier: Apache-2.0
#include "exec/event_sides.hpp"

#include <algorithm>
#include <cmath>

#include "hild/io/pair.hpp"

namespace hild::exec {

EventSides::EventSides(std::span<const model::Event> events) {
  for (const model::Event& event : events) crossing_.push_back(event.crossing);
  const std::size_t n = events.size();
  side_.assign(n, unknown);
  g0_.assign(n, 0.0);
  fired_.assign(n, 0);
  pending_.assign(n, 0);
  transit_.assign(n, 0.0);
}

EventSides::Side EventSides::side_of(double g) noexcept {
  return g > 0 ? above : g < 0 ? below : unknown;
}

// What nearly every step finds of nearly every function: eight at a time, with one branch for all.
bool EventSides::all_on_side(std::span<const double> g) const noexcept {
  constexpr io::LoadPair pair;
  const double* const side = side_.data();
  const auto both = [&](std::size_t i) noexcept {
    return pair(side + i) * pair(g.data() + i) > io::Pair{};
  };
  std::size_t i = 0;
  for (; i + 8 <= g.size(); i += 8) {
    const auto stay = both(i) & both(i + 2) & both(i + 4) & both(i + 6);
    if ((stay[0] & stay[1]) == 0) return false;
  }
  for (; i < g.size(); ++i) {
    if (!(side[i] * g[i] > 0)) return false;
  }
  return true;
}

void EventSides::note_left_over() noexcept {
  left_over_ = std::ranges::any_of(pending_, [](std::uint8_t p) { return p != 0; }) ||
               std::ranges::any_of(transit_, [](double g) { return g != 0; });
}

void EventSides::start() noexcept {
  std::ranges::transform(g0_, side_.begin(), side_of);
  std::ranges::fill(pending_, std::uint8_t{0});
  std::ranges::fill(transit_, 0.0);
  left_over_ = false;
}

void EventSides::follow_jump(std::span<const double> before) noexcept {
  for (std::size_t i = 0; i < g0_.size(); ++i) {
    if (g0_[i] == before[i]) continue;
    side_[i] = side_of(g0_[i]);
    transit_[i] = 0;
  }
  note_left_over();
}

void EventSides::transfer(Archive& archive) noexcept {
  for (Side& side : side_) {
    auto n = static_cast<std::int8_t>(side);
    archive.number(n, -1, 1, "the side of an event function");
    side = n;
  }
  for (std::uint8_t& one : pending_) archive.number(one, 0, 1, "whether an event is pending");
  archive(g0_, transit_);
  note_left_over();
}

int EventSides::count_fired() const noexcept {
  return static_cast<int>(std::ranges::count(fired_, std::uint8_t{1}));
}

void EventSides::note_crossed_at_start() noexcept {
  for (std::size_t i = 0; i < g0_.size(); ++i) {
    if (transit_[i] == 0 && crossed(i, g0_[i])) pending_[i] = 1;
  }
}

int EventSides::fire_pending() noexcept {
  if (std::ranges::find(pending_, std::uint8_t{1}) == pending_.end()) return 0;
  fired_.swap(pending_);
  std::ranges::fill(pending_, std::uint8_t{0});
  return count_fired();
}

int EventSides::fire_crossed(std::span<const double> g1) noexcept {
  for (std::size_t i = 0; i < g1.size(); ++i) {
    follow_transit(i, g1[i]);
    fired_[i] = transit_[i] == 0 && crossed(i, g1[i]) ? 1 : 0;
  }
  return count_fired();
}

int EventSides::defer_fired() noexcept {
  for (std::size_t i = 0; i < fired_.size(); ++i) {
    if (fired_[i] != 0) pending_[i] = 1;
  }
  return count_fired();
}

void EventSides::note_action(std::span<const double> before, bool located) noexcept {
  for (std::size_t i = 0; i < fired_.size(); ++i) {
    if (fired_[i] != 0 && located && g0_[i] == before[i]) {
      // Located a little early, it is still on its way across.
      transit_[i] = side_of(g0_[i]) == side_[i] ? std::abs(g0_[i]) : 0.0;
      side_[i] = side_[i] == above ? below : above;
    } else if (fired_[i] != 0 || g0_[i] != before[i]) {
      side_[i] = side_of(g0_[i]);
    }
  }
}

// A function on its way across does not cross again; one that turned away crosses back.
void EventSides::follow_transit(std::size_t i, double g1) noexcept {
  if (transit_[i] == 0) return;
  const bool still = side_of(g1) != side_[i] && std::abs(g1) <= transit_[i];
  transit_[i] = still ? std::abs(g1) : 0.0;
}

void EventSides::end_step(std::vector<double>& g1) noexcept {
  for (std::size_t i = 0; i < g1.size(); ++i) {
    if (g1[i] != 0 && transit_[i] == 0) side_[i] = side_of(g1[i]);
  }
  g0_.swap(g1);
  note_left_over();
}

}  // namespace hild::exec
