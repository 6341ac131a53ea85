// SPDX-License-Identifier: Apache-2.0
#include "cli/report/bins.hpp"

namespace hild::report {
namespace {

// 1, 2, 5, 10, 20 ... us
Duration edge_after(Duration edge) {
  std::int64_t decade = 1'000;
  while (edge.ns >= 10 * decade) decade *= 10;
  const std::int64_t digit = edge.ns / decade;
  return {decade * (digit < 2 ? 2 : digit < 5 ? 5 : 10)};
}

}  // namespace

std::vector<Bin> log_bins(const exec::Histogram& histogram) {
  constexpr Duration last = 10'000_s;  // the histogram's last bucket lies before it
  std::vector<Bin> bins;
  const std::int64_t all = histogram.count();
  std::int64_t seen = 0;
  Duration low{};
  for (Duration high = 1_us; seen < all && low < last; high = edge_after(high)) {
    const std::int64_t count = histogram.between(low, high);
    if (count > 0 || seen > 0) bins.push_back({low, high, count});
    seen += count;
    low = high;
  }
  return bins;
}

}  // namespace hild::report
