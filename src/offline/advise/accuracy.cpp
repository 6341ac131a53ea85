// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/accuracy.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>

#include "exec/timetable.hpp"
#include "numerics/analysis/frequency.hpp"

namespace hild::advise {
namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::array parts_of_band{1.0, 0.7, 0.5, 0.25, 0.1};
constexpr double least_damping = 0.02;  // of a resonance that is judged
constexpr double faint = 0.01;          // of the largest response
constexpr double cancelled = 1e-9;      // what is left of a sum by rounding

// The part of |lambda| by which a frequency misses the nearest mode.
double distance(double omega, const Eigen::VectorXcd& lambda) {
  double least = unbounded;
  for (const Complex l : lambda) {
    if (l != 0.0) least = std::min(least, std::abs(Complex(0, omega) - l) / std::abs(l));
  }
  return least;
}

// Parts of the band, and the resonances within it.
std::vector<double> frequencies(const Eigen::VectorXcd& lambda, double omega) {
  std::vector<double> all(parts_of_band.begin(), parts_of_band.end());
  for (double& part : all) part *= omega;
  for (const Complex l : lambda) {
    const bool known = std::ranges::any_of(
        all, [&](double w) { return std::abs(w - l.imag()) <= 0.5 * std::abs(l.real()); });
    if (l.imag() > 0 && l.imag() < omega && !known) all.push_back(l.imag());
  }
  std::erase_if(all, [&](double w) { return distance(w, lambda) < least_damping; });
  return all;
}

// What the modes are made of by one input, state by state: column i of V times entry i of V^-1 b.
class Composition {
 public:
  Composition(const Eigen::MatrixXcd& v, Eigen::VectorXcd lambda, const Eigen::VectorXcd& w)
      : residues_(v * w.asDiagonal()), lambda_(std::move(lambda)) {}

  [[nodiscard]] std::vector<Response> at(std::span<const double> frequencies) const {
    std::vector<Eigen::MatrixXcd> terms;
    Eigen::VectorXd peak = Eigen::VectorXd::Zero(residues_.rows());
    for (const double omega : frequencies) {
      terms.push_back(terms_at(omega));
      peak = peak.cwiseMax(terms.back().rowwise().sum().cwiseAbs());
    }
    std::vector<Response> all;
    for (std::size_t k = 0; k < terms.size(); ++k) {
      all.push_back(response(frequencies[k], terms[k], peak));
    }
    return all;
  }

 private:
  [[nodiscard]] Eigen::MatrixXcd terms_at(double omega) const {
    const Eigen::ArrayXcd to_mode = Complex(0, omega) - lambda_.array();
    return residues_ * to_mode.inverse().matrix().asDiagonal();
  }

  [[nodiscard]] Response response(double omega, const Eigen::MatrixXcd& terms,
                                  const Eigen::VectorXd& peak) const {
    Response r{.omega = omega, .lambda = {lambda_.begin(), lambda_.end()}};
    for (Eigen::Index j = 0; j < terms.rows(); ++j) {
      const Complex sum = terms.row(j).sum();
      const double size = std::max(std::abs(sum), faint * peak[j]);
      if (!(size > cancelled * terms.row(j).cwiseAbs().sum())) continue;  // it does not respond
      const Complex whole = std::abs(sum) == size ? sum : Complex(size);
      for (Eigen::Index i = 0; i < terms.cols(); ++i) r.share.push_back(terms(j, i) / whole);
    }
    return r;
  }

  Eigen::MatrixXcd residues_;
  Eigen::VectorXcd lambda_;
};

// A polynomial of `degree` through samples at `release`, and before it by `spacing` each, at the
// node: of e^(j omega t), all in steps.
Complex carried_on(double omega_h, double node, double release, int degree, double spacing) {
  Complex sum = 0;
  for (int j = 0; j <= degree; ++j) {
    double weight = 1;
    for (int k = 0; k <= degree; ++k) {
      if (k != j) weight *= (node - release + k * spacing) / ((k - j) * spacing);
    }
    sum += weight * std::polar(1.0, omega_h * (release - j * spacing));
  }
  return sum;
}

}  // namespace

