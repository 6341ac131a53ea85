// SPDX-License-Identifier: Apache-2.0
/// \file
/// A file made whole again: what goes wrong meanwhile is told, and what was read is kept.
#include "recording/mcap/recover.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "files.hpp"

namespace hild::mcap {
namespace {

using testing::SizeIs;

/// Cut within its last chunk.
std::string cut_file() {
  const std::string file = small_file();
  std::size_t end = 0;
  for (const Raw& record : walk(file)) end = record.opcode == 6 ? record.end : end;
  return file.substr(0, end - 5);
}

/// What `go_on` lets through of a file that was cut, as it is read afterwards.
struct Recovered {
  explicit Recovered(const std::string& from,
                     const std::function<bool(std::uint64_t)>& go_on = {}) {
    MemorySource source(from);
    MemoryOutput output;
    const auto done = recover(source, output, go_on);
    EXPECT_TRUE(done);
    if (done) told = *done;
    const auto again = scan(output.bytes, memory, {.verify = true});
    EXPECT_TRUE(again && again->complete && again->damages.empty());
  }
  Scan told;
  Memory memory;
};

TEST(Recover, OfACutFileKeepsWhatStandsBesideTheMessages) {
  const Recovered whole(cut_file());
  EXPECT_EQ(whole.told.chunks, chunks_of_small - 1U);
  EXPECT_FALSE(whole.told.complete);
  EXPECT_THAT(whole.memory.messages, SizeIs((chunks_of_small - 1) * messages_of_chunk));
  ASSERT_THAT(whole.memory.headers, SizeIs(1));
  EXPECT_EQ(whole.memory.headers[0].library, "test");
  ASSERT_THAT(whole.memory.metadatas, SizeIs(1));
  EXPECT_EQ(whole.memory.metadatas[0].name, "about");
  ASSERT_THAT(whole.memory.attachments, SizeIs(1));
  EXPECT_EQ(whole.memory.attachments[0].name, "a.txt");
  EXPECT_EQ(whole.memory.attachments[0].log_time, 5U);
  ASSERT_FALSE(whole.memory.channels.empty());
  EXPECT_EQ(whole.memory.channels[0].topic, "/first");
  EXPECT_EQ(whole.memory.channels[0].schema, 1);
  ASSERT_FALSE(whole.memory.schemas.empty());
  EXPECT_EQ(whole.memory.schemas[0].name, "S");
}

// With its footer behind it the summary counts what is there, chunk by chunk.
TEST(Recover, KeepsTheChunksApart) {
  const Recovered whole(cut_file());
  EXPECT_EQ(whole.memory.chunks, chunks_of_small - 1);
}

TEST(Recover, StoppedWritesWhatItReadSoFar) {
  const std::string file = small_file();
  std::size_t first_chunk = 0;
  for (const Raw& record : walk(file)) {
    if (record.opcode == 6 && first_chunk == 0) first_chunk = record.end;
  }
  std::vector<std::uint64_t> asked;
  const Recovered part(file, [&](std::uint64_t offset) {
    asked.push_back(offset);
    return offset < first_chunk;
  });
  EXPECT_TRUE(part.told.stopped);
  EXPECT_THAT(part.memory.messages, SizeIs(messages_of_chunk));
  EXPECT_TRUE(std::ranges::is_sorted(asked));
  EXPECT_EQ(asked.front(), 8U) << "after the magic";
  EXPECT_EQ(asked.back(), first_chunk);
}

TEST(Recover, WithoutAHeaderMakesOne) {
  const std::string file = small_file();
  const Raw header = walk(file)[0];
  ASSERT_EQ(header.opcode, 1U);
  const Recovered whole(file.substr(0, 8) + file.substr(header.end));
  ASSERT_THAT(whole.memory.headers, SizeIs(1));
  EXPECT_EQ(whole.memory.headers[0].library, "recovered");
  EXPECT_EQ(whole.memory.metadatas[0].name, "about");
  EXPECT_THAT(whole.memory.messages, SizeIs(chunks_of_small * messages_of_chunk));
}

// Wherever the room ends, the first thing that did not fit is told and nothing follows it.
TEST(Recover, ADiskThatFillsUpIsToldOf) {
  const std::string file = small_file();
  MemorySource source(file);
  MemoryOutput enough;
  ASSERT_TRUE(recover(source, enough));
  for (std::size_t room = 0; room < enough.bytes.size(); ++room) {
    MemorySource again(file);
    MemoryOutput output(room);
    const auto done = recover(again, output);
    ASSERT_FALSE(done) << room;
    EXPECT_EQ(done.error().message, "no room");
    EXPECT_EQ(enough.bytes.substr(0, output.bytes.size()), output.bytes) << room;
  }
}

TEST(Recover, ReadsNoFurtherThanThereIsRoomFor) {
  const std::string file = small_file();
  MemorySource source(file);
  MemoryOutput none(0);
  int asked = 0;
  EXPECT_FALSE(recover(source, none, [&](std::uint64_t) { return ++asked > 0; }));
  EXPECT_LE(asked, 2);
}

/// Takes everything and keeps nothing for sure.
class Forgetful final : public Output {
 public:
  Result<void> append(std::span<const std::string_view> parts) override {
    return memory_.append(parts);
  }
  Result<void> sync() override { return fail("not on the disk"); }

