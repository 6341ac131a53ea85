// SPDX-License-Identifier: Apache-2.0
#include "config/dashboard_file.hpp"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <boost/json/stream_parser.hpp>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace hild::config {
namespace {

namespace json = boost::json;

constexpr std::size_t most_tiles = 100;  // as in page/tile_kinds.js
constexpr std::size_t deepest = 8;

std::string in_short(const json::value& value) {
  constexpr std::size_t longest = 60;
  return json::serialize(value).substr(0, longest);
}

Result<json::value> parse_layout(const std::string& path, const std::string& text) {
  json::parse_options options;
  options.max_depth = deepest;
  json::stream_parser parser({}, options);
  json::error_code error;
  std::size_t read = parser.write_some(text.data(), text.size(), error);
  if (!error && read == text.size()) parser.finish(error);
  if (!error && read == text.size()) return parser.release();
  read = std::min(read, text.size());
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(read), '\n');
  return fail("{}:{}: {}, expected JSON, {{\"version\": {}, \"tiles\": [...]}}", path, line,
              error ? error.message() : "more follows after the end of it", dashboard_version);
}

}  // namespace

bool is_dashboard_name(std::string_view name) {
  const auto good = [](unsigned char c) {
    return (std::isalnum(c) != 0 && c < 0x80) || c == ' ' || c == '-' || c == '_' || c == '.';
  };
  return !name.empty() && name.size() <= longest_dashboard_name && name.front() != '.' &&
         name.front() != ' ' && name.back() != ' ' && std::ranges::all_of(name, good);
}

std::string wrong_with_layout(const json::value& layout) {
  if (!layout.is_object()) return "expected an object {version, tiles}";
  const json::object& o = layout.as_object();
  const json::value* const version = o.if_contains("version");
  if (version == nullptr || *version != json::value(dashboard_version)) {
    return fmt::format("version: found {}, expected {}",
                       version == nullptr ? "none" : in_short(*version), dashboard_version);
  }
  const json::value* const tiles = o.if_contains("tiles");
  if (tiles == nullptr || !tiles->is_array() || tiles->as_array().size() > most_tiles) {
    return fmt::format("tiles: expected a list of {} tiles at most", most_tiles);
  }
  for (const auto& [key, value] : o) {
    if (key != "version" && key != "tiles") {
      return fmt::format("found {}, expected version and tiles", in_short(json::value(key)));
    }
  }
  return {};
}

Result<std::string> read_dashboard_file(const std::string& path) {
  std::error_code none;
  if (std::filesystem::exists(path, none) && !std::filesystem::is_regular_file(path, none)) {
    return fail("{}: not a file", path);  // a pipe would be waited for
  }
  std::ifstream in(path, std::ios::binary);
  if (!in.is_open()) {
    return fail("{}: {}, expected a dashboard in JSON, as `hildctl dashboard NAME` prints it", path,
                std::strerror(errno));
  }
  std::string text(most_dashboard_bytes + 1, '\0');
  in.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (in.bad()) return fail("{}: {}", path, std::strerror(errno));
  text.resize(static_cast<std::size_t>(in.gcount()));
  if (text.size() > most_dashboard_bytes) {
    return fail("{}: more than {} bytes: make it of fewer tiles", path, most_dashboard_bytes);
  }
  auto layout = parse_layout(path, text);
  if (!layout) return tl::make_unexpected(layout.error());
  const std::string wrong = wrong_with_layout(*layout);
  if (!wrong.empty()) {
    return fail("{}: {}", path, wrong);
  }
  return text;
}

}  // namespace hild::config
