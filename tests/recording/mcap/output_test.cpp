// SPDX-License-Identifier: Apache-2.0
/// \file
/// Real files: kept, replaced, and cut back to whole records when the disk has no more room.
#include <gmock/gmock.h>
#include <sys/resource.h>

#include <array>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "recording/mcap/file.hpp"

namespace hild::mcap {
namespace {

using testing::HasSubstr;

class OutputFile : public testing::Test {
 protected:
  OutputFile() {
    std::string pattern = std::filesystem::temp_directory_path() / "hild-mcap-XXXXXX";
    folder = ::mkdtemp(pattern.data());
    file = folder + "/a.mcap";
  }
  ~OutputFile() override { std::filesystem::remove_all(folder); }
  [[nodiscard]] std::string content() const {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  static Result<void> add(Output& output, std::string_view a, std::string_view b = {}) {
    return output.append(std::array{a, b});
  }
  std::string folder;
  std::string file;
};

/// No file of this process may be longer, as on a full disk.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit now{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &now);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(OutputFile, PartsFollowEachOther) {
  auto output = FileOutput::create(file, FileOutput::Existing::refuse);
  ASSERT_TRUE(output);
  EXPECT_TRUE(add(*output, "ab", "cd"));
  EXPECT_TRUE(add(*output, "e"));
  EXPECT_TRUE(output->sync());
  EXPECT_EQ(content(), "abcde");
}

TEST_F(OutputFile, WhatIsThereIsKeptUnlessItMayBeReplaced) {
  std::ofstream(file) << "old";
  const auto refused = FileOutput::create(file, FileOutput::Existing::refuse);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("exists"));
  EXPECT_EQ(content(), "old");
  auto output = FileOutput::create(file, FileOutput::Existing::replace);
  ASSERT_TRUE(output);
  EXPECT_TRUE(add(*output, "n"));
  EXPECT_EQ(content(), "n");
}

TEST_F(OutputFile, WhatDoesNotFitIsCutOffAndLaterThingsGoOn) {
  auto output = FileOutput::create(file, FileOutput::Existing::refuse);
  ASSERT_TRUE(output);
  ASSERT_TRUE(add(*output, "12345"));
  {
    const FileSizeLimit limit(8);
    const auto refused = add(*output, "abcd", "efgh");
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().message, HasSubstr("cannot write"));
    EXPECT_EQ(content(), "12345");
    EXPECT_TRUE(add(*output, "678"));
  }
  EXPECT_TRUE(add(*output, "9"));
  EXPECT_EQ(content(), "123456789");
}

TEST_F(OutputFile, ADeviceWithoutRoomTakesNothing) {
  auto output = FileOutput::create("/dev/full", FileOutput::Existing::replace);
  ASSERT_TRUE(output);
  EXPECT_THAT(add(*output, "1").error().message, HasSubstr("No space left on device"));
  EXPECT_THAT(add(*output, "1").error().message, HasSubstr("/dev/full"));
}

TEST_F(OutputFile, FoldersThatAreNotThereAreNamed) {
  const auto refused = FileOutput::create(folder + "/no/a.mcap", FileOutput::Existing::refuse);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("/no/a.mcap: No such file"));
}

TEST_F(OutputFile, IsWhereOthersMovedIt) {
  auto output = FileOutput::create(file, FileOutput::Existing::refuse);
  ASSERT_TRUE(output);
  ASSERT_TRUE(add(*output, "12345"));
  EXPECT_EQ(output->whereabouts().moved_to, "");
  std::filesystem::rename(file, folder + "/b.mcap");
  std::ofstream(file) << "of another";
  EXPECT_EQ(output->whereabouts().moved_to, folder + "/b.mcap");
  EXPECT_EQ(output->whereabouts().harm, "");
  std::filesystem::rename(folder + "/b.mcap", file);
  EXPECT_EQ(output->whereabouts().moved_to, "");
  EXPECT_GE(output->whereabouts().left, 5U);
}

TEST_F(OutputFile, IsGoneWithItsLastName) {
  auto output = FileOutput::create(file, FileOutput::Existing::refuse);
  ASSERT_TRUE(output);
  std::filesystem::create_hard_link(file, folder + "/b.mcap");
  std::filesystem::remove(file);
  EXPECT_EQ(output->whereabouts().moved_to, folder + "/a.mcap (deleted)")
      << "what the kernel knows: it has a name, though not this one";
  std::filesystem::remove(folder + "/b.mcap");
  const Whereabouts now = output->whereabouts();
  EXPECT_EQ(now.left, 0U);
  EXPECT_THAT(now.harm, HasSubstr("a.mcap: was deleted"));
}

TEST_F(OutputFile, IsCutByOthers) {
  auto output = FileOutput::create(file, FileOutput::Existing::refuse);
  ASSERT_TRUE(output);
  ASSERT_TRUE(add(*output, "12345"));
  std::filesystem::resize_file(file, 3);
  const Whereabouts now = output->whereabouts();
  EXPECT_EQ(now.left, 3U);
  EXPECT_THAT(now.harm, HasSubstr("a.mcap: was cut by another program from 5 bytes to 3"));
}

TEST_F(OutputFile, ThatIsADeviceGoesNowhere) {
  auto output = FileOutput::create("/dev/null", FileOutput::Existing::replace);
  ASSERT_TRUE(output);
  ASSERT_TRUE(add(*output, "12345"));
  EXPECT_EQ(output->whereabouts().harm, "");
  EXPECT_EQ(output->whereabouts().moved_to, "");
}

TEST_F(OutputFile, IsReadBack) {
  std::ofstream(file) << "0123456789";
  auto source = FileSource::open(file);
  ASSERT_TRUE(source);
  EXPECT_EQ(source->size(), 10U);
  std::array<std::byte, 3> bytes{};
  ASSERT_TRUE(source->read(4, bytes));
  EXPECT_EQ(static_cast<char>(bytes[2]), '6');
  EXPECT_THAT(source->read(8, bytes).error().message, HasSubstr("at byte 10"));
  EXPECT_THAT(FileSource::open(folder).error().message, HasSubstr("not a file"));
  EXPECT_THAT(FileSource::open(folder + "/b").error().message, HasSubstr("/b: No such file"));
}

}  // namespace
}  // namespace hild::mcap
