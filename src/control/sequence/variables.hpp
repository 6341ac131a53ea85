// SPDX-License-Identifier: Apache-2.0
/// \file
/// The variables of a sequence: values by name, as they are written, with their units. `$load` or
/// `${load}` in a value stands for that of the variable; `$$` is a dollar sign.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "config/node.hpp"
#include "hild/core/result.hpp"

namespace hild::sequence {

inline constexpr std::size_t max_values = 10'000;  ///< of a list, and of all their combinations

/// The value of a variable, as text: "0.1 Nm".
struct Let {
  std::string name;
  std::string value;
};

/// A variable and the values it takes, one after the other.
struct Axis {
  std::string name;
  std::vector<std::string> values;
};

/// The variables that are known at some place of a file. All functions throw ConfigError.
class Variables {
 public:
  /// Adds one. Its name must be a name, and no other's.
  void add(const config::Position& place, std::string_view path, Let let);
  /// Puts the values of variables into all scalars of a tree; keys stay as they are.
  void substitute(config::Node& node, const std::string& path) const;
  [[nodiscard]] const Let* find(std::string_view name) const;
  [[nodiscard]] std::vector<std::string_view> names() const;

 private:
  [[nodiscard]] std::string replaced(const config::Node& scalar, const std::string& path) const;

  std::vector<Let> all_;
};

/// Reads "NAME=VALUE", as --let takes it. Error: it is not one.
[[nodiscard]] Result<Let> read_given(std::string_view text);

/// Whether a text is the name of a variable: letters, digits and _, no digit first.
[[nodiscard]] bool is_variable_name(std::string_view text);

/// Reads `{NAME: [VALUE, ...], NAME: {from: VALUE, to: VALUE, steps: N}}`: lists, or values at
/// equal distances with both ends. Throws ConfigError.
[[nodiscard]] std::vector<Axis> read_axes(const config::Node& map, const std::string& path,
                                          const Variables& known);

/// All combinations of the values, one of each axis, the last axis first; one, with nothing in it,
/// of none. Precondition: there are no more than max_values, as read_axes() ensures.
[[nodiscard]] std::vector<std::vector<Let>> combinations(const std::vector<Axis>& axes);

}  // namespace hild::sequence
