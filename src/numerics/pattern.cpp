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
  std::vector<std::vector<Index>> taken(n);  // of each row: colours of its columns so far
  std::vector<std::size_t> barred;  // of each colour: 1 and the last column it is barred to
  for (std::size_t k = 0; k < n; ++k) {
    for (const Index row : rows(k)) {
      for (const Index colour : taken[row]) barred[colour] = k + 1;
    }
    const auto free = std::ranges::find_if(barred, [&](std::size_t b) { return b != k + 1; });
    const auto at = static_cast<Index>(free - barred.begin());
    if (free == barred.end()) {
      barred.push_back(0);
      groups_.emplace_back();
    }
    for (const Index row : rows(k)) taken[row].push_back(at);
    groups_[at].push_back(static_cast<Index>(k));
    colour_.push_back(at);
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
