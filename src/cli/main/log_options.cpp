// SPDX-License-Identifier: Apache-2.0
#include "cli/main/log_options.hpp"

#include <fmt/format.h>

namespace hild::commands {

void add_range(CLI::App& command, std::string& from, std::string& to) {
  add_option(command, "--from", from, "TIME", "leave out what is before this simulated time");
  add_option(command, "--to", to, "TIME", "leave out what is after it");
}

framelog::ReadOptions range_of(const std::string& from, const std::string& to) {
  framelog::ReadOptions range;
  if (!from.empty()) range.from = seconds_of("--from", from);
  if (!to.empty()) range.to = seconds_of("--to", to);
  if (range.from <= range.to) return range;
  throw Error{fmt::format("--from {} --to {}: expected a time before", from, to)};
}

}  // namespace hild::commands
