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
  return std::ranges::any_of(order, [&](LogPart part) { return word == group_of(part); });
}

}  // namespace

std::string_view kind_of(LogPart part) noexcept {
  const std::string_view group = group_of(part);
  return part == LogPart::timing ? group : group.substr(0, group.size() - 1);
}

Result<std::vector<Chosen>> choose(const framelog::LogHead& head,
                                   const std::vector<std::string>& words) {
  std::array<std::vector<bool>, order.size()> wanted;
  std::vector<bool> used(words.size(), false);
  for (std::size_t g = 0; g < order.size(); ++g) {
    const auto& columns = head.columns[static_cast<std::size_t>(order[g])];
    const bool asked_for = order[g] == LogPart::timing || order[g] == LogPart::counts;
    wanted[g].assign(columns.size(), words.empty() && !asked_for);
    for (std::size_t w = 0; w < words.size(); ++w) {
      for (std::size_t i = 0; i < columns.size(); ++i) {
        const std::string& name = columns[i].name;
        const bool hit = words[w] == group_of(order[g]) ||
                         (words[w] == name && order[g] != LogPart::counts && !is_group(words[w])) ||
                         words[w] == fmt::format("{}.{}", group_of(order[g]), name) ||
                         words[w] == fmt::format("{}.{}", kind_of(order[g]), name);
        if (!hit) continue;
        used[w] = true;
        wanted[g][i] = true;
      }
    }
  }
  if (const auto unused = std::ranges::find(used, false); unused != used.end()) {
    std::string known;
    for (const LogPart part : order) {
      for (const auto& column : head.columns[static_cast<std::size_t>(part)]) {
        known += fmt::format("{}{}.{}", known.empty() ? "" : ", ", group_of(part), column.name);
      }
    }
    return fail("--signals {}: this log has no such signal; expected some of {}",
                words[static_cast<std::size_t>(unused - used.begin())],
                known.empty() ? "none" : known);
  }
  std::vector<Chosen> chosen;
  for (std::size_t g = 0; g < order.size(); ++g) {
    Chosen one{.part = order[g], .columns = {}, .names = {}};
    for (std::size_t i = 0; i < wanted[g].size(); ++i) {
      if (!wanted[g][i]) continue;
      one.columns.push_back(i);
      one.names.push_back(head.columns[static_cast<std::size_t>(order[g])][i]);
    }
    if (!one.columns.empty()) chosen.push_back(std::move(one));
  }
  return chosen;
}

}  // namespace hild::convert
