// SPDX-License-Identifier: Apache-2.0
/// \file
/// Files that were cut, files in which bits were flipped.
#include <gmock/gmock.h>

#include <algorithm>

#include "files.hpp"
#include "recording/mcap/recover.hpp"

namespace hild::mcap {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// How many chunks of the file end before `bytes`.
int whole_chunks(const std::string& file, std::size_t bytes) {
  int n = 0;
  for (const Raw& record : walk(file)) n += record.opcode == 6 && record.end <= bytes ? 1 : 0;
  return n;
}

void expect_first_chunks(const std::vector<Got>& messages, int chunks, std::size_t cut) {
  ASSERT_THAT(messages, SizeIs(chunks * messages_of_chunk)) << "cut after " << cut;
  for (int i = 0; i < chunks * messages_of_chunk; ++i) {
    EXPECT_EQ(messages[static_cast<std::size_t>(i)].data,
              data_of(i / messages_of_chunk, i % messages_of_chunk));
  }
}

TEST(Cut, AtEveryByteAllWholeChunksComeBack) {
  const std::string file = small_file();
  for (std::size_t cut = 8; cut < file.size(); ++cut) {
    Memory memory;
    const auto scanned = scan(file.substr(0, cut), memory, {.verify = true});
    ASSERT_TRUE(scanned) << cut;
    EXPECT_FALSE(scanned->complete) << cut;
    expect_first_chunks(memory.messages, whole_chunks(file, cut), cut);
  }
}

TEST(Cut, RecoveredAtEveryByteItIsWholeAgain) {
  const std::string file = small_file();
  for (std::size_t cut = 8; cut < file.size(); ++cut) {
    const std::string part = file.substr(0, cut);
    MemorySource source(part);
    MemoryOutput output;
    ASSERT_TRUE(recover(source, output)) << cut;
    Memory memory;
    const auto scanned = scan(output.bytes, memory, {.verify = true});
    ASSERT_TRUE(scanned) << cut;
    EXPECT_TRUE(scanned->complete) << cut;
    EXPECT_THAT(scanned->damages, IsEmpty()) << cut;
    expect_first_chunks(memory.messages, whole_chunks(file, cut), cut);
  }
}

TEST(Cut, BeforeTheMagicItIsNoFile) {
  const std::string file = small_file();
  Memory memory;
  for (std::size_t cut = 0; cut < 8; ++cut) {
    const auto scanned = scan(file.substr(0, cut), memory);
    ASSERT_FALSE(scanned);
    EXPECT_THAT(scanned.error().message, HasSubstr("cut"));
  }
  const auto scanned = scan("frame: {period: 1 ms}\n", memory);
  ASSERT_FALSE(scanned);
  EXPECT_THAT(scanned.error().message, HasSubstr("not an MCAP file"));
}

TEST(Recover, KeepsAllOfAWholeFile) {
  const std::string file = small_file();
  MemorySource source(file);
  MemoryOutput output;
  ASSERT_TRUE(recover(source, output));
  Memory before;
  Memory after;
  ASSERT_TRUE(scan(file, before));
  ASSERT_TRUE(scan(output.bytes, after));
  EXPECT_EQ(after.messages, before.messages);
  EXPECT_EQ(after.chunks, before.chunks);
  EXPECT_EQ(after.headers[0].library, "test");
  EXPECT_EQ(after.attachments[0].data, "attached");
  EXPECT_EQ(after.metadatas[0].values, before.metadatas[0].values);
  EXPECT_EQ(after.channels[1].topic, "/second");
  EXPECT_EQ(after.schemas[0].data, "{}");
}

TEST(Flipped, EveryBitIsFound) {
  const std::string file = small_file();
  for (std::size_t bit = 0; bit < 8 * file.size(); ++bit) {
    std::string damaged = file;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    Memory memory;
    const auto scanned = scan(damaged, memory, {.verify = true});
    if (!scanned) {
      EXPECT_LT(bit, 8U * 8) << "only without the magic it is no such file";
      continue;
    }
    EXPECT_THAT(scanned->damages, testing::Not(IsEmpty())) << "byte " << bit / 8;
  }
}

// Wherever the bit is, at most the chunk it is in is lost, and no message comes twice.
TEST(Flipped, CostsAtMostOneChunk) {
  const std::string file = small_file();
  for (std::size_t bit = 64; bit < 8 * file.size(); ++bit) {
    std::string damaged = file;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << (bit % 8)));
    Memory memory;
    ASSERT_TRUE(scan(damaged, memory));
    EXPECT_GE(memory.messages.size(), (chunks_of_small - 1U) * messages_of_chunk)
        << "byte " << bit / 8;
    for (std::size_t i = 1; i < memory.messages.size(); ++i) {
      EXPECT_LT(memory.messages[i - 1].time, memory.messages[i].time) << "byte " << bit / 8;
    }
  }
}

TEST(Flipped, AChunkIsNamedWithItsPlace) {
  std::string file = small_file();
  std::size_t at = 0;
  int seen = 0;
  for (const Raw& record : walk(file)) {
    if (record.opcode == 6 && ++seen == 2) at = record.offset;
  }
  file[at + 9 + 40 + 12] ^= 1;
  Memory memory;
  const auto scanned = scan(file, memory);
  ASSERT_TRUE(scanned);
  ASSERT_THAT(scanned->damages, SizeIs(1));
  EXPECT_EQ(scanned->damages[0].offset, at);
  EXPECT_THAT(scanned->damages[0].what, HasSubstr("checksum"));
  EXPECT_EQ(memory.chunks, chunks_of_small - 1);
}

// What introduces a channel may be damaged; the copy at the end stands in for it.
TEST(Flipped, AChannelIsKnownFromTheSummary) {
  std::string file = small_file();
  const auto records = walk(file);
  const auto channel = std::ranges::find(records, 4U, &Raw::opcode);
  file[channel->offset + 9 + 4] ^= 1;  // the length of its topic
  Memory memory;
  ASSERT_TRUE(scan(file, memory));
  EXPECT_THAT(memory.messages, SizeIs(chunks_of_small * messages_of_chunk));
  ASSERT_THAT(memory.channels, SizeIs(3));
  EXPECT_EQ(memory.channels[0].topic, "/first");
}

}  // namespace
}  // namespace hild::mcap
