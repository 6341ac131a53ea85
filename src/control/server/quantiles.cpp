// SPDX-License-Identifier: Apache-2.0
#include "control/server/quantiles.hpp"

#include "core/decimal.hpp"

namespace hild::server {

boost::json::object quantiles_us(const exec::Histogram& h) {
  return {{"p50", in_us(h.quantile(0.5))},
          {"p99", in_us(h.quantile(0.99))},
          {"p999", in_us(h.quantile(0.999))},
          {"max", in_us(h.max())}};
}

std::vector<std::pair<std::string, const exec::Histogram*>> histograms_of(
    const exec::Statistics& s) {
  std::vector<std::pair<std::string, const exec::Histogram*>> all{
      {"wake", &s.wake}, {"work", &s.work}, {"margin", &s.margin}, {"lateness", &s.lateness}};
  for (std::size_t p = 0; p < io::phase_count; ++p) {
    all.emplace_back("phase." + std::string(io::to_string(static_cast<io::Phase>(p))),
                     &s.phases[p]);
  }
  return all;
}

std::vector<std::int64_t> counts_between(const exec::Histogram& h,
                                         std::span<const Duration> edges) {
  constexpr Duration all{INT64_MAX};
  std::vector<std::int64_t> counts;
  Duration low{};
  for (const Duration edge : edges) {
    const Duration above = edge + 1_ns;
    counts.push_back(h.between(low, above));
    low = above;
  }
  counts.push_back(h.between(low, all));
  return counts;
}

}  // namespace hild::server
