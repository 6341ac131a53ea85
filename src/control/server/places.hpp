// SPDX-License-Identifier: Apache-2.0
/// \file
/// Decides which HTTP connections have a place. Members have shown who they are, and keep their
/// places. Strangers have few places, fewer still for one address. A newcomer always gets one:
/// where none is free, a stranger has to go for it, of the same address where that has all its
/// places, else of the address that has the most; of these one that has asked nothing yet, else the
/// one that asked longest ago.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

namespace hild::server {

class Places {
 public:
  using Id = std::uint64_t;
  static constexpr std::size_t most_strangers = 32;
  static constexpr std::size_t most_of_one = 8;  ///< strangers of one address

  explicit Places(std::size_t most_members) : most_members_(most_members) {}

  /// Adds a stranger from the address `from`. Returns the connection that has to go for it, if any;
  /// that one is no longer listed.
  [[nodiscard]] std::optional<Id> enter(Id id, const std::string& from) {
    std::optional<Id> out;
    const bool crowd = of(from) == most_of_one;
    if (crowd || strangers_.size() == most_strangers) {
      const auto rank = [&](const auto& one) {
        const Stranger& s = one.second;
        const std::size_t neighbours = crowd ? 0 : most_of_one - of(s.from);
        return std::tuple(crowd && s.from != from, neighbours, s.asked, s.came);
      };
      const auto first = std::ranges::min_element(strangers_, {}, rank);
      out = first->first;
      strangers_.erase(first);
    }
    strangers_.emplace(id, Stranger{from, 0, ++moments_});
    return out;
  }
  /// Makes a stranger that has shown who it is a member. False when all places of members are
  /// taken: it stays a stranger.
  [[nodiscard]] bool join(Id id) {
    if (members_.contains(id)) return true;
    if (members_.size() == most_members_) return false;
    strangers_.erase(id);
    members_.insert(id);
    return true;
  }
  /// Notes that it has asked something.
  void active(Id id) {
    const auto found = strangers_.find(id);
    if (found != strangers_.end()) found->second.asked = ++moments_;
  }
  void leave(Id id) {
    strangers_.erase(id);
    members_.erase(id);
  }

  [[nodiscard]] bool is_member(Id id) const { return members_.contains(id); }
  [[nodiscard]] std::size_t strangers() const noexcept { return strangers_.size(); }
  [[nodiscard]] std::size_t members() const noexcept { return members_.size(); }

 private:
  struct Stranger {
    std::string from;
    std::uint64_t asked = 0;  // when it last asked, in the order of all; 0: never
    std::uint64_t came = 0;
  };
  [[nodiscard]] std::size_t of(const std::string& from) const {
    const auto is = [&](const auto& one) { return one.second.from == from; };
    return static_cast<std::size_t>(std::ranges::count_if(strangers_, is));
  }

  std::size_t most_members_;
  std::uint64_t moments_ = 0;
  std::unordered_map<Id, Stranger> strangers_;
  std::unordered_set<Id> members_;
};

}  // namespace hild::server
