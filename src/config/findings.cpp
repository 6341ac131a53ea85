// SPDX-License-Identifier: Apache-2.0
#include "config/findings.hpp"

#include <algorithm>
#include <map>

namespace hild::config {

void Findings::add(const ConfigError& refused) {
  if (refused.follows) return;
  const auto same = [&](const ConfigError& e) { return e.error.message == refused.error.message; };
  if (std::ranges::none_of(errors_, same)) errors_.push_back(refused);
}

Error Findings::all() const {
  std::vector<ConfigError> sorted = errors_;
  std::map<const Source*, std::size_t> files;  // in the order in which they were met
  for (const ConfigError& e : errors_) files.try_emplace(e.place.source.get(), files.size());
  std::ranges::stable_sort(sorted, {}, [&](const ConfigError& e) {
    return std::pair(files.at(e.place.source.get()), e.place.line);
  });
  Error all = sorted.front().error;
  const std::size_t told = std::min(sorted.size(), most_told);
  for (std::size_t i = 1; i < told; ++i) {
    all.message += "\n" + sorted[i].error.message;
    if (sorted[i].error.code != all.code) all.code = ExitCode::usage;
  }
  if (told < sorted.size()) {
    all.message += fmt::format("\nand {} more errors", sorted.size() - told);
  }
  return all;
}

}  // namespace hild::config
