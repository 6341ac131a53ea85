// SPDX-License-Identifier: Apache-2.0
#include "recording/record/tally.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "recording/record/words.hpp"

namespace hild::record {
namespace {

// "device 300, pass 12": the most frequent first.
std::string causes(const std::array<std::int64_t, io::cause_count>& by_cause) {
  std::vector<std::size_t> seen;
  for (std::size_t c = 0; c < io::cause_count; ++c) {
    if (by_cause[c] > 0) seen.push_back(c);
  }
  std::ranges::stable_sort(seen, std::greater{}, [&](std::size_t c) { return by_cause[c]; });
  std::vector<std::string> parts;
  parts.reserve(seen.size());
  for (const std::size_t c : seen) {
    parts.push_back(fmt::format("{} {}", in_words(static_cast<io::Cause>(c)), by_cause[c]));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

void Tally::overrun(const io::FrameHeader& h) noexcept {
  ++overruns;
  ++by_cause[static_cast<std::size_t>(h.cause)];
  worst = std::max(worst, h.lateness);
}

std::string Tally::line(Duration within) const {
  std::vector<std::string> parts;
  const auto part = [&parts](std::int64_t n, std::string_view one, std::string_view many) {
    if (n == 0) return;
    parts.push_back(fmt::format("{} {}{}", n, parts.empty() ? "more " : "", n == 1 ? one : many));
  };
  part(overruns, "overrun", "overruns");
  part(late_wakes, "late wake", "late wakes");
  part(slips, "slipped frame", "slipped frames");
  part(capped, "step cut short", "steps cut short");
  part(recoveries, "recovery", "recoveries");
  std::string text = fmt::format("and {} in {:.1f} s", fmt::join(parts, ", "), seconds(within));
  if (overruns > 0) {
    text += fmt::format(": {}; worst +{}", causes(by_cause), in_words(worst));
  }
  return text;
}

}  // namespace hild::record
