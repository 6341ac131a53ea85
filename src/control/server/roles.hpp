// SPDX-License-Identifier: Apache-2.0
/// \file
/// Roles: clients that may change some of a run, and all of them make it safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "control/rpc/parse_json.hpp"
#include "control/server/names.hpp"
#include "hild/core/result.hpp"

namespace hild::server {

struct Changes;
struct Method;

class Roles {
 public:
  /// Both outlive this.
  Roles(const std::vector<config::Role>& roles, const Names& names)
      : roles_(roles), names_(names) {}

  /// Finds what the roles name. Error: the run has no such thing.
  [[nodiscard]] Result<void> open();

  /// Throws Refused unless a client of that role may use this method, which writes, of something at
  /// least. An empty role may do everything.
  void allow(const std::string& role, const Method& method) const;
  /// Throws Refused unless it may change what these do.
  void allow(const std::string& role, const Changes& changes) const;
  /// Throws Refused unless it may begin, and end, this sequence.
  void allow_sequence(const std::string& role, const std::string& sequence) const;
  /// What it may do besides what makes a run safe, {METHOD: [NAME...] or "all"}; null: everything.
  [[nodiscard]] json::value told(const std::string& role) const;

 private:
  struct Right {
    std::string_view method;
    std::vector<Place> places{};           // none: all
    std::vector<std::string> sequences{};  // of `begin` alone; none: all

    [[nodiscard]] std::vector<std::string> names(const Names& of_places) const;
  };
  [[nodiscard]] const std::vector<Right>& rights_of(const std::string& role) const;
  [[noreturn]] void refuse_role(const std::string& role, std::string_view what) const;

  const std::vector<config::Role>& roles_;
  const Names& names_;
  std::vector<std::vector<Right>> rights_;  // of each role
};

}  // namespace hild::server
