// SPDX-License-Identifier: Apache-2.0
#include "recording/convert/selection.hpp"

#include <algorithm>
#include <array>

namespace hild::convert {
namespace {

using framelog::LogPart;

constexpr std::array order{LogPart::inputs, LogPart::states, LogPart::outputs, LogPart::timing,
                           LogPart::counts};

std::string_view group_of(LogPart part) { return framelog::to_string(part); }

bool is_group(std::string_view word) {
  return std::ranges::find(order, word, group_of) != order.end();
}

// Whether a word names the signal: by its stream, by its own name (not that of a count), or both.
bool names(const std::string& word, LogPart part, const std::string& signal) {
  return word == group_of(part) || (word == signal && part != LogPart::counts && !is_group(word)) ||
         word == fmt::format("{}.{}", group_of(part), signal) ||
         word == fmt::format("{}.{}", kind_of(part), signal);
}

}  // namespace

std::string_view kind_of(LogPart part) noexcept {
  const std::string_view group = group_of(part);
  return part == LogPart::timing ? group : group.substr(0, group.size() - 1);
}

Result<std::vector<Chosen>> choose(const framelog::LogHead& head,
                                   const std::vector<std::string>& words, Unasked unasked) {
  std::vector<bool> used(words.size(), false);
  std::string known;
  std::vector<Chosen> chosen;
  for (const LogPart part : order) {
    const bool usual =
        unasked == Unasked::all || (part != LogPart::timing && part != LogPart::counts);
    const auto& columns = head.columns[static_cast<std::size_t>(part)];
    Chosen one{.part = part, .columns = {}, .names = {}};
    for (std::size_t i = 0; i < columns.size(); ++i) {
      bool wanted = words.empty() && usual;
      for (std::size_t w = 0; w < words.size(); ++w) {
        if (names(words[w], part, columns[i].name)) wanted = used[w] = true;
      }
      known += fmt::format("{}{}.{}", known.empty() ? "" : ", ", group_of(part), columns[i].name);
      if (!wanted) continue;
      one.columns.push_back(i);
      one.names.push_back(columns[i]);
    }
    if (!one.columns.empty()) chosen.push_back(std::move(one));
  }
  if (const auto unused = std::ranges::find(used, false); unused != used.end()) {
    return fail("--signals {}: this log has no such signal; expected some of {}",
                words[static_cast<std::size_t>(unused - used.begin())],
                known.empty() ? "none" : known);
  }
  return chosen;
}

}  // namespace hild::convert
