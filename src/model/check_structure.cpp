// SPDX-License-Identifier: Apache-2.0
#include "hild/model/check_structure.hpp"

namespace hild::model {

Result<void> check_structure(const Description& model) {
  const numerics::Structure& s = model.structure;
  const std::size_t n = model.states.size();
  if (s.pattern == nullptr) {
    if (s.dense || (s.lower <= n && s.upper <= n)) return {};
    return fail("its structure has {} diagonals below and {} above the main one, with {} states",
                s.lower, s.upper, n);
  }
  if (s.pattern->size() != n) {
    return fail(
        "its structure has a pattern of {} rows and columns, with {} states; expected as many",
        s.pattern->size(), n);
  }
  if (const auto& place = s.pattern->outside()) {
    return fail("its structure has row {} and column {}, with {} states; they count from 0",
                place->row, place->column, n);
  }
  return {};
}

}  // namespace hild::model