std::vector<Response> responses_by_mode(std::span<const Complex> lambda, double omega) {
  std::vector<Response> all;
  for (const Complex l : lambda) {
    if (std::abs(Complex(0, omega) - l) < least_damping * std::abs(l)) continue;
    all.push_back({.omega = omega, .lambda = {l}, .share = {1}});
  }
  if (lambda.empty()) all.push_back({.omega = omega, .lambda = {0}, .share = {1}});
  return all;
}

std::vector<Response> responses_of(const LinearModel& model, double omega) {
  std::vector<Response> all;
  if (model.n == 0 || model.b.empty()) return all;
  const auto n = static_cast<Eigen::Index>(model.n);
  const auto m = static_cast<Eigen::Index>(model.b.size() / model.n);
  const Eigen::EigenSolver<Eigen::MatrixXd> solver(
      Eigen::MatrixXd(Eigen::Map<const RowMajor>(model.a.data(), n, n)));
  const auto& lambda = solver.eigenvalues();
  const Eigen::MatrixXcd v = solver.eigenvectors();
  const Eigen::MatrixXcd b =
      Eigen::MatrixXd(Eigen::Map<const RowMajor>(model.b.data(), n, m)).cast<Complex>();
  const Eigen::MatrixXcd w = v.partialPivLu().solve(b);
  if (!w.allFinite()) return all;
  const auto at = frequencies(lambda, omega);
  for (Eigen::Index k = 0; k < m; ++k) {
    for (Response& r : Composition(v, lambda, w.col(k)).at(at)) {
      if (!r.share.empty()) all.push_back(std::move(r));
    }
  }
  return all;
}

double Errors::of_modes(double h) const {
  double worst = 0;
  for (const Complex l : demand_.modes) {
    const double error = std::abs(roots_.root_error(l * h));
    if (!std::isfinite(error)) return unbounded;
    worst = std::max(worst, error);
  }
  return worst;
}

double Errors::of_responses(double h) const { return worst(h, false); }
double Errors::as_sampled(double h) const { return worst(h, misses_inputs()); }

bool Errors::misses_inputs() const { return exec::misses_inputs(method_, sampled_.by); }

std::vector<Complex> Errors::samples(double omega_h) const {
  std::vector<Complex> all;
  const int degree = sampled_.by == exec::Sampling::extrapolate ? sampled_.degree : 0;
  for (int i = 0; i < method_.passes; ++i) {
    const double node = method_.node(i).value();
    const double release = exec::release_of(node, i, method_.passes, sampled_.by);
    all.push_back(node > release ? carried_on(omega_h, node, release, degree, 1.0 / method_.passes)
                                 : std::polar(1.0, omega_h * node));
  }
  return all;
}

double Errors::worst(double h, bool sampled) const {
  double worst = 0;
  std::vector<Complex> missed;
  for (const Response& r : demand_.responses) {
    const double omega_h = r.omega * h;
    const auto inputs = sampled ? samples(omega_h) : std::vector<Complex>{};
    missed.clear();
    for (const Complex l : r.lambda) {
      missed.push_back(analysis::response_ratio(method_, omega_h, l * h, inputs) - 1.0);
    }
    for (std::size_t at = 0; at < r.share.size(); at += missed.size()) {
      Complex sum = 0;
      for (std::size_t i = 0; i < missed.size(); ++i) sum += r.share[at + i] * missed[i];
      if (!std::isfinite(std::abs(sum))) return unbounded;
      worst = std::max(worst, std::abs(sum));
    }
  }
  return worst;
}

double accurate_to(const std::function<double(double)>& error, double accuracy, double fastest) {
  constexpr double from = 1e-3;  // of omega h: rounding is still far below any accuracy
  constexpr double longest = 1e3;
  constexpr double growth = 1.2;
  if (!(fastest > 0)) return unbounded;
  double inside = from / fastest;
  const double here = error(inside);
  if (here > accuracy) {
    const double order = std::max(1.0, std::round(std::log2(error(2 * inside) / here)));
    return inside * std::pow(accuracy / here, 1 / order);
  }
  while (inside * fastest < longest) {
    double outside = inside * growth;
    if (error(outside) <= accuracy) {
      inside = outside;
      continue;
    }
    for (int i = 0; i < 40; ++i) {
      const double middle = 0.5 * (inside + outside);
      (error(middle) <= accuracy ? inside : outside) = middle;
    }
    return inside;
  }
  return unbounded;
}

}  // namespace hild::advise
