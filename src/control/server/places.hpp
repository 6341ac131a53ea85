// SPDX-License-Identifier: Apache-2.0
/// \file
/// Who has a place among the connections by HTTP. Members have shown who they are, and keep theirs.
/// Of strangers there are few, fewer still from one address; who comes always gets a place, and a
/// stranger goes for it: one of the address that has the most, rather one that has asked nothing
/// yet, else the one that asked longest ago.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace hild::server {

class Places {
 public:
  using Id = std::uint64_t;
  static constexpr std::size_t most_strangers = 32;
  static constexpr std::size_t most_of_one = 8;  ///< strangers of an address

  explicit Places(std::size_t most_members) : most_members_(most_members) {}

  /// A stranger from there. Returns who has to go for it, if anybody; that one has left.
  [[nodiscard]] std::optional<Id> enter(Id id, const std::string& from);
  /// It has shown who it is. False when there are as many members as may be: it stays a stranger.
  [[nodiscard]] bool join(Id id);
  /// It has asked something.
  void active(Id id);
  void leave(Id id);

  [[nodiscard]] bool is_member(Id id) const { return members_.contains(id); }
  [[nodiscard]] std::size_t strangers() const noexcept { return strangers_.size(); }
  [[nodiscard]] std::size_t members() const noexcept { return members_.size(); }
  [[nodiscard]] std::size_t most_members() const noexcept { return most_members_; }

 private:
  struct Stranger {
    std::string from;
    std::uint64_t asked = 0;  // when last, in the order of all; 0: never
    std::uint64_t came = 0;
  };
  [[nodiscard]] std::size_t of(const std::string& from) const;

  std::size_t most_members_;
  std::uint64_t moments_ = 0;
  std::unordered_map<Id, Stranger> strangers_;
  std::unordered_set<Id> members_;
};

}  // namespace hild::server
