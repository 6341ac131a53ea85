// SPDX-License-Identifier: Apache-2.0
#include "cli/main/log_options.hpp"

#include "hild/core/units.hpp"

namespace hild::commands {
namespace {

Result<void> read(std::string_view option, const std::string& text, double& bound) {
  if (text.empty()) return {};
  const auto split = split_quantity(text);
  if (!split) return fail("{} {}: expected seconds, or a time such as `500 ms`", option, text);
  const auto value = split->unit.empty() ? Result<double>(split->number) : quantity(text, "s");
  if (!value) return fail("{} {}: {}", option, text, value.error().message);
  bound = *value;
  return {};
}

}  // namespace

void add_range(CLI::App& command, std::string& from, std::string& to) {
  command.add_option("--from", from, "leave out what is before this simulated time")
      ->type_name("TIME");
  command.add_option("--to", to, "leave out what is after it")->type_name("TIME");
}

Result<framelog::ReadOptions> range_of(const std::string& from, const std::string& to) {
  framelog::ReadOptions range;
  if (auto good = read("--from", from, range.from); !good) return tl::make_unexpected(good.error());
  if (auto good = read("--to", to, range.to); !good) return tl::make_unexpected(good.error());
  if (range.from > range.to) return fail("--from {} --to {}: expected a time before", from, to);
  return range;
}

}  // namespace hild::commands
