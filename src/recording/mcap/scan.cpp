// SPDX-License-Identifier: Apache-2.0
#include "recording/mcap/scan.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "recording/mcap/crc32.hpp"
#include "recording/mcap/decoder.hpp"
#include "recording/mcap/records.hpp"
#include "recording/mcap/scanner.hpp"
#include "recording/mcap/zstd.hpp"

namespace hild::mcap {
namespace {

bool is(std::uint8_t opcode, Opcode known) { return opcode == static_cast<std::uint8_t>(known); }

}  // namespace

Result<Scan> scan(ByteSource& source, Visitor& visitor, ScanOptions options) {
  try {
    return Scanner(source, visitor, options).run();
  } catch (const Unreadable& end) {
    return tl::make_unexpected(end.error);
  }
}

Result<Scan> Scanner::run() {
  check_magic();
  if (options_.summary) preload_summary();
  at_ = suspect_from_ = scan_.end_whole = magic.size();
  while (!finished_) {
    if (!visitor_.go_on(at_)) {
      scan_.stopped = true;
      break;
    }
    const auto record = next();
    if (record && passes_over(*record)) continue;
    if ((!record || !take(*record)) && !resync()) break;
  }
  return std::move(scan_);
}

void Scanner::check_magic() {
  const std::uint64_t size = source_.size();
  const Bytes start = load(0, std::min<std::uint64_t>(size, magic.size()));
  if (!start.empty() && std::memcmp(start.data(), magic.data(), start.size()) != 0) {
    throw Unreadable{{"not an MCAP file: it does not begin with the format's magic bytes"}};
  }
  if (start.size() < magic.size()) throw Unreadable{{"the file is empty, or was cut at once"}};
}

bool Scanner::passes_over(const Record& record) {
  const bool of_chunk =
      is(record.opcode, Opcode::chunk) || is(record.opcode, Opcode::message_index);
  if (options_.only == nullptr || !of_chunk) return false;
  const auto wanted = std::ranges::lower_bound(*options_.only, record.offset);
  finished_ = wanted == options_.only->end();
  if (finished_ || *wanted == record.offset) return finished_;
  at_ = suspect_from_ = std::min(*wanted, scan_.bytes);
  return true;
}

// The record at the present place, when there can be one.
std::optional<Scanner::Record> Scanner::next() {
  Record record{.offset = at_};
  const std::uint64_t left = scan_.bytes - at_;
  if (left < head_bytes) return std::nullopt;
  Decoder from(load(at_, head_bytes));
  record.opcode = from.number<std::uint8_t>();
  record.bytes = from.number<std::uint64_t>();
  const bool known =
      record.opcode >= 1 && record.opcode <= static_cast<std::uint8_t>(Opcode::data_end);
  if (!known && record.opcode < first_private_opcode) return std::nullopt;
  if (record.bytes > left - head_bytes) return std::nullopt;
  return record;
}

bool Scanner::take(const Record& record) {
  if (const auto chunk = chunk_within(record)) {
    damage(record.offset, *chunk - record.offset, "a record that reaches beyond the next chunk");
    at_ = suspect_from_ = *chunk;
    return true;
  }
  const bool chunk = is(record.opcode, Opcode::chunk);
  if (chunk) {
    if (std::exchange(ended_, false)) {
      damage(record.offset, 0, "a chunk after what looked like the end of the data section");
    }
    if (!take_chunk(record)) return false;
  }
  const bool last = scan_.bytes - record.offset == footer_bytes + magic.size();
  if (is(record.opcode, Opcode::footer) && !last && !ended_) return false;
  at_ = record.end();
  if (is(record.opcode, Opcode::footer)) {
    take_footer(record);
    return true;
  }
  if (ended_) return true;  // the summary repeats what was read
  if (!chunk && !is(record.opcode, Opcode::message_index) && record.opcode < first_private_opcode) {
    if (record.bytes > largest_loaded) {
      damage(record.offset, record.end() - record.offset, "a record too large to be read");
    } else {
      take_content(record, load(record.content(), record.bytes));
    }
  }
  if (!ended_) scan_.end_whole = at_;
  return true;
}

void Scanner::take_content(const Record& record, Bytes content) {
  bool intact = true;
  bool good = true;
  const auto give = [&](const auto& found, auto call) {
    good = found.has_value();
    if (good) (visitor_.*call)(*found);
  };
  switch (static_cast<Opcode>(record.opcode)) {
    case Opcode::header:
      give(read_header(content), &Visitor::header);
      break;
    case Opcode::schema:
      give(read_schema(content), &Visitor::schema);
      break;
    case Opcode::channel:
      give(read_channel(content), &Visitor::channel);
      break;
    case Opcode::message:
      good = scan_.chunks == 0 && chunks_.empty();  // all of them are in chunks, or none
      if (good) give(read_message(content), &Visitor::message);
      break;
    case Opcode::metadata:
      give(read_metadata(content), &Visitor::metadata);
      break;
    case Opcode::attachment: {
      const auto found = read_attachment(content, intact);
      good = found.has_value();
      if (!good || !intact) break;
      suspect_from_ = record.end();
      visitor_.attachment(*found);
      break;
    }
    case Opcode::data_end:
      return take_data_end(record, content);
    default:
      good = false;  // of the summary, and out of place
  }
  const std::uint64_t bytes = record.end() - record.offset;
  if (!good) damage(record.offset, bytes, "a record that is not what it should be");
  if (!intact) damage(record.offset, bytes, "an attachment whose checksum is wrong");
}

// ---- chunks ------------------------------------------------------------------------------------

// The next chunk by the summary, when the record would pass over it.
std::optional<std::uint64_t> Scanner::chunk_within(const Record& record) {
  while (!chunks_.empty() && chunks_.back() <= record.offset) chunks_.pop_back();
  if (chunks_.empty() || chunks_.back() >= record.end()) return std::nullopt;
  return chunks_.back();
}

// False where its lengths contradict each other, so that nothing is known of its end.
bool Scanner::take_chunk(const Record& record) {
  const std::uint64_t whole = record.end() - record.offset;
  auto head = read_chunk_head(
      load(record.content(), std::min<std::uint64_t>(record.bytes, plain_chunk_head + 64)));
  if (!head || head->bytes > record.bytes || head->bytes > largest_loaded ||
      record.bytes - head->bytes != plain_chunk_head + head->compression.size()) {
    return false;
  }
  const bool plain = head->compression.empty();
  if (plain && head->uncompressed_bytes != head->bytes) return false;
  if (head->uncompressed_bytes > (plain ? largest_loaded : largest_expanded)) return false;
  suspect_from_ = record.end();
  head->offset = record.offset;
  if (!plain && head->compression != zstd_name) {
    damage(record.offset, whole,
           fmt::format("a chunk compressed by {:?}, which is not read", head->compression));
    return true;
  }
  if (!visitor_.wants(*head, channels_after(record.end()))) {
    ++scan_.chunks;
    return true;
  }
  const auto records = records_of(*head, record.end() - head->bytes);
  if (!records) {
    damage(record.offset, whole, "a chunk whose compressed records are broken");
    return true;
  }
  if (head->crc != 0 && crc32(*records) != head->crc) {
    damage(record.offset, whole, "a chunk whose checksum is wrong");
    return true;
  }
  ++scan_.chunks;
  take_records(record, *head, *records);
  return true;
}

// Those of the chunk that stores them at `offset`, as they were before they were compressed.
std::optional<Scanner::Bytes> Scanner::records_of(const ChunkHead& head, std::uint64_t offset) {
  if (chunk_.size() < head.bytes) chunk_.resize(head.bytes);
  const auto stored = std::span(chunk_).first(head.bytes);
  if (auto read = source_.read(offset, stored); !read) throw Unreadable{read.error()};
  if (head.compression.empty()) return stored;
  if (expanded_.size() < head.uncompressed_bytes) expanded_.resize(head.uncompressed_bytes);
  const auto records = std::span(expanded_).first(head.uncompressed_bytes);
  if (!expand(stored, records)) return std::nullopt;
  return records;
}

void Scanner::take_records(const Record& chunk, const ChunkHead& head, Bytes records) {
  Decoder from(records);
  while (from.left() > 0) {
    // Within a compressed chunk nothing has a place of its own.
    const std::uint64_t at = head.compression.empty() ? chunk.end() - from.left() : chunk.offset;
    const auto opcode = from.number<std::uint8_t>();
    const Bytes content = from.bytes(from.number<std::uint64_t>());
    if (!from.good() || !take_inner(opcode, content, head)) {
      damage(at, chunk.end() - at, "a record within a chunk that is not what it should be");
      break;
    }
  }
  visitor_.chunk_end();
}

bool Scanner::take_inner(std::uint8_t opcode, Bytes content, const ChunkHead& head) {
  if (is(opcode, Opcode::message)) {
    const auto message = read_message(content);
    if (!message || message->log_time < head.start || message->log_time > head.end) return false;
    visitor_.message(*message);
    return true;
  }
  if (is(opcode, Opcode::schema)) {
    const auto schema = read_schema(content);
    if (schema) visitor_.schema(*schema);
    return schema.has_value();
  }
  if (is(opcode, Opcode::channel)) {
    const auto channel = read_channel(content);
    if (channel) visitor_.channel(*channel);
    return channel.has_value();
  }
  return opcode >= first_private_opcode;
}

// Of which channels the chunk before has messages, as the indexes behind it tell; none when they
// do not, as where the file ends.
std::vector<std::uint16_t> Scanner::channels_after(std::uint64_t offset) {
  std::vector<std::uint16_t> channels;
  while (scan_.bytes - offset >= head_bytes + 2) {
    Decoder from(load(offset, head_bytes + 2));
    if (!is(from.number<std::uint8_t>(), Opcode::message_index)) return channels;
    const auto bytes = from.number<std::uint64_t>();
    if (bytes > scan_.bytes - offset - head_bytes) return {};
    channels.push_back(from.number<std::uint16_t>());
    offset += head_bytes + bytes;
  }
  return {};
}

// ---- the end -----------------------------------------------------------------------------------

void Scanner::take_data_end(const Record& record, Bytes content) {
  ended_ = true;
  Decoder from(content);
  const auto crc = from.number<std::uint32_t>();
  if (!from.good()) return damage(record.offset, content.size(), "a cut end of the data section");
  if (!options_.verify || crc == 0) return;
  checksum_until(record.offset);
  if (crc_ != crc && scan_.damage_count == 0) {
    damage(0, 0, "the checksum of the data section is wrong, though that of each chunk is right");
  }
}

void Scanner::take_footer(const Record& record) {
  finished_ = true;
  const std::uint64_t tail = scan_.bytes - record.offset;
  if (!ended_) damage(record.offset, tail, "a footer without an end of the data section before it");
  if (record.bytes + head_bytes != footer_bytes || tail != footer_bytes + magic.size()) {
    return damage(record.offset, tail, "a footer that is not at the end of the file");
  }
  const Bytes end = load(record.end(), magic.size());
  if (std::memcmp(end.data(), magic.data(), magic.size()) != 0) {
    return damage(record.end(), magic.size(), "other bytes than the magic at the end");
  }
  scan_.complete = true;
}

// ---- bytes -------------------------------------------------------------------------------------

Scanner::Bytes Scanner::load(std::uint64_t offset, std::uint64_t bytes) {
  if (buffer_.size() < bytes) buffer_.resize(bytes);
  const auto part = std::span(buffer_).first(bytes);
  if (auto read = source_.read(offset, part); !read) throw Unreadable{read.error()};
  return part;
}

void Scanner::damage(std::uint64_t offset, std::uint64_t bytes, std::string what) {
  if (++scan_.damage_count > most_damages) return;
  scan_.damages.push_back({offset, bytes, std::move(what)});
}

void Scanner::checksum_until(std::uint64_t end) {
  constexpr std::uint64_t block = 1U << 20U;
  while (summed_ < end) {
    const Bytes part = load(summed_, std::min(block, end - summed_));
    crc_ = crc32(part, crc_);
    summed_ += part.size();
  }
}

}  // namespace hild::mcap
