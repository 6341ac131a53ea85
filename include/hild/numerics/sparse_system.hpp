// SPDX-License-Identifier: Apache-2.0
/// \file
/// Systems of linear equations of a sparse pattern that is known when loading: M d = b, where M
/// consists of multiples of Jacobians of one pattern and has ones added to its diagonal.
///
/// All that depends on the pattern is found by the constructor: an order of the unknowns that keeps
/// the factors sparse (approximate minimum degree, of Eigen) and where the factors are not zero
/// (Gilbert and Peierls 1988). What is left is arithmetic over fixed patterns. It is written here,
/// since Eigen's SparseLU allocates in each factorisation, as it exchanges rows and so learns of
/// the pattern only then; tests and benchmarks compare the two.
///
/// Rows are not exchanged: pivots are the diagonal elements in an order decided when loading, which
/// suits I - h J of a stable model. That this was good enough is looked at after each solution, by
/// what is left of b (Li and Demmel 1998): a solution whose residual is more than some roundings is
/// refined once, and one that stays wrong becomes NaN in every element, as does that of a singular
/// matrix, or one with an element that is not finite. The frame loop then ends the run with the
/// name of a state.
///
/// The constructor allocates. All else is real-time safe, of fixed bounds: multiplications by
/// `work()` and at most two solutions with the factors.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "hild/numerics/pattern.hpp"

namespace hild::numerics {

namespace detail {

/// A sparse matrix by columns. Rows are those after reordering.
struct Columns {
  std::vector<Pattern::Index> start{};  ///< of each column, and the end
  std::vector<Pattern::Index> row{};    ///< of each entry
  std::vector<double> value{};          ///< of each entry
};

}  // namespace detail

/// A matrix in memory of its own and its solution. Unknown `s * stages + p` is that of state s in
/// stage p.
class SparseSystem {
 public:
  /// Of no unknowns.
  SparseSystem() = default;
  /// For Jacobians of `pattern`, of `stages` each coupled with all. Allocates.
  SparseSystem(const Pattern& pattern, std::size_t stages);

  /// Element ((i, p), (j, q)) of M becomes `factor` J(i, j), and one more where i = j and p = q;
  /// `jacobian` has the entries of the pattern. M is as these calls left it until solve().
  void set_block(std::size_t p, std::size_t q, double factor,
                 std::span<const double> jacobian) noexcept;
  /// b, of as many elements as there are unknowns, becomes the solution.
  void solve(std::span<double> b) noexcept;

  /// Unknowns.
  [[nodiscard]] std::size_t size() const noexcept { return order_.size(); }
  /// Elements of both factors.
  [[nodiscard]] std::size_t factor_entries() const noexcept {
    return lower_.row.size() + upper_.row.size() + size();
  }
  /// Multiplications that a factorisation takes.
  [[nodiscard]] std::size_t work() const noexcept;

 private:
  using Index = Pattern::Index;

  [[nodiscard]] bool factorise() noexcept;
  void substitute(std::span<double> x) const noexcept;
  [[nodiscard]] double residual_of(std::span<const double> x) noexcept;

  std::vector<Index> order_;     // the unknown that each place has
  std::vector<Index> block_;     // where an entry of the pattern is kept, block by block
  std::vector<Index> diagonal_;  // where that of each unknown is kept
  std::size_t stages_ = 0;
  detail::Columns matrix_;
  detail::Columns lower_;        // without its diagonal of ones
  detail::Columns upper_;        // without its diagonal
  std::vector<double> inverse_;  // of the diagonal of the upper factor
  std::vector<double> column_;   // zero between uses
  std::vector<double> right_;    // by place
  std::vector<double> left_;     // what a solution leaves of it
  std::vector<double> size_;     // what that is made of
};

/// Whether the factors of I - h J, J of this pattern, are worth their ways around: they take less
/// than a 16th of the multiplications that dense ones do, which exchange rows besides. Load time.
[[nodiscard]] bool sparse_pays(const Pattern& pattern);

}  // namespace hild::numerics
