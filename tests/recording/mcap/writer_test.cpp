// SPDX-License-Identifier: Apache-2.0
/// \file
/// Files are what the specification says, and come back as they were written.
#include "recording/mcap/writer.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "files.hpp"

namespace hild::mcap {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

// The check value of CRC-32/ISO-HDLC in the catalogue of parametrised CRC algorithms.
TEST(Crc32, IsThatOfZlib) {
  EXPECT_EQ(crc32(bytes_of("123456789")), 0xCBF43926U);
  EXPECT_EQ(crc32(bytes_of("6789"), crc32(bytes_of("12345"))), 0xCBF43926U);
}

// By the tables of mcap.dev/spec, byte by byte.
TEST(Writer, AnEmptyFileIsHeaderSummaryAndFooter) {
  MemoryOutput output;
  Writer writer(output);
  ASSERT_TRUE(writer.begin({"p", "lib"}));
  ASSERT_TRUE(writer.finish());
  const std::string& file = output.bytes;
  const std::string magic_bytes("\x89MCAP0\r\n", 8);
  EXPECT_EQ(file.substr(0, 8), magic_bytes);
  EXPECT_EQ(file.substr(file.size() - 8), magic_bytes);
  const std::string header("\x01\x0c\0\0\0\0\0\0\0\x01\0\0\0p\x03\0\0\0lib", 21);
  EXPECT_EQ(file.substr(8, 21), header);
  const auto records = walk(file);
  std::vector<unsigned> opcodes;
  opcodes.reserve(records.size());
  for (const Raw& r : records) opcodes.push_back(r.opcode);
  // Header, data end, statistics, summary offset, footer.
  EXPECT_THAT(opcodes, ElementsAre(1, 15, 11, 14, 2));
  std::uint32_t crc = 0;
  std::memcpy(&crc, file.data() + records[1].offset + 9, 4);
  EXPECT_EQ(crc, crc32(bytes_of(std::string_view(file).substr(0, records[1].offset))));
  std::uint64_t summary = 0;
  std::memcpy(&summary, file.data() + records[4].offset + 9, 8);
  EXPECT_EQ(summary, records[2].offset);
  const std::size_t crc_at = records[4].end - 4;
  std::memcpy(&crc, file.data() + crc_at, 4);
  EXPECT_EQ(crc, crc32(bytes_of(std::string_view(file).substr(summary, crc_at - summary))));
}

TEST(Writer, WhatIsWrittenComesBack) {
  Memory memory;
  const std::string file = small_file();
  const auto scanned = scan(file, memory, {.verify = true});
  ASSERT_TRUE(scanned) << scanned.error().message;
  EXPECT_TRUE(scanned->complete);
  EXPECT_THAT(scanned->damages, IsEmpty());
  EXPECT_EQ(scanned->chunks, chunks_of_small);
  ASSERT_THAT(memory.headers, SizeIs(1));
  EXPECT_EQ(memory.headers[0].library, "test");
  ASSERT_THAT(memory.messages, SizeIs(chunks_of_small * messages_of_chunk));
  EXPECT_EQ(memory.messages[6], (Got{1, 1002, "data 1.2"}));
  EXPECT_EQ(memory.messages[7], (Got{7, 1003, "data 1.3"}));
  ASSERT_THAT(memory.attachments, SizeIs(1));
  EXPECT_EQ(memory.attachments[0].name, "a.txt");
  EXPECT_EQ(memory.attachments[0].data, "attached");
  ASSERT_THAT(memory.metadatas, SizeIs(1));
  EXPECT_EQ(memory.metadatas[0].values, (Map{{"one", "1"}, {"two", ""}}));
  ASSERT_THAT(memory.channels, SizeIs(4)) << "from the summary, then in their place";
  EXPECT_EQ(memory.channels[0].topic, "/first");
  EXPECT_EQ(memory.channels[0].metadata, (Map{{"unit", "V"}}));
  EXPECT_EQ(memory.channels[1].id, 7);
}

// More of them than one piece of memory takes: each tells where its chunk is, none is lost.
TEST(Writer, TheIndexOfManyChunksIsWhole) {
  constexpr std::uint64_t count = 3000;
  MemoryOutput output;
  Writer writer(output);
  ASSERT_TRUE(writer.begin({}));
  Chunk chunk;
  const Chunk* const chunks[] = {&chunk};
  for (std::uint64_t i = 0; i < count; ++i) {
    chunk.add(1, 0, i, 1)[0] = {};
    ASSERT_TRUE(writer.write(chunks));
    chunk.clear();
  }
  ASSERT_TRUE(writer.finish());
  const std::string& file = output.bytes;
  const auto number = [&](std::size_t at) {
    std::uint64_t n = 0;
    std::memcpy(&n, file.data() + at, sizeof n);
    return n;
  };
  std::vector<std::size_t> written;  // where chunks are
  std::vector<std::size_t> told;     // and where the index says so
  std::size_t index_begin = file.size();
  std::size_t index_end = 0;
  std::uint64_t group_start = 0;
  std::uint64_t group_bytes = 0;
  for (const Raw& r : walk(file)) {
    const std::size_t body = r.offset + 9;
    if (r.opcode == 6) written.push_back(r.offset);
    if (r.opcode == 8) {
      told.push_back(number(body + 16));
      index_begin = std::min(index_begin, r.offset);
      index_end = r.end;
    }
    if (r.opcode == 14 && file[body] == 8) {
      group_start = number(body + 1);
      group_bytes = number(body + 9);
    }
  }
  EXPECT_THAT(written, SizeIs(count));
  EXPECT_EQ(told, written);
  EXPECT_GT(index_end - index_begin, 3 * Pieces::piece);
  EXPECT_EQ(group_start, index_begin);
  EXPECT_EQ(group_start + group_bytes, index_end);
  Memory memory;
  const auto scanned = scan(file, memory, {.verify = true});
  EXPECT_TRUE(scanned && scanned->complete && scanned->damages.empty());
}

TEST(Pieces, StayWhereTheyAreAndTakeLittleMore) {
  Pieces pieces;
  const std::string record(1000, 'a');
  pieces.add(record);
  const char* const first = pieces.all().front().data();
  std::string all = record;
  for (int i = 0; i < 1000; ++i) {
    pieces.add(record);
    all += record;
  }
  pieces.add(std::string(3 * Pieces::piece, 'b'));
  all += std::string(3 * Pieces::piece, 'b');
  EXPECT_EQ(pieces.all().front().data(), first);
  std::string together;
  std::size_t taken = 0;
  for (const std::string& piece : pieces.all()) {
    together += piece;
    taken += piece.capacity();
  }
  EXPECT_EQ(together, all);
  EXPECT_LT(taken, all.size() + 2 * Pieces::piece);
}

// What a full disk refused is gone; what came before and after it stays, and the file is whole.
TEST(Writer, GoesOnAfterAWriteThatFailed) {
  MemoryOutput output;
  Writer writer(output);
  ASSERT_TRUE(writer.begin({}));
  Chunk chunk;
  const Chunk* const chunks[] = {&chunk};
  for (int i = 0; i < 4; ++i) {
    std::memcpy(chunk.add(1, 0, 10, 1), std::to_string(i).data(), 1);
    output.room = i == 2 ? 0 : SIZE_MAX;
    EXPECT_EQ(writer.write(chunks).has_value(), i != 2);
    chunk.clear();
  }
  ASSERT_TRUE(writer.finish());
  Memory memory;
  const auto scanned = scan(output.bytes, memory, {.verify = true});
  EXPECT_TRUE(scanned && scanned->complete && scanned->damages.empty());
  EXPECT_EQ(memory.messages, (std::vector<Got>{{1, 10, "0"}, {1, 10, "1"}, {1, 10, "3"}}));
}

// Wherever the room ends: what was written in whole records is there and readable.
TEST(Writer, AFullDiskCostsOnlyWhatDidNotFit) {
  const std::size_t whole = small_file().size();
  for (std::size_t room = 0; room < whole; ++room) {
    MemoryOutput output(room);
    EXPECT_GT(write_small(output), 0);
    Memory memory;
    const auto scanned = scan(output.bytes, memory);
    if (!scanned) {
      EXPECT_LT(room, 8U + 9 + 12) << "only without a header";
      continue;
    }
    EXPECT_FALSE(scanned->complete) << room;
    EXPECT_THAT(scanned->damages, IsEmpty()) << room;
    EXPECT_EQ(memory.messages.size() % messages_of_chunk, 0U) << room;
  }
}

}  // namespace
}  // namespace hild::mcap
