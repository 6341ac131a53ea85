// SPDX-License-Identifier: Apache-2.0
/// \file
/// Archives byte by byte: names twice, files that are damaged, more than there may be.
#include "foreign/fmu/archive.hpp"

#include <gmock/gmock.h>

#include <boost/crc.hpp>
#include <fstream>

namespace hild::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

/// A zip archive of stored files, written from the format's description (APPNOTE 4.3).
class Zip {
 public:
  void add(const std::string& name, const std::string& text, std::uint32_t wrong = 0) {
    boost::crc_32_type crc;
    crc.process_bytes(text.data(), text.size());
    const auto size = static_cast<std::uint32_t>(text.size());
    std::string common;  // of both headers
    number(common, 20, 2);
    number(common, 0, 2);
    number(common, 0, 2);
    number(common, 0, 2);
    number(common, 0x21, 2);
    number(common, crc.checksum() ^ wrong, 4);
    number(common, size, 4);
    number(common, size, 4);
    number(common, static_cast<std::uint32_t>(name.size()), 2);
    number(common, 0, 2);
    number(directory_, 0x02014b50, 4);
    number(directory_, 20, 2);
    directory_ += common;
    number(directory_, 0, 2);
    number(directory_, 0, 2);
    number(directory_, 0, 2);
    number(directory_, 0, 4);
    number(directory_, static_cast<std::uint32_t>(files_.size()), 4);
    directory_ += name;
    number(files_, 0x04034b50, 4);
    files_ += common + name + text;
    ++count_;
  }
  [[nodiscard]] std::string bytes() const {
    std::string all = files_ + directory_;
    number(all, 0x06054b50, 4);
    number(all, 0, 4);
    number(all, count_, 2);
    number(all, count_, 2);
    number(all, static_cast<std::uint32_t>(directory_.size()), 4);
    number(all, static_cast<std::uint32_t>(files_.size()), 4);
    number(all, 0, 2);
    return all;
  }

 private:
  static void number(std::string& to, std::uint32_t value, int width) {
    for (; width > 0; --width, value >>= 8U) to += static_cast<char>(value & 0xffU);
  }
  std::string files_, directory_;
  std::uint32_t count_ = 0;
};

/// Where the files of an archive go.
struct Unpacked {
  explicit Unpacked(const Zip& zip, const fmu::Bounds& bounds = {}) {
    std::ofstream(top.path() / "x.fmu", std::ios::binary) << zip.bytes();
    fs::create_directory(top.path() / "in");
    const auto done = fmu::unpack(top.path() / "x.fmu", top.path() / "in", bounds);
    error = done ? "" : done.error().message;
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    std::ifstream in(top.path() / "in" / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  fmu::Folder top = std::move(*fmu::Folder::make());
  std::string error;
};

Zip described() {
  Zip zip;
  zip.add("modelDescription.xml", "<x/>");
  return zip;
}

TEST(Archive, OfNamesThatAreThereTwiceTheFirstCounts) {
  Zip zip = described();
  zip.add("resources/a.txt", "first");
  zip.add("resources/a.txt", "second");
  zip.add("documentation/index.html", "not unpacked");
  const Unpacked unpacked(zip);
  EXPECT_EQ(unpacked.error, "");
  EXPECT_EQ(unpacked.text("modelDescription.xml"), "<x/>");
  EXPECT_EQ(unpacked.text("resources/a.txt"), "first");
  EXPECT_FALSE(fs::exists(unpacked.top.path() / "in/documentation"));
}

TEST(Archive, DamagedFilesAreRefused) {
  Zip zip = described();
  zip.add("resources/a.txt", "other bytes than were packed", 1);
  EXPECT_THAT(Unpacked(zip).error, HasSubstr("a.txt: is damaged"));
}

TEST(Archive, HoldsSoMuchAndNoMore) {
  Zip zip = described();  // of 4 bytes
  zip.add("resources/a.txt", std::string(6, 'a'));
  EXPECT_EQ(Unpacked(zip, {.files = 2, .bytes = 10}).error, "");
  EXPECT_EQ(Unpacked(zip, {.files = 1, .bytes = 10}).error, "holds 2 files, at most 1");
  EXPECT_EQ(Unpacked(zip, {.files = 2, .bytes = 9}).error, "unpacks to more than 9 bytes");
  EXPECT_EQ(fmu::Bounds{}.files, 10'000);
  EXPECT_EQ(fmu::Bounds{}.bytes, 1'073'741'824U);
}

TEST(Archive, NamesThatOtherSystemsReadOtherwiseAreRefused) {
  for (const char* name : {"resources\\a.txt", "resources/c:a.txt"}) {
    Zip zip = described();
    zip.add(name, "x");
    EXPECT_THAT(Unpacked(zip).error, HasSubstr("/ stands between folders, and \\ and : do not"))
        << name;
  }
}

}  // namespace
}  // namespace hild::testing
