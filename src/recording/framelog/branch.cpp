// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/branch.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>

namespace hild::framelog {
namespace {

namespace json = boost::json;

std::optional<std::string_view> text_in(const mcap::Map& map, std::string_view key) {
  const auto found =
      std::ranges::find(map, key, [](const auto& e) { return std::string_view(e.first); });
  if (found == map.end()) return std::nullopt;
  return found->second;
}

std::optional<std::int64_t> number_of(const mcap::Map& map, std::string_view key) {
  const auto text = text_in(map, key);
  std::int64_t n = 0;
  if (!text) return std::nullopt;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), n);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return n;
}

}  // namespace

mcap::Map map_of(const Branch& b) {
  json::array changes;
  for (const std::string& change : b.changes) {
    boost::system::error_code error;
    json::value parsed = json::parse(change, error);
    changes.push_back(error ? json::value(change) : std::move(parsed));
  }
  return {{"file", b.file},
          {"start_ns", std::to_string(b.start_ns)},
          {"step", std::to_string(b.step)},
          {"frame", std::to_string(b.frame)},
          {"t_ns", std::to_string(b.time.ns)},
          {"begins_at", std::to_string(b.begins_at)},
          {"changes", json::serialize(changes)}};
}

std::optional<Branch> branch_of(const mcap::Map& map) {
  const auto file = text_in(map, "file");
  const auto start = number_of(map, "start_ns");
  const auto step = number_of(map, "step");
  const auto frame = number_of(map, "frame");
  const auto time = number_of(map, "t_ns");
  const auto begins = number_of(map, "begins_at");
  const auto changes = text_in(map, "changes");
  if (!file || !start || !step || !frame || !time || !begins || !changes) return std::nullopt;
  boost::system::error_code error;
  const json::value parsed = json::parse({changes->data(), changes->size()}, error);
  if (error || !parsed.is_array()) return std::nullopt;
  Branch b{std::string(*file), *start, *step, *frame, {*time}, *begins, {}};
  b.changes.reserve(parsed.get_array().size());
  for (const json::value& one : parsed.get_array()) b.changes.push_back(json::serialize(one));
  return b;
}

}  // namespace hild::framelog
