// SPDX-License-Identifier: Apache-2.0
/// \file
/// Where chunks are, told by the summary or by the file itself; and reading some of them alone.
#include "recording/mcap/index.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "files.hpp"

namespace hild::mcap {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// Knows how far to the front of a file it was read.
class WatchedSource final : public ByteSource {
 public:
  explicit WatchedSource(const std::string& bytes) : memory_(bytes) {}
  [[nodiscard]] std::uint64_t size() const override { return memory_.size(); }
  Result<void> read(std::uint64_t offset, std::span<std::byte> bytes) override {
    first_read = std::min(first_read, offset);
    return memory_.read(offset, bytes);
  }
  std::uint64_t first_read = UINT64_MAX;

 private:
  MemorySource memory_;
};

/// Where records of an opcode begin, from first to last.
std::vector<std::uint64_t> places_of(const std::string& file, unsigned opcode) {
  std::vector<std::uint64_t> places;
  for (const Raw& record : walk(file)) {
    if (record.opcode == opcode) places.push_back(record.offset);
  }
  return places;
}
constexpr unsigned chunk = 6;
constexpr unsigned end_of_data = 15;

/// As a program that was killed leaves it, but for the end of the data: where that is missing it is
/// not known whether the indexes of the last chunk are all there.
std::string without_summary(const std::string& file) {
  return file.substr(0, places_of(file, end_of_data).front() + 13);
}

void expect_the_small_ones(const std::vector<ChunkPlace>& places, const std::string& file) {
  std::vector<std::uint64_t> offsets;
  for (std::size_t c = 0; c < places.size(); ++c) {
    offsets.push_back(places[c].offset);
    EXPECT_EQ(places[c].start, 1000 * c);
    EXPECT_EQ(places[c].end, 1000 * c + messages_of_chunk - 1);
    EXPECT_THAT(places[c].channels, testing::UnorderedElementsAre(1, 7));
  }
  EXPECT_EQ(offsets, places_of(file, chunk));
}

TEST(Index, IsReadFromTheEndOfTheFile) {
  for (const std::optional<int> level : {std::optional<int>{}, std::optional<int>{3}}) {
    const std::string file = small_file(level);
    WatchedSource source(file);
    const auto index = index_of(source);
    ASSERT_TRUE(index) << index.error().message;
    expect_the_small_ones(index->chunks, file);
    EXPECT_TRUE(index->closed);
    EXPECT_FALSE(index->damaged);
    EXPECT_GT(source.first_read, places_of(file, end_of_data).front());
  }
}

TEST(Index, WithoutASummaryIsMadeFromTheChunks) {
  const std::string file = without_summary(small_file());
  MemorySource source(file);
  const auto index = index_of(source);
  ASSERT_TRUE(index) << index.error().message;
  expect_the_small_ones(index->chunks, small_file());
  EXPECT_FALSE(index->damaged);
}

// Between two chunks, and in the midst of one.
TEST(Index, OfAFileThatWasCutSaysSo) {
  const std::string whole = small_file();
  const std::size_t last = places_of(whole, chunk).back();
  for (const bool within : {false, true}) {
    const std::string file = whole.substr(0, last + (within ? 20 : 0));
    MemorySource source(file);
    const auto index = index_of(source);
    ASSERT_TRUE(index) << index.error().message;
    EXPECT_THAT(index->chunks, testing::SizeIs(chunks_of_small - 1));
    EXPECT_FALSE(index->closed);
    EXPECT_EQ(index->damaged, within);
  }
}

/// That of a file whose summary is of no use is that of the whole one.
void expect_made_from_chunks(const std::string& file, const std::string& whole) {
  MemorySource source(file);
  const auto index = index_of(source);
  ASSERT_TRUE(index) << index.error().message;
  expect_the_small_ones(index->chunks, whole);
  EXPECT_TRUE(index->closed);
  EXPECT_TRUE(index->damaged);
}

TEST(Index, OfADamagedSummaryIsMadeFromTheChunks) {
  const std::string whole = small_file();
  const std::size_t footer = places_of(whole, 2).front();
  const std::size_t first_entry = places_of(whole, 8).front();
  // Within an entry; and where the summary begins: nowhere, at a place that the file has not.
  for (const auto& [at, value] : {std::pair{first_entry + 20, 0x55}, {footer + 9 + 7, 0x7f}}) {
    std::string file = whole;
    file[at] = static_cast<char>(value);
    ASSERT_NO_FATAL_FAILURE(expect_made_from_chunks(file, whole));
  }
}

// Its checksum may be left out: then what its entries say is all there is to go by.
TEST(Index, OfASummaryWhoseEntriesAreNoneIsMadeFromTheChunks) {
  const std::string whole = small_file();
  const std::size_t footer = places_of(whole, 2).front();
  const std::size_t entry = places_of(whole, 8).front();
  // The chunk of an entry lies beyond the file; what it says of channels reaches beyond its end.
  for (const std::size_t at : {entry + 9 + 16 + 7, entry + 9 + 32 + 1}) {
    std::string file = whole;
    file[at] = 0x11;
    std::fill_n(file.begin() + static_cast<std::ptrdiff_t>(footer + 9 + 16), 4, '\0');
    ASSERT_NO_FATAL_FAILURE(expect_made_from_chunks(file, whole));
  }
}

TEST(Index, OfWhatIsNoFileOfTheKindIsRefused) {
  const std::string other(200, 'x');
  MemorySource source(other);
  const auto index = index_of(source);
  ASSERT_FALSE(index);
  EXPECT_THAT(index.error().message, HasSubstr("MCAP"));
}

// A writer need not say which channels a chunk has messages of.
TEST(Index, AChunkOfUnknownChannelsMayHaveAny) {
  EXPECT_TRUE((ChunkPlace{.channels = {1, 7}}.may_have(7)));
  EXPECT_FALSE((ChunkPlace{.channels = {1, 7}}.may_have(2)));
  EXPECT_TRUE(ChunkPlace{}.may_have(2));
}

std::vector<std::string> texts_of(const Memory& memory) {
  std::vector<std::string> all;
  for (const Got& message : memory.messages) all.push_back(message.data);
  return all;
}

TEST(Index, SomeChunksAreReadAlone) {
  const std::string whole = small_file();
  for (const std::string& file : {whole, without_summary(whole)}) {
    const std::vector<std::uint64_t> chunks = places_of(whole, chunk);
    for (std::size_t c = 0; c < chunks.size(); ++c) {
      const std::vector<std::uint64_t> one{chunks[c]};
      Memory memory;
      const auto scanned = scan(file, memory, {.only = &one});
      ASSERT_TRUE(scanned) << scanned.error().message;
      EXPECT_THAT(scanned->damages, IsEmpty());
      const int n = static_cast<int>(c);
      EXPECT_THAT(texts_of(memory),
                  ElementsAre(data_of(n, 0), data_of(n, 1), data_of(n, 2), data_of(n, 3)));
      EXPECT_THAT(memory.metadatas, SizeIs(1)) << "what stands before all chunks is told";
      EXPECT_THAT(memory.attachments, SizeIs(1));
    }
    const std::vector<std::uint64_t> two{chunks[0], chunks[2]};
    Memory memory;
    ASSERT_TRUE(scan(file, memory, {.only = &two}));
    EXPECT_THAT(memory.messages, SizeIs(2 * messages_of_chunk));
    const std::vector<std::uint64_t> none;
    Memory head;
    ASSERT_TRUE(scan(file, head, {.only = &none, .summary = false}));
    EXPECT_THAT(head.messages, IsEmpty());
    EXPECT_THAT(head.metadatas, SizeIs(1));
  }
}

// An index that is wrong leads to damage that is told, or to nothing.
TEST(Index, APlaceWhereNoChunkIsCostsOnlyThatOne) {
  const std::string file = small_file();
  const std::vector<std::uint64_t> chunks = places_of(file, chunk);
  for (const std::uint64_t wrong : {chunks[1] + 3, chunks[1] - 1}) {
    const std::vector<std::uint64_t> places{chunks[0], wrong, chunks[2]};
    Memory memory;
    const auto scanned = scan(file, memory, {.only = &places, .summary = false});
    ASSERT_TRUE(scanned) << scanned.error().message;
    EXPECT_EQ(scanned->damage_count, 1U);
    EXPECT_THAT(texts_of(memory), testing::Contains(data_of(0, 0)));
    EXPECT_THAT(texts_of(memory), testing::Contains(data_of(2, 3)));
  }
  const std::vector<std::uint64_t> beyond{file.size() + 1000};
  Memory memory;
  ASSERT_TRUE(scan(file, memory, {.only = &beyond, .summary = false}));
  EXPECT_THAT(memory.messages, IsEmpty());
}

}  // namespace
}  // namespace hild::mcap
