// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a run can be asked about by name, with units: the reply to `list`.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "hild/core/result.hpp"

namespace hild::sequence {

enum class Kind { parameter, input, output, state };

struct Named {
  Kind kind;
  std::string name;
  std::string unit;
};

class Names {
 public:
  Names() = default;
  explicit Names(std::vector<Named> all) : all_(std::move(all)) {}

  /// From the result of `list`. Error: it is not such a result.
  [[nodiscard]] static Result<Names> from_list(const boost::json::value& list);

  [[nodiscard]] const std::vector<Named>& all() const noexcept { return all_; }

  /// "shaft_speed" or "output:shaft_speed", of one of `kinds`. Error: what was expected, and near
  /// names; a name that several kinds have needs the prefix.
  [[nodiscard]] Result<const Named*> find(std::string_view name,
                                          const std::vector<Kind>& kinds) const;

 private:
  std::vector<Named> all_;
};

[[nodiscard]] std::string_view to_string(Kind kind) noexcept;

}  // namespace hild::sequence
