// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/krylov.hpp"

#include <Spectra/GenEigsRealShiftSolver.h>
#include <Spectra/GenEigsSolver.h>
#include <Spectra/MatOp/SparseGenMatProd.h>
#include <Spectra/MatOp/SparseGenRealShiftSolve.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace hild::advise {
namespace {

constexpr int vectors = 4 * modes_of_an_edge;  // of a Krylov space, before it is restarted
constexpr int most_restarts = 200;
constexpr double tolerance = 1e-4;  // of an eigenvalue
// Of the largest eigenvalue: what modes are the slowest from, so that those of zero can be found.
constexpr double next_to_zero = 1e-9;

// Modes found from several sides, each once.
class Found {
 public:
  template <class Solver>
  void add(Solver& solver, Spectra::SortRule rule) {
    solver.init();
    solver.compute(rule, most_restarts, tolerance);
    for (const Complex l : solver.eigenvalues()) {
      add({l.real(), std::abs(l.imag())});
    }
  }
  [[nodiscard]] double largest() const {
    double most = 0;
    for (const Complex l : modes_) most = std::max(most, std::abs(l));
    return most;
  }
  // With their conjugates, the fastest first, rounding around zero removed.
  [[nodiscard]] std::vector<Complex> all() const {
    const double least = rounded_part * largest();
    std::vector<Complex> all;
    for (const Complex l : modes_) {
      const Complex clean(std::abs(l.real()) <= least ? 0 : l.real(),
                          std::abs(l.imag()) <= least ? 0 : l.imag());
      all.push_back(clean);
      if (clean.imag() > 0) all.push_back(std::conj(clean));
    }
    std::ranges::stable_sort(all, std::greater(), [](Complex l) { return std::abs(l); });
    return all;
  }

 private:
  void add(Complex mode) {
    const bool known = std::ranges::any_of(
        modes_, [&](Complex m) { return std::abs(m - mode) <= alike * std::abs(mode); });
    if (!known) modes_.push_back(mode);
  }
  std::vector<Complex> modes_;
};

}  // namespace

Spectrum edges_of_spectrum(const SparseMatrix& jacobian) {
  Spectrum s{.whole = false};
  Found found;
  Spectra::SparseGenMatProd<double> product(jacobian);
  Spectra::GenEigsSolver outer(product, modes_of_an_edge, vectors);
  for (const auto rule : {Spectra::SortRule::LargestMagn, Spectra::SortRule::LargestReal,
                          Spectra::SortRule::SmallestReal, Spectra::SortRule::LargestImag}) {
    found.add(outer, rule);
  }
  if (!(found.largest() > 0)) return s;
  try {
    Spectra::SparseGenRealShiftSolve<double> inverse(jacobian);
    Spectra::GenEigsRealShiftSolver inner(inverse, modes_of_an_edge, vectors,
                                          next_to_zero * found.largest());
    found.add(inner, Spectra::SortRule::LargestMagn);
  } catch (const std::exception&) {
    // Singular but for rounding: its slowest modes are not told from zero.
  }
  s.lambda = found.all();
  return s;
}

}  // namespace hild::advise
