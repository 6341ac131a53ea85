// SPDX-License-Identifier: Apache-2.0
/// What helps over damage: the copy of schemas and channels at the end of the file, and the search
/// for the next whole chunk.
#include <algorithm>
#include <cstring>

#include "recording/mcap/crc32.hpp"
#include "recording/mcap/decoder.hpp"
#include "recording/mcap/index.hpp"
#include "recording/mcap/records.hpp"
#include "recording/mcap/scanner.hpp"
#include "recording/mcap/zstd.hpp"

namespace hild::mcap {

// Schemas and channels of the summary, so that a damaged first chunk does not cost all others; and
// where the chunks are, so that a wrong length does not pass over them.
void Scanner::preload_summary() {
  std::optional<Damage> damaged;
  const auto summary = load_summary(source_, damaged);
  if (!summary) throw Unreadable{summary.error()};
  if (damaged) damage(damaged->offset, damaged->bytes, damaged->what);
  Decoder records(*summary);
  while (records.left() > 0) {
    const auto opcode = static_cast<Opcode>(records.number<std::uint8_t>());
    const Bytes content = records.bytes(records.number<std::uint64_t>());
    if (!records.good()) return;
    if (opcode == Opcode::schema) {
      if (const auto schema = read_schema(content)) visitor_.schema(*schema);
    } else if (opcode == Opcode::channel) {
      if (const auto channel = read_channel(content)) visitor_.channel(*channel);
    } else if (opcode == Opcode::chunk_index) {
      Decoder index(content);
      (void)index.bytes(16);  // its times
      chunks_.push_back(index.number<std::uint64_t>());
    }
  }
  std::ranges::sort(chunks_, std::greater{});
}

// The thread is lost: goes on at the next whole chunk. False where the file has no further one, so
// that it ends here.
bool Scanner::resync() {
  if (ended_) {
    if (at_ < scan_.bytes) damage(at_, scan_.bytes - at_, "the summary is cut");
    return false;
  }
  constexpr std::uint64_t block = 1U << 20U;
  const std::uint64_t lost = at_;
  for (std::uint64_t at = suspect_from_ + (suspect_from_ == lost ? 1 : 0); at < scan_.bytes;) {
    const std::uint64_t n = std::min(block, scan_.bytes - at);
    std::vector<std::byte> bytes(n);
    const Bytes part = load(at, n);
    std::ranges::copy(part, bytes.begin());
    for (std::uint64_t i = 0; i < n; ++i) {
      const void* const found =
          std::memchr(bytes.data() + i, static_cast<int>(Opcode::chunk), n - i);
      if (found == nullptr) break;
      i = static_cast<std::uint64_t>(static_cast<const std::byte*>(found) - bytes.data());
      if (whole_chunk_at(at + i)) {
        damage(lost, at + i - std::min(lost, at + i), "bytes that are no record");
        at_ = suspect_from_ = at + i;
        return true;
      }
    }
    at += n;
  }
  if (lost < scan_.bytes)
    damage(lost, scan_.bytes - lost, "no whole record, to the end of the file");
  return false;
}

bool Scanner::whole_chunk_at(std::uint64_t offset) {
  const std::uint64_t left = scan_.bytes - offset;
  const std::uint64_t most = head_bytes + plain_chunk_head + zstd_name.size();
  Decoder from(load(offset, std::min(left, most)));
  (void)from.number<std::uint8_t>();
  const auto bytes = from.number<std::uint64_t>();
  const auto head = read_chunk_head(from.rest());
  if (!head || head->crc == 0) return false;
  const bool plain = head->compression.empty();
  if (!plain && head->compression != zstd_name) return false;
  const std::uint64_t before = plain_chunk_head + head->compression.size();
  if (bytes < before || bytes - before != head->bytes || head->bytes > left ||
      head_bytes + bytes > left || head->bytes > largest_loaded ||
      (plain ? head->bytes != head->uncompressed_bytes
             : head->uncompressed_bytes > largest_expanded)) {
    return false;
  }
  // What only looks like a chunk costs a checksum; a file made of such must not cost them all.
  searched_ += head->bytes;
  if (searched_ / 16 > scan_.bytes) return false;
  const auto records = records_of(*head, offset + head_bytes + before);
  return records && crc32(*records) == head->crc;
}

}  // namespace hild::mcap
