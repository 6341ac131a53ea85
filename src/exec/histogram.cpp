// SPDX-License-Identifier: Apache-2.0
#include "exec/histogram.hpp"

#include <algorithm>
#include <cmath>

namespace hild::exec {

std::int64_t Histogram::count() const noexcept {
  std::int64_t n = 0;
  for (const auto& bucket : buckets_) n += bucket.get();
  return n;
}

Duration Histogram::min() const noexcept {
  return {buckets_[0].get() > 0 || max().ns == 0 ? 0 : min_.get()};
}

Duration Histogram::mean() const noexcept {
  const std::int64_t n = count();
  return n > 0 ? sum() / n : Duration{};
}

Duration Histogram::quantile(double q) const noexcept {
  const auto wanted = static_cast<std::int64_t>(std::ceil(q * static_cast<double>(count())));
  std::int64_t seen = 0;
  for (std::size_t i = 0; i < size; ++i) {
    seen += buckets_[i].get();
    if (seen >= wanted && seen > 0) return std::clamp(Duration{upper(i)}, min(), max());
  }
  return max();
}

std::int64_t Histogram::between(Duration low, Duration high) const noexcept {
  std::int64_t n = 0;
  for (std::size_t i = index(std::max<std::int64_t>(low.ns, 0)); i < size; ++i) {
    if (upper(i) >= high.ns) break;
    n += buckets_[i].get();
  }
  return n;
}

}  // namespace hild::exec