 private:
  MemoryOutput memory_;
};

/// Takes all but one write.
class Hiccup final : public Output {
 public:
  explicit Hiccup(int of_call) : left_(of_call) {}
  Result<void> append(std::span<const std::string_view> parts) override {
    ++calls;
    return left_-- == 0 ? fail("not now") : memory_.append(parts);
  }
  Result<void> sync() override { return {}; }
  int calls = 0;

 private:
  int left_;
  MemoryOutput memory_;
};

// Whichever it is: a file with a hole is no recovery, though all that followed was written.
TEST(Recover, OneWriteThatFailsIsEnough) {
  const std::string file = small_file();
  MemorySource whole(file);
  Hiccup none(-1);
  ASSERT_TRUE(recover(whole, none));
  ASSERT_GT(none.calls, chunks_of_small);
  for (int call = 0; call < none.calls; ++call) {
    MemorySource source(file);
    Hiccup output(call);
    const auto done = recover(source, output);
    ASSERT_FALSE(done) << call;
    EXPECT_EQ(done.error().message, "not now");
  }
}

TEST(Recover, WhatMayNotBeOnTheDiskIsToldOf) {
  const std::string file = small_file();
  MemorySource source(file);
  Forgetful output;
  const auto done = recover(source, output);
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().message, "not on the disk");
}

TEST(Recover, WhatIsNoFileIsRefused) {
  const std::string file = "frame: {period: 1 ms}\n";
  MemorySource source(file);
  MemoryOutput output;
  EXPECT_FALSE(recover(source, output));
  EXPECT_EQ(output.bytes, "");
}

void put_number(std::string& to, std::uint64_t number, int bytes) {
  for (int i = 0; i < bytes; ++i) to += static_cast<char>(number >> (8 * i));
}

/// As of another program: messages that are in no chunk.
std::string unchunked(int messages, std::size_t bytes) {
  const std::string file = small_file();
  std::string made = file.substr(0, 8);
  for (const Raw& record : walk(file)) {
    if (record.opcode == 6) break;
    if (record.opcode == 1 || record.opcode == 3 || record.opcode == 4) {
      made += file.substr(record.offset, record.end - record.offset);
    }
  }
  for (int m = 0; m < messages; ++m) {
    made += '\x05';
    put_number(made, 22 + bytes, 8);
    put_number(made, 1, 2);
    put_number(made, static_cast<std::uint64_t>(m), 4);
    put_number(made, static_cast<std::uint64_t>(100 + m), 8);
    put_number(made, static_cast<std::uint64_t>(100 + m), 8);
    made.append(bytes, static_cast<char>('a' + m));
  }
  return made;
}

TEST(Recover, PutsMessagesWithoutChunksIntoSome) {
  const Recovered whole(unchunked(3, 10));
  ASSERT_THAT(whole.memory.messages, SizeIs(3));
  EXPECT_EQ(whole.memory.messages[2], (Got{1, 102, "cccccccccc"}));
  EXPECT_EQ(whole.memory.chunks, 1);
}

// Chunks of 16 MiB at least, where a reader that seeks would else have to read it all.
TEST(Recover, BeginsAnotherChunkWhenOneIsLarge) {
  const Recovered whole(unchunked(5, 8U << 20U));
  EXPECT_THAT(whole.memory.messages, SizeIs(5));
  EXPECT_EQ(whole.memory.chunks, 3) << "of two, two and one";
}

}  // namespace
}  // namespace hild::mcap
