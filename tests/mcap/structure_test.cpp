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

// What looks like a chunk to its last length, but for the checksum, and would reach into the next.
TEST(Structure, WhatOnlyLooksLikeAChunkCostsNone) {
  for (const int lie : {0, 1}) {
    std::string bytes = "\x50";
    append_number(bytes, 1U << 30U, 8);
    constexpr std::uint64_t within = 64;
    bytes += '\x06';
    append_number(bytes, 40 + within + static_cast<unsigned>(lie), 8);
    append_number(bytes, 0, 8);
    append_number(bytes, 0, 8);
    append_number(bytes, within, 8);
    append_number(bytes, 0x12345678, 4);
    append_number(bytes, 0, 4);
    append_number(bytes, within, 8);
    Memory memory;
    EXPECT_THAT(scanned(with_before_second(bytes), memory).damages, SizeIs(testing::Ge(1U)));
    EXPECT_THAT(memory.messages, SizeIs(chunks_of_small * messages_of_chunk)) << lie;
  }
}

}  // namespace
}  // namespace hild::mcap
