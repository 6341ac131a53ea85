// SPDX-License-Identifier: Apache-2.0
/// \file
/// Files whose parts contradict each other, found without the checksum over all of them; and files
/// that lack what need not be there.
#include <gmock/gmock.h>

#include <algorithm>

#include "files.hpp"

namespace hild::mcap {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

void append_number(std::string& to, std::uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) to += static_cast<char>(number >> (8 * i));
}

/// The n-th record of an opcode, from 0.
Raw nth(const std::string& file, unsigned opcode, int n = 0) {
  for (const Raw& record : walk(file)) {
    if (record.opcode == opcode && n-- == 0) return record;
  }
  ADD_FAILURE() << "no such record";
  return {};
}

Scan scanned(const std::string& file, Memory& memory, bool verify = false) {
  const auto done = scan(file, memory, {.verify = verify});
  EXPECT_TRUE(done);
  return done ? *done : Scan{};
}

// Of a chunk's head no checksum tells: start, end and size are checked against what is within.
TEST(Structure, AChunksHeadMustAgreeWithItsMessages) {
  struct Wrong {
    std::size_t at;
    int by;
  };
  // In the second chunk, of times 1000 ... 1003: it begins later, ends sooner, is larger unpacked.
  for (const Wrong& wrong : {Wrong{0, 1}, Wrong{8, -1}, Wrong{16, 1}}) {
    std::string file = small_file();
    char& byte = file[nth(file, 6, 1).offset + 9 + wrong.at];
    byte = static_cast<char>(byte + wrong.by);
    Memory memory;
    EXPECT_THAT(scanned(file, memory).damages, SizeIs(testing::Ge(1U))) << wrong.at;
    EXPECT_THAT(memory.messages, SizeIs(testing::Ge(2U * messages_of_chunk)));
  }
}

TEST(Structure, ADamagedChunkIsToldOfOnce) {
  std::string file = small_file();
  file[nth(file, 6, 1).end - 1] ^= 1;
  Memory memory;
  EXPECT_THAT(scanned(file, memory, true).damages, SizeIs(1))
      << "that the whole is wrong too goes without saying";
}

TEST(Structure, ADamagedAttachmentIsToldOfAndLeftOut) {
  std::string file = small_file();
  file[nth(file, 9).end - 6] ^= 1;  // before its checksum: the data
  Memory memory;
  const Scan scan = scanned(file, memory);
  ASSERT_THAT(scan.damages, SizeIs(1));
  EXPECT_THAT(scan.damages[0].what, HasSubstr("attachment whose checksum"));
  EXPECT_THAT(memory.attachments, IsEmpty());
  EXPECT_THAT(memory.messages, SizeIs(chunks_of_small * messages_of_chunk));
}

TEST(Structure, TheDataSectionMustEnd) {
  const std::string file = small_file();
  const Raw end = nth(file, 15);
  const Raw footer = nth(file, 2);
  Memory memory;
  // Straight from the last chunk and its indexes to the footer, as if there were no summary.
  std::string bare = file.substr(0, end.offset) + file.substr(footer.offset);
  std::fill_n(bare.begin() + static_cast<std::ptrdiff_t>(end.offset + 9), 20, '\0');
  const Scan scan = scanned(bare, memory);
  ASSERT_THAT(scan.damages, SizeIs(1));
  EXPECT_THAT(scan.damages[0].what, HasSubstr("without an end of the data section"));
}

// A footer of noughts says that there is none.
TEST(Structure, ASummaryNeedNotBeThere) {
  const std::string file = small_file();
  std::string bare = file.substr(0, nth(file, 15).end);
  bare += '\x02';
  append_number(bare, 20, 8);
  append_number(bare, 0, 8);
  append_number(bare, 0, 8);
  append_number(bare, 0, 4);
  bare += file.substr(0, 8);
  Memory memory;
  const Scan scan = scanned(bare, memory, true);
  EXPECT_TRUE(scan.complete);
  EXPECT_THAT(scan.damages, IsEmpty());
  EXPECT_THAT(memory.messages, SizeIs(chunks_of_small * messages_of_chunk));
}

/// The small file without its end, and bytes put before its second chunk.
std::string with_before_second(const std::string& bytes) {
  const std::string file = small_file();
  const std::size_t at = nth(file, 6, 1).offset;
  return file.substr(0, at) + bytes + file.substr(at, nth(file, 15).offset - at);
}

// What claims to be a record, of a kind that there is not, and to reach over the next chunk.
TEST(Structure, BytesThatAreNoRecordCostNoChunk) {
  std::string bytes = "\x50";
  append_number(bytes, 60, 8);
  Memory memory;
  EXPECT_THAT(scanned(with_before_second(bytes), memory).damages, SizeIs(testing::Ge(1U)));
  EXPECT_THAT(memory.messages, SizeIs(chunks_of_small * messages_of_chunk));
}

