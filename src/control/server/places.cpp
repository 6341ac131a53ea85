// SPDX-License-Identifier: Apache-2.0
#include "control/server/places.hpp"

#include <algorithm>
#include <tuple>

namespace hild::server {

std::size_t Places::of(const std::string& from) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(strangers_, [&](const auto& one) { return one.second.from == from; }));
}

std::optional<Places::Id> Places::enter(Id id, const std::string& from) {
  std::optional<Id> out;
  const bool crowd = of(from) == most_of_one;
  if (crowd || strangers_.size() == most_strangers) {
    const auto rank = [&](const Stranger& s) {
      const std::size_t neighbours = crowd ? 0 : most_of_one - of(s.from);
      return std::tuple(crowd && s.from != from, neighbours, s.asked, s.came);
    };
    const auto first = std::ranges::min_element(
        strangers_, [&](const auto& a, const auto& b) { return rank(a.second) < rank(b.second); });
    out = first->first;
    strangers_.erase(first);
  }
  strangers_.emplace(id, Stranger{from, 0, ++moments_});
  return out;
}

bool Places::join(Id id) {
  if (members_.contains(id)) return true;
  if (members_.size() == most_members_) return false;
  strangers_.erase(id);
  members_.insert(id);
  return true;
}

void Places::active(Id id) {
  if (const auto found = strangers_.find(id); found != strangers_.end()) {
    found->second.asked = ++moments_;
  }
}

void Places::leave(Id id) {
  strangers_.erase(id);
  members_.erase(id);
}

}  // namespace hild::server
