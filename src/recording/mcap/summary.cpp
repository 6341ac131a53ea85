// SPDX-License-Identifier: Apache-2.0
#include "recording/mcap/summary.hpp"

#include <algorithm>
#include <array>

#include "recording/mcap/fields.hpp"
#include "recording/mcap/records.hpp"

namespace hild::mcap {
namespace {

template <class Records>
std::string text_of(const Records& by_id) {
  std::string text;
  for (const auto& [id, record] : by_id) append(text, record);
  return text;
}

}  // namespace

void Pieces::add(std::string_view record) {
  if (pieces_.empty() || pieces_.back().size() + record.size() > pieces_.back().capacity()) {
    pieces_.emplace_back().reserve(std::max(piece, record.size()));
  }
  pieces_.back() += record;
}

void Summary::add(const Chunk& chunk, std::string_view index) {
  chunk_indexes_.add(index);
  ++chunk_count_;
  messages_ += chunk.messages();
  start_ = std::min(start_, chunk.start());
  latest_ = std::max(latest_, chunk.end());
  for (std::size_t id = 0; id < chunk.index().size(); ++id) {
    const std::size_t n = chunk.index()[id].size();
    if (n > 0) counts_[static_cast<std::uint16_t>(id)] += n;
  }
}

void Summary::add(const Attachment& a, std::uint64_t at, std::uint64_t length) {
  Encoder(attachments_)
      .record(Opcode::attachment_index, at, length, a.log_time, a.create_time,
              std::uint64_t{a.data.size()}, a.name, a.media_type);
  ++attachment_count_;
}

void Summary::add(const Metadata& metadata, std::uint64_t at, std::uint64_t length) {
  Encoder(metadata_).record(Opcode::metadata_index, at, length, metadata.name);
  ++metadata_count_;
}

std::string Summary::statistics() const {
  std::string text;
  Encoder(text).record(Opcode::statistics, messages_, static_cast<std::uint16_t>(schemas_.size()),
                       static_cast<std::uint32_t>(channels_.size()), attachment_count_,
                       metadata_count_, chunk_count_, messages_ > 0 ? start_ : 0, latest_, counts_);
  return text;
}

// The end of the data, the groups by opcode, where each of them is, the footer.
Result<void> Summary::write(CountedOutput& output) const {
  std::string data_end;
  Encoder(data_end).record(Opcode::data_end, output.crc());
  const std::string schemas = text_of(schemas_);
  const std::string channels = text_of(channels_);
  const std::string counted = statistics();
  using Group = std::vector<std::string_view>;
  const std::array<std::pair<Opcode, Group>, 6> groups{{
      {Opcode::schema, {schemas}},
      {Opcode::channel, {channels}},
      {Opcode::statistics, {counted}},
      {Opcode::chunk_index, {chunk_indexes_.all().begin(), chunk_indexes_.all().end()}},
      {Opcode::attachment_index, {attachments_}},
      {Opcode::metadata_index, {metadata_}},
  }};
  const std::uint64_t start = output.end() + data_end.size();
  std::uint64_t end = start;
  std::uint32_t crc = 0;
  std::vector<std::string_view> parts{data_end};
  std::string offsets;
  Encoder to(offsets);
  for (const auto& [opcode, group] : groups) {
    const std::uint64_t begin = end;
    for (const std::string_view part : group) {
      parts.push_back(part);
      end += part.size();
      crc = crc32(bytes_of(part), crc);
    }
    if (end > begin) to.record(Opcode::summary_offset, opcode, begin, end - begin);
  }
  to.begin_record(Opcode::footer, sizeof crc, start, end);
  to.add(crc32(bytes_of(offsets), crc));
  offsets += magic;
  parts.push_back(offsets);
  return output.append(parts);
}

}  // namespace hild::mcap
