// SPDX-License-Identifier: Apache-2.0
#include "model/coupled/history.hpp"

#include <algorithm>

namespace hild::coupled {

History::History(std::size_t outputs) {
  for (Sample& s : samples_) s.y.assign(outputs, 0.0);
}

void History::push(SimTime t, std::span<const double> y) noexcept {
  if (known_ == 0 || sample(0).t != t) {
    newest_ = (newest_ + 1) % depth;
    known_ = std::min(known_ + 1, depth);
    samples_[newest_].t = t;
    samples_[newest_].first = false;
  }
  Sample& s = samples_[newest_];
  s.first = s.first || interrupted_;
  interrupted_ = false;
  std::ranges::copy(y, s.y.begin());
}

void History::clear() noexcept {
  known_ = 0;
  interrupted_ = true;
}

void History::transfer(Archive& archive) noexcept {
  archive(interrupted_);
  const std::size_t n = archive.size(known_, depth, "values kept of a model's outputs");
  if (archive.loads()) known_ = n;
  for (std::size_t age = 0; age < n; ++age) {
    Sample& one = samples_[place(age)];
    archive(one.t, one.first, one.y);
  }
}

bool History::reaches_before(SimTime t) const noexcept {
  return known_ > 1 || (known_ == 1 && sample(0).t < t);
}

double History::before(SimTime limit, SimTime t, std::size_t i, int degree) const noexcept {
  return through(sample(0).t < limit ? 0 : 1, t, i, degree);
}

// Lagrange's form on the times as they are.
double History::through(std::size_t age, SimTime t, std::size_t i, int degree) const noexcept {
  if (degree == 0) return 0.0 + sample(age).y[i];  // what the sum gives: -0 becomes 0
  std::size_t points = 1;
  const std::size_t most = std::min(static_cast<std::size_t>(degree) + 1, known_ - age);
  while (points < most && !sample(age + points - 1).first) ++points;
  double sum = 0;
  for (std::size_t a = 0; a < points; ++a) {
    const Sample& one = sample(age + a);
    double weight = 1;
    for (std::size_t b = 0; b < points; ++b) {
      if (b == a) continue;
      const SimTime other = sample(age + b).t;
      weight *= static_cast<double>((t - other).ns) / static_cast<double>((one.t - other).ns);
    }
    sum += weight * one.y[i];
  }
  return sum;
}

}  // namespace hild::coupled
