// SPDX-License-Identifier: Apache-2.0
#include "recording/mcap/scan.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "recording/mcap/fields.hpp"
#include "recording/mcap/index.hpp"
#include "recording/mcap/records.hpp"
#include "recording/mcap/zstd.hpp"

namespace hild::mcap {
namespace {

// The most bytes that the records of a compressed chunk may be, so that a small file cannot ask for
// more.
constexpr std::uint64_t largest_expanded = 1ULL << 28U;
constexpr std::uint64_t block = 1U << 20U;  // bytes read at once where there is no record

/// Ends a scan; scan() turns it into its error.
struct Unreadable {
  Error error;
};

// Whether the lengths of a chunk, whose content has so many bytes, agree with each other.
bool agrees(const ChunkHead& head, std::uint64_t bytes) {
  return head.bytes <= largest_loaded &&
         bytes == plain_chunk_head + head.compression.size() + head.bytes &&
         (head.compression.empty() ? head.uncompressed_bytes == head.bytes
                                   : head.uncompressed_bytes <= largest_expanded);
}

class Scanner {
 public:
  Scanner(ByteSource& source, Visitor& visitor, ScanOptions options)
      : source_(source), visitor_(visitor), options_(options) {
    scan_.bytes = source.size();
  }

  Scan run() {
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

 private:
  struct Record {
    std::uint64_t offset = 0;
    Opcode opcode{};
    std::uint64_t bytes = 0;  ///< of the content
    [[nodiscard]] std::uint64_t content() const { return offset + head_bytes; }
    [[nodiscard]] std::uint64_t end() const { return content() + bytes; }
    [[nodiscard]] std::uint64_t whole() const { return head_bytes + bytes; }
  };

  void check_magic() {
    const Bytes start = load(0, std::min<std::uint64_t>(source_.size(), magic.size()));
    if (!start.empty() && std::memcmp(start.data(), magic.data(), start.size()) != 0) {
      throw Unreadable{{"not an MCAP file: it does not begin with the format's magic bytes"}};
    }
    if (start.size() < magic.size()) throw Unreadable{{"the file is empty, or was cut at once"}};
  }

  // Goes on to the next chunk that was asked for, where this record is none of them.
  bool passes_over(const Record& record) {
    const bool of_chunk = record.opcode == Opcode::chunk || record.opcode == Opcode::message_index;
    if (options_.only == nullptr || !of_chunk) return false;
    const auto wanted = std::ranges::lower_bound(*options_.only, record.offset);
    finished_ = wanted == options_.only->end();
    if (finished_ || *wanted == record.offset) return finished_;
    at_ = suspect_from_ = std::min(*wanted, scan_.bytes);
    return true;
  }

  // The record at the present place, when there can be one.
  std::optional<Record> next() {
    Record record{.offset = at_};
    const std::uint64_t left = scan_.bytes - at_;
    if (left < head_bytes) return std::nullopt;
    Decoder(load(at_, head_bytes)).take(record.opcode, record.bytes);
    const bool known = record.opcode >= Opcode::header && record.opcode <= Opcode::data_end;
    if (!known && record.opcode < first_private_opcode) return std::nullopt;
    if (record.bytes > left - head_bytes) return std::nullopt;
    return record;
  }

  // Takes a record; false where its lengths cannot be right.
  bool take(const Record& record) {
    if (const auto chunk = chunk_within(record)) {
      damage(record.offset, *chunk - record.offset, "a record that reaches beyond the next chunk");
      at_ = suspect_from_ = *chunk;
      return true;
    }
    const bool chunk = record.opcode == Opcode::chunk;
    if (chunk) {
      if (std::exchange(ended_, false)) {
        damage(record.offset, 0, "a chunk after what looked like the end of the data section");
      }
      if (!take_chunk(record)) return false;
    }
    const bool footer = record.opcode == Opcode::footer;
    const bool last = scan_.bytes - record.offset == footer_bytes + magic.size();
    if (footer && !last && !ended_) return false;
    at_ = record.end();
    if (footer) {
      take_footer(record);
      return true;
    }
    if (ended_) return true;  // the summary repeats what was read
    if (!chunk && record.opcode != Opcode::message_index && record.opcode < first_private_opcode) {
      if (record.bytes > largest_loaded) {
        damage(record.offset, record.whole(), "a record too large to be read");
      } else {
        take_content(record, load(record.content(), record.bytes));
      }
    }
    if (!ended_) scan_.end_whole = at_;
    return true;
  }

  void take_content(const Record& record, Bytes content) {
    if (record.opcode == Opcode::attachment) return take_attachment(record, content);
    if (record.opcode == Opcode::data_end) return take_data_end(record, content);
    // All messages are in chunks, or none.
    const bool in_place =
        record.opcode != Opcode::message || (scan_.chunks == 0 && chunks_.empty());
    if (in_place && give(record.opcode, content)) return;
    damage(record.offset, record.whole(), "a record that is not what it should be");
  }

  // Hands on what a record holds; false where that is not what it should be.
  bool give(Opcode opcode, Bytes content) {
    switch (opcode) {
      case Opcode::header:
        return give(content, &Visitor::header);
      case Opcode::schema:
        return give(content, &Visitor::schema);
      case Opcode::channel:
        return give(content, &Visitor::channel);
      case Opcode::message:
        return give(content, &Visitor::message);
      case Opcode::metadata:
        return give(content, &Visitor::metadata);
      default:  // of the summary, and out of place
        return false;
    }
  }

  template <class Found>
  bool give(Bytes content, void (Visitor::*to)(const Found&)) {
    Found found;
    if (!read(content, found)) return false;
    (visitor_.*to)(found);
    return true;
  }

  void take_attachment(const Record& record, Bytes content) {
    Attachment found;
    bool intact = true;
    if (!read(content, found, intact)) {
      damage(record.offset, record.whole(), "a record that is not what it should be");
    } else if (!intact) {
      damage(record.offset, record.whole(), "an attachment whose checksum is wrong");
    } else {
      suspect_from_ = record.end();
      visitor_.attachment(found);
    }
  }

  // ---- chunks ----------------------------------------------------------------------------------

  // The next chunk by the summary, when the record would pass over it.
  std::optional<std::uint64_t> chunk_within(const Record& record) {
    while (!chunks_.empty() && chunks_.back() <= record.offset) chunks_.pop_back();
    if (chunks_.empty() || chunks_.back() >= record.end()) return std::nullopt;
    return chunks_.back();
  }

  // False where its lengths contradict each other, so that nothing is known of its end.
  bool take_chunk(const Record& record) {
    ChunkHead head;
    const std::uint64_t most = plain_chunk_head + 64;
    if (!read(load(record.content(), std::min(record.bytes, most)), head)) return false;
    if (!agrees(head, record.bytes)) return false;
    suspect_from_ = record.end();
    head.offset = record.offset;
    if (!head.compression.empty() && head.compression != zstd_name) {
      damage(record.offset, record.whole(),
             fmt::format("a chunk compressed by {:?}, which is not read", head.compression));
      return true;
    }
    if (!visitor_.wants(head, channels_after(record.end()))) {
      ++scan_.chunks;
      return true;
    }
    const auto records = records_of(head, record.end() - head.bytes);
    if (!records) {
      damage(record.offset, record.whole(), "a chunk whose compressed records are broken");
    } else if (head.crc != 0 && crc32(*records) != head.crc) {
      damage(record.offset, record.whole(), "a chunk whose checksum is wrong");
    } else {
      ++scan_.chunks;
      take_records(record, head, *records);
    }
    return true;
  }

  // Those of the chunk that stores them at `offset`, as they were before they were compressed.
  std::optional<Bytes> records_of(const ChunkHead& head, std::uint64_t offset) {
    const Bytes stored = load(offset, head.bytes, chunk_);
    if (head.compression.empty()) return stored;
    return expander_.expand(stored, head.uncompressed_bytes);
  }

  void take_records(const Record& chunk, const ChunkHead& head, Bytes records) {
    Decoder from(records);
    while (from.left() > 0) {
      // Within a compressed chunk nothing has a place of its own.
      const std::uint64_t at = head.compression.empty() ? chunk.end() - from.left() : chunk.offset;
      const auto opcode = from.number<Opcode>();
      const Bytes content = from.bytes(from.number<std::uint64_t>());
      if (!from.good() || !take_inner(opcode, content, head)) {
        damage(at, chunk.end() - at, "a record within a chunk that is not what it should be");
        break;
      }
    }
    visitor_.chunk_end();
  }

  bool take_inner(Opcode opcode, Bytes content, const ChunkHead& head) {
    if (opcode == Opcode::schema || opcode == Opcode::channel) return give(opcode, content);
    if (opcode != Opcode::message) return opcode >= first_private_opcode;
    Message message;
    if (!read(content, message)) return false;
    if (message.log_time < head.start || message.log_time > head.end) return false;
    visitor_.message(message);
    return true;
  }

  // Of which channels the chunk before has messages, as the indexes behind it tell; none when they
  // do not, as where the file ends.
  std::vector<std::uint16_t> channels_after(std::uint64_t offset) {
    std::vector<std::uint16_t> channels;
    while (scan_.bytes - offset >= head_bytes + 2) {
      Decoder from(load(offset, head_bytes + 2));
      if (from.number<Opcode>() != Opcode::message_index) return channels;
      const auto bytes = from.number<std::uint64_t>();
      if (bytes > scan_.bytes - offset - head_bytes) return {};
      channels.push_back(from.number<std::uint16_t>());
      offset += head_bytes + bytes;
    }
    return {};
  }

  // ---- the end ---------------------------------------------------------------------------------

  void take_data_end(const Record& record, Bytes content) {
    ended_ = true;
    std::uint32_t crc = 0;
    if (!Decoder(content).take(crc)) {
      return damage(record.offset, content.size(), "a cut end of the data section");
    }
    if (!options_.verify || crc == 0) return;
    while (summed_ < record.offset) {
      const Bytes part = load(summed_, std::min(block, record.offset - summed_));
      crc_ = crc32(part, crc_);
      summed_ += part.size();
    }
    if (crc_ != crc && scan_.damage_count == 0) {
      damage(0, 0, "the checksum of the data section is wrong, though that of each chunk is right");
    }
  }

  void take_footer(const Record& record) {
    finished_ = true;
    const std::uint64_t tail = scan_.bytes - record.offset;
    if (!ended_) {
      damage(record.offset, tail, "a footer without an end of the data section before it");
    }
    if (record.whole() != footer_bytes || tail != footer_bytes + magic.size()) {
      return damage(record.offset, tail, "a footer that is not at the end of the file");
    }
    const Bytes end = load(record.end(), magic.size());
    if (std::memcmp(end.data(), magic.data(), magic.size()) != 0) {
      return damage(record.end(), magic.size(), "other bytes than the magic at the end");
    }
    scan_.complete = true;
  }

  // ---- what helps over damage ------------------------------------------------------------------

  // Schemas and channels of the summary, so that a damaged first chunk does not cost all others;
  // and where the chunks are, so that a wrong length does not pass over them.
  void preload_summary() {
    std::optional<Damage> damaged;
    const auto summary = load_summary(source_, damaged);
    if (!summary) throw Unreadable{summary.error()};
    if (damaged) damage(damaged->offset, damaged->bytes, damaged->what);
    take_summary(Decoder(*summary));
    std::ranges::sort(chunks_, std::greater{});
  }

  void take_summary(Decoder records) {
    while (records.left() > 0) {
      const auto opcode = records.number<Opcode>();
      const Bytes content = records.bytes(records.number<std::uint64_t>());
      if (!records.good()) return;
      if (opcode == Opcode::schema || opcode == Opcode::channel) give(opcode, content);
      if (opcode != Opcode::chunk_index) continue;
      std::uint64_t first = 0;
      std::uint64_t last = 0;
      Decoder(content).take(first, last, chunks_.emplace_back());
    }
  }

  // The thread is lost: goes on at the next whole chunk. False where the file has no further one,
  // so that it ends here.
  bool resync() {
    if (ended_) {
      if (at_ < scan_.bytes) damage(at_, scan_.bytes - at_, "the summary is cut");
      return false;
    }
    const std::uint64_t lost = at_;
    std::vector<std::byte> bytes;
    for (std::uint64_t at = suspect_from_ + (suspect_from_ == lost ? 1 : 0); at < scan_.bytes;) {
      const Bytes part = load(at, std::min(block, scan_.bytes - at), bytes);
      for (std::uint64_t i = 0; i < part.size(); ++i) {
        const void* const found =
            std::memchr(part.data() + i, static_cast<int>(Opcode::chunk), part.size() - i);
        if (found == nullptr) break;
        i = static_cast<std::uint64_t>(static_cast<const std::byte*>(found) - part.data());
        if (whole_chunk_at(at + i)) {
          damage(lost, at + i - std::min(lost, at + i), "bytes that are no record");
          at_ = suspect_from_ = at + i;
          return true;
        }
      }
      at += part.size();
    }
    if (lost < scan_.bytes) {
      damage(lost, scan_.bytes - lost, "no whole record, to the end of the file");
    }
    return false;
  }

  bool whole_chunk_at(std::uint64_t offset) {
    const std::uint64_t left = scan_.bytes - offset;
    const std::uint64_t most = head_bytes + plain_chunk_head + zstd_name.size();
    Record record{.offset = offset};
    ChunkHead head;
    Decoder from(load(offset, std::min(left, most)));
    from.take(record.opcode, record.bytes);
    if (!read(from.rest(), head) || head.crc == 0 || !agrees(head, record.bytes)) return false;
    if (!head.compression.empty() && head.compression != zstd_name) return false;
    if (record.whole() > left) return false;
    // What only looks like a chunk costs a checksum; a file made of such must not cost them all.
    searched_ += head.bytes;
    if (searched_ / 16 > scan_.bytes) return false;
    const auto records = records_of(head, record.end() - head.bytes);
    return records && crc32(*records) == head.crc;
  }

  // ---- bytes -----------------------------------------------------------------------------------

  // All of the bytes at `offset`, into a buffer that the next call overwrites.
  Bytes load(std::uint64_t offset, std::uint64_t bytes) { return load(offset, bytes, buffer_); }

  Bytes load(std::uint64_t offset, std::uint64_t bytes, std::vector<std::byte>& into) {
    if (into.size() < bytes) into.resize(bytes);
    const auto part = std::span(into).first(bytes);
    if (auto read = source_.read(offset, part); !read) throw Unreadable{read.error()};
    return part;
  }

  void damage(std::uint64_t offset, std::uint64_t bytes, std::string what) {
    if (++scan_.damage_count > most_damages) return;
    scan_.damages.push_back({offset, bytes, std::move(what)});
  }

  ByteSource& source_;
  Visitor& visitor_;
  ScanOptions options_;
  Scan scan_;
  std::uint64_t at_ = 0;
  std::uint64_t suspect_from_ = 0;  ///< the lengths from here on have not been confirmed
  std::uint64_t summed_ = 0;        ///< bytes in crc_
  std::uint32_t crc_ = 0;
  std::vector<std::uint64_t> chunks_;  ///< offsets, by the summary; the next one is the last
  std::uint64_t searched_ = 0;         ///< bytes read in search of chunks
  bool ended_ = false;                 ///< the data section has ended
  bool finished_ = false;              ///< nothing more to read
  std::vector<std::byte> buffer_;
  std::vector<std::byte> chunk_;
  Expander expander_;
};

}  // namespace

Result<Scan> scan(ByteSource& source, Visitor& visitor, ScanOptions options) {
  try {
    return Scanner(source, visitor, options).run();
  } catch (const Unreadable& end) {
    return tl::make_unexpected(end.error);
  }
}

}  // namespace hild::mcap
