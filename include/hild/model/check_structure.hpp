// SPDX-License-Identifier: Apache-2.0
/// \file
/// Whether the structure that a model declares for its Jacobian fits its states. Not real-time.
#pragma once

#include "hild/core/result.hpp"
#include "hild/model/description.hpp"

namespace hild::model {

/// Room is reserved, and elements are numbered, by a structure: one that does not fit must not get
/// further. Error: what it has, and how many states there are.
[[nodiscard]] Result<void> check_structure(const Description& model);

/// So many states have a dense Jacobian at most: of more, nothing asks for it, and no implicit
/// method takes them.
inline constexpr std::size_t most_dense = 4096;
/// Whether a model has more states than that, and does not say where its Jacobian is zero.
[[nodiscard]] inline bool beyond_dense(const Description& model) noexcept {
  return model.structure.dense && model.states.size() > most_dense;
}

}  // namespace hild::model
