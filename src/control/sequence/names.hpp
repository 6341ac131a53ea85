// SPDX-License-Identifier: Apache-2.0
/// \file
/// The named parameters, inputs, outputs and states of a run, the faults of its devices, with their
/// units, and its recorders, as the reply to `list` gives them.
#pragma once

#include <boost/json/value.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "hild/core/result.hpp"

namespace hild::sequence {

/// The first five are those of exec::Target.
enum class Kind { parameter, input, output, device_fault, alarm, state, recorder };

struct Named {
  Kind kind;
  std::string name;
  std::string unit;
};

class Names {
 public:
  Names() = default;
  explicit Names(std::vector<Named> all) : all_(std::move(all)) {}

  /// Reads the result of `list`. Error: it is not such a result.
  [[nodiscard]] static Result<Names> from_list(const boost::json::value& list);

  [[nodiscard]] const std::vector<Named>& all() const noexcept { return all_; }

  /// Finds "shaft_speed" or "output:shaft_speed" among `kinds`. Error: what was expected, and near
  /// names; a name that several kinds have needs the prefix.
  [[nodiscard]] Result<const Named*> find(std::string_view name,
                                          const std::vector<Kind>& kinds) const;

 private:
  std::vector<Named> all_;
};

[[nodiscard]] std::string_view to_string(Kind kind) noexcept;

}  // namespace hild::sequence
