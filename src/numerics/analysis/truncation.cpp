// SPDX-License-Identifier: Apache-2.0
#include "numerics/analysis/truncation.hpp"

#include <cmath>

#include "hild/numerics/trees.hpp"

namespace hild::analysis {
namespace {

// (b . phi - 1 / density) / symmetry for the trees of one vertex more than the order.
template <class Scalar>
std::vector<std::pair<std::string_view, Scalar>> of_trees(const numerics::Method& m) {
  const auto& last = m.formulas[static_cast<std::size_t>(m.passes)];
  const auto weights = numerics::row_of<Scalar>(last.pass);
  std::vector<std::pair<std::string_view, Scalar>> out;
  for (const auto& tree : numerics::trees<Scalar>(m)) {
    if (tree.order != m.order + 1) continue;
    const Scalar missed = numerics::dot(weights, tree.phi) - tree.target();
    out.emplace_back(tree.name, missed / Scalar(tree.symmetry));
  }
  return out;
}

}  // namespace

Truncation truncation(const numerics::Method& m) {
  Truncation t;
  if (m.history > 0 || m.family != numerics::Family::explicit_passes) return t;
  if (m.rounded) {
    for (const auto& [tree, v] : of_trees<double>(m)) t.coefficients.push_back({tree, v, {}});
  } else {
    for (const auto& [tree, v] : of_trees<numerics::Rational>(m)) {
      t.coefficients.push_back({tree, v.value(), v});
    }
  }
  for (const auto& c : t.coefficients) {
    t.sum += std::abs(c.value);
    t.root_of_squares += c.value * c.value;
  }
  t.root_of_squares = std::sqrt(t.root_of_squares);
  return t;
}

}  // namespace hild::analysis
