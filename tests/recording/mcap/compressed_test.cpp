// SPDX-License-Identifier: Apache-2.0
/// \file
/// Chunks that are compressed: read back to the byte, cut, damaged, and such as only claim to be.
#include <gmock/gmock.h>

#include <algorithm>
#include <random>

#include "files.hpp"
#include "recording/mcap/recover.hpp"
#include "recording/mcap/zstd.hpp"

namespace hild::mcap {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr int level = 3;

std::vector<Got> messages_of(const std::string& file) {
  Memory memory;
  EXPECT_TRUE(scan(file, memory, {.verify = true}));
  return memory.messages;
}

std::vector<Raw> chunks_of(const std::string& file) {
  std::vector<Raw> chunks = walk(file);
  std::erase_if(chunks, [](const Raw& r) { return r.opcode != 6; });
  return chunks;
}

// The head of a chunk as the specification has it: start, end, size, checksum, compression, bytes.
constexpr std::size_t size_at = 9 + 16;
constexpr std::size_t compression_at = size_at + 8 + 4;
constexpr std::size_t records_at = compression_at + 4 + 4 + 8;

TEST(Compressed, ReadsAsIfItWereNot) {
  const std::string plain = small_file();
  const std::string packed = small_file(level);
  EXPECT_EQ(messages_of(packed), messages_of(plain));
  ASSERT_THAT(messages_of(packed), SizeIs(chunks_of_small * messages_of_chunk));
  ASSERT_THAT(chunks_of(packed), SizeIs(chunks_of_small));
  for (int c = 0; c < chunks_of_small; ++c) {
    const Raw chunk = chunks_of(packed)[static_cast<std::size_t>(c)];
    const Raw before = chunks_of(plain)[static_cast<std::size_t>(c)];
    EXPECT_EQ(packed.substr(chunk.offset + compression_at, 8), std::string("\4\0\0\0zstd", 8));
    EXPECT_LT(chunk.end - chunk.offset, before.end - before.offset);
  }
}

TEST(Compressed, WhatDoesNotShrinkStaysAsItIs) {
  std::mt19937 random(1);
  std::string noise(10'000, ' ');
  std::ranges::generate(noise, [&] { return static_cast<char>(random()); });
  Compressor compressor;
  std::string packed;
  EXPECT_FALSE(compressor.compress(noise, level, packed));
  EXPECT_FALSE(compressor.compress("", level, packed));
  MemoryOutput output;
  Writer writer(output);
  ASSERT_TRUE(writer.begin({"", "test"}));
  writer.declare(Channel{1, 0, "/noise", "", {}});
  Chunk chunk;
  std::memcpy(chunk.add(1, 0, 5, noise.size()), noise.data(), noise.size());
  const Chunk* const chunks[] = {&chunk};
  ASSERT_TRUE(writer.write(chunks, level));
  ASSERT_TRUE(writer.finish());
  ASSERT_THAT(messages_of(output.bytes), SizeIs(1));
  EXPECT_EQ(messages_of(output.bytes)[0].data, noise);
  EXPECT_EQ(chunks_of(output.bytes)[0].end - chunks_of(output.bytes)[0].offset,
            records_at - 4 + 9 + 22 + noise.size());
}

TEST(Compressed, EveryLevelThatIsUsedComesBack) {
  const std::string text(100'000, 'x');
  Expander expander;
  for (const int l : {3, 1, -5}) {
    Compressor compressor;
    std::string packed;
    ASSERT_TRUE(compressor.compress(text, l, packed)) << l;
    const auto back = expander.expand(bytes_of(packed), text.size());
    ASSERT_TRUE(back) << l;
    EXPECT_EQ(text_of(*back), text) << l;
    EXPECT_FALSE(expander.expand(bytes_of(packed), text.size() + 1)) << "it is not what was said";
    EXPECT_FALSE(expander.expand(bytes_of(packed), text.size() - 1));
  }
}

TEST(Compressed, CutAtEveryByteAllWholeChunksComeBackAndCanBeRecovered) {
  const std::string file = small_file(level);
  const std::vector<Got> all = messages_of(file);
  for (std::size_t cut = 8; cut < file.size(); ++cut) {
    const auto whole = static_cast<std::size_t>(
        std::ranges::count_if(chunks_of(file), [&](const Raw& chunk) { return chunk.end <= cut; }));
    const std::vector<Got> expected(
        all.begin(), all.begin() + static_cast<std::ptrdiff_t>(whole * messages_of_chunk));
    const std::string part = file.substr(0, cut);
    ASSERT_EQ(messages_of(part), expected) << "cut after " << cut;
    MemorySource source(part);
    MemoryOutput output;
    ASSERT_TRUE(recover(source, output)) << cut;
    Memory memory;
    const auto scanned = scan(output.bytes, memory, {.verify = true});
    ASSERT_TRUE(scanned && scanned->complete) << cut;
    EXPECT_THAT(scanned->damages, IsEmpty()) << cut;
    ASSERT_EQ(memory.messages, expected) << cut;
  }
}

// Whatever byte is another one: what is read was written, and all chunks but that one come back.
TEST(Compressed, NoByteThatIsWrongMakesAMessage) {
  const std::string file = small_file(level);
  const std::vector<Got> all = messages_of(file);
  const std::vector<Raw> chunks = chunks_of(file);
  for (std::size_t at = chunks.front().offset; at < chunks.back().end; ++at) {
    std::string damaged = file;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
    Memory memory;
    const auto scanned = scan(damaged, memory, {.verify = true});
    ASSERT_TRUE(scanned) << at;
    for (const Got& got : memory.messages) ASSERT_THAT(all, Contains(got)) << "byte " << at;
    const bool in_chunk =
        std::ranges::any_of(chunks, [&](const Raw& c) { return at >= c.offset && at < c.end; });
    ASSERT_GE(memory.messages.size(), all.size() - (in_chunk ? messages_of_chunk : 0)) << at;
    if (in_chunk) {
      ASSERT_GT(scanned->damage_count, 0U) << at;
    }
  }
}

TEST(Compressed, RecordsThatAreNoneAreNamed) {
  std::string file = small_file(level);
  const Raw chunk = chunks_of(file)[1];
  std::fill(file.begin() + static_cast<std::ptrdiff_t>(chunk.offset + records_at),
            file.begin() + static_cast<std::ptrdiff_t>(chunk.end), 'x');
  Memory memory;
  const auto scanned = scan(file, memory);
  ASSERT_TRUE(scanned);
  ASSERT_THAT(scanned->damages, SizeIs(1));
  EXPECT_THAT(scanned->damages[0].what, HasSubstr("compressed records are broken"));
  EXPECT_EQ(scanned->damages[0].offset, chunk.offset);
  EXPECT_THAT(memory.messages, SizeIs((chunks_of_small - 1) * messages_of_chunk));
}

// A few bytes that claim to be 16 EiB cost neither memory nor time.
TEST(Compressed, MoreThanAChunkMayBeIsNotAskedFor) {
  for (const std::uint64_t size : {UINT64_MAX, (std::uint64_t{1} << 28U) + 1}) {
    std::string file = small_file(level);
    const Raw chunk = chunks_of(file)[0];
    std::memcpy(file.data() + chunk.offset + size_at, &size, sizeof size);
    Memory memory;
    const auto scanned = scan(file, memory);
    ASSERT_TRUE(scanned);
    EXPECT_GT(scanned->damage_count, 0U);
    EXPECT_THAT(memory.messages, SizeIs((chunks_of_small - 1) * messages_of_chunk))
        << "the chunks behind it are found";
  }
}

}  // namespace
}  // namespace hild::mcap
