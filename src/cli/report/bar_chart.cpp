// SPDX-License-Identifier: Apache-2.0
#include "cli/report/bar_chart.hpp"

#include <fmt/format.h>

#include <algorithm>

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

std::string bar_chart(std::span<const Bin> bins, const Style& style) {
  std::int64_t total = 0;
  std::int64_t most = 0;
  for (const Bin& bin : bins) {
    total += bin.count;
    most = std::max(most, bin.count);
  }
  if (total == 0) return {};
  const int ends = columns(grouped(bins.back().high.ns / 1000));
  const int counts = std::max(columns(grouped(most)), 5);
  const int room = std::clamp(style.width - 2 * ends - counts - 22, 8, 40);
  std::string out;
  for (const Bin& bin : bins) {
    const double share = static_cast<double>(bin.count) / static_cast<double>(total);
    const double length = static_cast<double>(bin.count) / static_cast<double>(most);
    const std::string line =
        fmt::format("   {:>{}} .. {:>{}} us {:>{}} {:6.2f} %  {}", grouped(bin.low.ns / 1000), ends,
                    grouped(bin.high.ns / 1000), ends, grouped(bin.count), counts, 100 * share,
                    painted(bar(length, room, style), Colour::cyan, style));
    out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
  }
  return out;
}

}  // namespace hild::report