// A disk that lost its power may leave noughts where it had not written yet.
TEST(Structure, AHoleIsOneDamage) {
  const std::string file = small_file();
  Memory memory;
  const Scan hole = scanned(with_before_second(std::string(1000, '\0')), memory);
  ASSERT_THAT(hole.damages, SizeIs(1));
  EXPECT_EQ(hole.damages[0].offset, nth(file, 6, 1).offset);
  EXPECT_EQ(hole.damages[0].bytes, 1000U);
  EXPECT_THAT(memory.messages, SizeIs(chunks_of_small * messages_of_chunk));

  const std::size_t end = nth(file, 15).offset;
  Memory before;
  const Scan tail = scanned(file.substr(0, end) + std::string(4096, '\0'), before);
  ASSERT_THAT(tail.damages, SizeIs(1));
  EXPECT_EQ(tail.damages[0].offset, end);
  EXPECT_EQ(tail.damages[0].bytes, 4096U);
  EXPECT_EQ(tail.end_whole, end) << "noughts are no records";
  EXPECT_THAT(before.messages, SizeIs(chunks_of_small * messages_of_chunk));
}

// Without a summary nothing contradicts the length of a record, but that nothing is where it ends.
TEST(Structure, ALengthThatPassesOverAChunkCostsNone) {
  const std::string whole = small_file();
  std::string file = whole.substr(0, nth(whole, 15).offset);
  const Raw about = nth(file, 12);
  const std::uint64_t length = nth(file, 6, 1).offset + 60 - about.offset - 9;
  std::memcpy(&file[about.offset + 1], &length, sizeof length);
  Memory memory;
  EXPECT_THAT(scanned(file, memory).damages, SizeIs(testing::Ge(1U)));
  ASSERT_THAT(memory.messages, SizeIs(chunks_of_small * messages_of_chunk));
  EXPECT_EQ(memory.messages[0].data, data_of(0, 0));
}

/// A chunk as it would be written, but for its checksum or the length of its record.
std::string chunk_of(const std::string& records, std::uint32_t crc, int length_wrong_by = 0) {
  std::string chunk = "\x06";
  append_number(chunk, 40 + records.size() + static_cast<std::uint64_t>(length_wrong_by), 8);
  append_number(chunk, 0, 8);
  append_number(chunk, 0, 8);
  append_number(chunk, records.size(), 8);
  append_number(chunk, crc, 4);
  append_number(chunk, 0, 4);
  append_number(chunk, records.size(), 8);
  return chunk + records;
}

// What looks like a chunk in all but one of its lengths and its checksum, where one is looked for.
TEST(Structure, WhatOnlyLooksLikeAChunkCostsNone) {
  const std::string records(64, 'x');
  const std::uint32_t crc = crc32(bytes_of(records));
  const std::string reaches_into_the_next = chunk_of(records, 0x12345678).substr(0, 49);
  for (const std::string& like :
       {reaches_into_the_next, chunk_of(records, crc + 1), chunk_of(records, crc, 1),
        chunk_of(records, crc, -1), chunk_of(records, crc + 1, 1)}) {
    std::string bytes = "\x50";
    append_number(bytes, 1U << 30U, 8);
    bytes += like;
    Memory memory;
    const Scan scan = scanned(with_before_second(bytes), memory);
    EXPECT_THAT(memory.messages, SizeIs(chunks_of_small * messages_of_chunk));
    ASSERT_THAT(scan.damages, SizeIs(1)) << "all of it lies between two whole chunks";
    EXPECT_EQ(scan.damages[0].bytes, bytes.size());
  }
}

// Of records that only another program knows their length is all there is to be checked.
TEST(Structure, AnUnknownRecordMustEndWithinItsChunk) {
  for (const std::uint64_t length : {3U, 4U}) {
    std::string records = "\x80";
    append_number(records, length, 8);
    records += "own";
    const std::string chunk = chunk_of(records, crc32(bytes_of(records)));
    Memory memory;
    const Scan scan = scanned(with_before_second(chunk), memory);
    EXPECT_THAT(memory.messages, SizeIs(chunks_of_small * messages_of_chunk));
    if (length == 3) {
      EXPECT_THAT(scan.damages, IsEmpty());
      continue;
    }
    ASSERT_THAT(scan.damages, SizeIs(1));
    EXPECT_EQ(scan.damages[0].bytes, records.size());
    EXPECT_THAT(scan.damages[0].what, HasSubstr("within a chunk"));
  }
}

}  // namespace
}  // namespace hild::mcap
