// SPDX-License-Identifier: Apache-2.0
#include "hild/numerics/pattern.hpp"

#include <algorithm>

namespace hild::numerics {

Pattern::Pattern(std::size_t n, std::vector<Place> places) : starts_(n + 1) {
  const auto beyond = [n](const Place& p) { return p.row >= n || p.column >= n; };
  const auto found = std::ranges::find_if(places, beyond);
  if (found != places.end()) outside_ = *found;
  std::erase_if(places, beyond);
  std::ranges::sort(places);
  places.erase(std::unique(places.begin(), places.end()), places.end());
  rows_.reserve(places.size());
  for (const Place& p : places) {
    rows_.push_back(static_cast<Index>(p.row));
    ++starts_[p.column + 1];
  }
  for (std::size_t k = 0; k < n; ++k) starts_[k + 1] += starts_[k];
  colour();
}

void Pattern::colour() {
  const std::size_t n = size();
  std::vector<std::vector<bool>> taken;  // of each colour: rows that a column of it has
  for (std::size_t k = 0; k < n; ++k) {
    const auto is_free = [&](const std::vector<bool>& t) {
      return std::ranges::none_of(rows(k), [&](Index row) { return t[row]; });
    };
    const auto at = static_cast<std::size_t>(std::ranges::find_if(taken, is_free) - taken.begin());
    if (at == taken.size()) {
      taken.emplace_back(n, false);
      groups_.emplace_back();
    }
    for (const Index row : rows(k)) taken[at][row] = true;
    groups_[at].push_back(static_cast<Index>(k));
    colour_.push_back(static_cast<Index>(at));
  }
}

std::size_t Pattern::find(std::size_t row, std::size_t column) const noexcept {
  const auto all = rows(column);
  const auto at = std::ranges::lower_bound(all, row);
  if (at == all.end() || *at != row) return entries();
  return first(column) + static_cast<std::size_t>(at - all.begin());
}

std::vector<Place> Pattern::places() const {
  std::vector<Place> all;
  all.reserve(entries());
  for (std::size_t k = 0; k < size(); ++k) {
    for (const Index row : rows(k)) all.push_back({row, k});
  }
  return all;
}

}  // namespace hild::numerics
