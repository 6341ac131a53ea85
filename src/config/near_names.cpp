// SPDX-License-Identifier: Apache-2.0
#include "config/near_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "hild/numerics/catalogue.hpp"

namespace hild::config {
namespace {

constexpr std::size_t longest = 64;  ///< longer names are nobody's misspelling

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

std::string quoted(const std::vector<std::string_view>& names) {
  return fmt::format("\"{}\"", fmt::join(names, "\", \""));
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Rows of the usual table: two letters ago, one letter ago, now.
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) now[j] = std::min(now[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, now);
  }
  return last[b.size()];
}

bool near(std::string_view a, std::string_view b) {
  if (a.size() > longest || b.size() > longest || a.empty() || b.empty()) return false;
  return edit_distance(a, b) <= std::max<std::size_t>(1, std::min(a.size(), b.size()) / 3);
}

std::string suggest(std::string_view found, const std::vector<std::string_view>& known) {
  std::vector<std::string_view> close;
  std::ranges::copy_if(known, std::back_inserter(close),
                       [&](std::string_view name) { return near(found, name); });
  if (!close.empty()) return fmt::format("did you mean {}?", quoted(close));
  if (known.empty()) return "expected none here";
  return fmt::format("expected one of: {}", quoted(known));
}

std::vector<std::string_view> method_names() {
  std::vector<std::string_view> names;
  for (const auto* method : numerics::catalogue()) {
    names.push_back(method->name);
    for (const std::string_view alias : method->aliases) {
      if (!alias.empty()) names.push_back(alias);
    }
  }
  return names;
}

}  // namespace hild::config
