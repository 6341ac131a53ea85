// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/description.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>

namespace hild::framelog {
namespace {

std::int64_t number(std::string_view text) {
  std::int64_t n = 0;
  std::from_chars(text.data(), text.data() + text.size(), n);
  return n;
}

/// "1000000000/3000" ns.
Grid read_grid(std::string_view text, const Grid& otherwise) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  const std::int64_t num = number(text.substr(0, slash));
  const std::int64_t den = slash == text.size() ? 1 : number(text.substr(slash + 1));
  return Grid::valid(num, den) ? Grid(num, den) : otherwise;
}

}  // namespace

MonoTime ClockBase::monotonic_of(std::uint64_t log_time) const noexcept {
  // Modulo 2^64, as neither number need be sane.
  return {static_cast<std::int64_t>(log_time - static_cast<std::uint64_t>(realtime_ns) +
                                    static_cast<std::uint64_t>(monotonic.ns))};
}

std::string_view value_of(const mcap::Map& map, std::string_view key) {
  const auto found =
      std::ranges::find(map, key, [](const auto& e) { return std::string_view(e.first); });
  return found == map.end() ? std::string_view() : std::string_view(found->second);
}

std::vector<std::string> listed(std::string_view value) {
  std::vector<std::string> all;
  while (!value.empty()) {
    const std::size_t end = std::min(value.find(", "), value.size());
    all.emplace_back(value.substr(0, end));
    value.remove_prefix(std::min(end + 2, value.size()));
  }
  return all;
}

std::string file_fingerprint(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fmt::format("cannot be read: {}", std::strerror(errno));
  std::array<char, 1 << 16> part{};
  std::uint64_t size = 0;
  std::uint32_t crc = 0;
  while (file.read(part.data(), part.size()), file.gcount() > 0) {
    const auto n = static_cast<std::size_t>(file.gcount());
    crc = mcap::crc32(std::as_bytes(std::span(part.data(), n)), crc);
    size += n;
  }
  return fmt::format("{} bytes, CRC-32 {:08x}", size, crc);
}

std::vector<mcap::Metadata> metadata_of(const Description& d) {
  std::vector<mcap::Metadata> all{
      {std::string(meta_format),
       {{"format", std::to_string(format_version)},
        {"semantics", std::to_string(semantics_version)}}},
      {std::string(meta_run), d.run},
      {std::string(meta_build), d.build},
      {std::string(meta_machine), d.machine},
      {std::string(meta_clock),
       {{"monotonic_ns", std::to_string(d.clock.monotonic.ns)},
        {"realtime_ns", std::to_string(d.clock.realtime_ns)},
        {"frame_ns", fmt::format("{}/{}", d.clock.grid.numerator(), d.clock.grid.denominator())}}},
  };
  if (d.clock.tai_ahead) {
    all.back().values.emplace_back("tai_ahead_ns", std::to_string(d.clock.tai_ahead->ns));
  }
  if (!d.models.empty()) all.push_back({std::string(meta_models), d.models});
  if (d.branch) all.push_back({std::string(meta_branch), map_of(*d.branch)});
  return all;
}

std::vector<mcap::Attachment> attachments_of(const Description& d) {
  const std::uint64_t at = d.clock.log_time(d.clock.monotonic);
  const auto yaml = [&](std::string name, const std::string& text) {
    return mcap::Attachment{at, at, std::move(name), "application/yaml", text};
  };
  std::vector<mcap::Attachment> all{yaml(std::string(config_attachment), d.config)};
  for (const auto& [name, text] : d.sources) {
    all.push_back(yaml(std::string(source_prefix) + name, text));
  }
  all.insert(all.end(), d.attachments.begin(), d.attachments.end());
  return all;
}

void take(const mcap::Metadata& metadata, Description& d) {
  if (metadata.name == meta_run) d.run = metadata.values;
  if (metadata.name == meta_build) d.build = metadata.values;
  if (metadata.name == meta_machine) d.machine = metadata.values;
  if (metadata.name == meta_models) d.models = metadata.values;
  if (metadata.name == meta_branch) d.branch = branch_of(metadata.values);
  if (metadata.name == meta_clock) {
    d.clock.monotonic.ns = number(value_of(metadata.values, "monotonic_ns"));
    d.clock.realtime_ns = number(value_of(metadata.values, "realtime_ns"));
    d.clock.grid = read_grid(value_of(metadata.values, "frame_ns"), d.clock.grid);
    const std::string_view ahead = value_of(metadata.values, "tai_ahead_ns");
    if (!ahead.empty()) d.clock.tai_ahead = Duration{number(ahead)};
  }
}

void take(const mcap::Attachment& attachment, Description& d) {
  if (attachment.name == config_attachment) {
    d.config = attachment.data;
  } else if (attachment.name.starts_with(source_prefix)) {
    d.sources.push_back({attachment.name.substr(source_prefix.size()), attachment.data});
  } else {
    d.attachments.push_back(attachment);
  }
}

}  // namespace hild::framelog
