// SPDX-License-Identifier: Apache-2.0
/// What is saved is what is loaded; what does not fit is told by its place and never believed.
#include "hild/core/archive.hpp"

#include <gtest/gtest.h>

#include "core/archive_problem.hpp"
#include "core/archive_sections.hpp"

namespace hild {
namespace {

enum class Colour : std::uint8_t { red, green, blue };

struct Inner {
  double x = 0;
  bool on = false;
  void transfer(Archive& archive) noexcept { archive(x, on); }
};

struct Whole {
  double d = 0;
  std::int32_t n = 0;
  std::size_t place = 0;
  Colour colour = Colour::red;
  SimTime t{};
  Duration h{};
  MonoTime at{};
  std::array<double, 3> three{};
  std::vector<Inner> inners{2};
  std::vector<double> some{};
  void transfer(Archive& archive) noexcept {
    archive(d, n);
    archive.number(place, 2, 9, "the place");
    archive.choice(colour, Colour::blue, "the colour");
    archive(t, h, at, three, inners);
    archive.list(some, 4, "some numbers", [&](double& v) { archive(v); });
  }
};

constexpr Archive::Now noon{.time = {12'000}, .tick = {1'000'000}};

Whole example() {
  Whole w{.d = -0.1, .n = -7, .place = 5, .colour = Colour::green};
  w.t = {123};
  w.h = {-4};
  w.at = {999'000};
  w.three = {1, 2, std::numeric_limits<double>::quiet_NaN()};
  w.inners = {{3, true}, {4, false}};
  w.some.reserve(4);
  w.some = {7, 8};
  return w;
}

std::vector<std::byte> saved(Whole& w) {
  Archive measured = Archive::measuring();
  w.transfer(measured);
  std::vector<std::byte> bytes(measured.bytes());
  Archive archive = Archive::saving(bytes, noon);
  w.transfer(archive);
  EXPECT_TRUE(archive.good());
  bytes.resize(archive.bytes());
  return bytes;
}

std::string problem_of(std::span<const std::byte> bytes, Archive::Now now = noon) {
  Whole w;
  w.some.reserve(4);
  Archive archive = Archive::loading(bytes, now);
  w.transfer(archive);
  return words_for(archive.problem());
}

TEST(Archive, LoadsWhatWasSaved) {
  Whole was = example();
  const auto bytes = saved(was);
  Whole is;
  is.some.reserve(4);
  Archive archive = Archive::loading(bytes, {.time = {50}, .tick = {3'000'000}});
  is.transfer(archive);
  EXPECT_TRUE(archive.good()) << words_for(archive.problem());
  EXPECT_EQ(archive.left(), 0U);
  EXPECT_EQ(is.d, was.d);
  EXPECT_EQ(is.n, was.n);
  EXPECT_EQ(is.place, 5U);
  EXPECT_EQ(is.colour, Colour::green);
  EXPECT_EQ(is.t, was.t);
  EXPECT_EQ(is.h, was.h);
  EXPECT_EQ(is.at, MonoTime{2'999'000}) << "as long before the tick as it was";
  EXPECT_EQ(is.three[1], 2);
  EXPECT_NE(is.three[2], is.three[2]);
  EXPECT_EQ(is.inners[0].x, 3);
  EXPECT_TRUE(is.inners[0].on);
  EXPECT_EQ(is.some, (std::vector<double>{7, 8}));
}

// Two numbers of a list that may have four: so many more may be needed.
TEST(Archive, MeasuresTheMostThatMayBeNeeded) {
  Whole w = example();
  Archive archive = Archive::measuring();
  w.transfer(archive);
  EXPECT_EQ(archive.bytes(), saved(w).size() + 2 * sizeof(double));
  EXPECT_EQ(w.some.size(), 2U);
}

TEST(Archive, EndsWithinWhatItIsGiven) {
  Whole w = example();
  const auto bytes = saved(w);
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    std::vector<std::byte> room(n);
    Archive small = Archive::saving(room, noon);
    w.transfer(small);
    EXPECT_EQ(small.problem().kind, Archive::Problem::Kind::no_room) << n;
    EXPECT_NE(problem_of(std::span(bytes).first(n)), "") << n;
  }
  EXPECT_EQ(problem_of(std::span(bytes).first(4)), "byte 0: it ends too early");
}

// Each byte, all of its bits turned over: numbers that may be anything stay numbers, others are
// refused, and nothing else happens.
TEST(Archive, BelievesNothing) {
  Whole w = example();
  const auto bytes = saved(w);
  const auto with = [&](std::size_t at, unsigned value) {
    auto changed = bytes;
    changed[at] = static_cast<std::byte>(value);
    return problem_of(changed);
  };
  EXPECT_EQ(with(12, 10), "byte 12: the place is 10, expected 2 to 9");
  EXPECT_EQ(with(12, 1), "byte 12: the place is 1, expected 2 to 9");
  EXPECT_EQ(with(19, 0x80), "byte 12: the place is 9223372036854775807, expected 2 to 9");
  EXPECT_EQ(with(20, 3), "byte 20: the colour is 3, expected 0 to 2");
  EXPECT_NE(with(28, 0x7F).find("a time in ns is"), std::string::npos);
  EXPECT_EQ(with(77, 2), "byte 77: a flag is 2, expected 0 to 1");
  EXPECT_EQ(with(87, 5), "byte 87: some numbers is 5, expected 0 to 4");
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const auto flipped = std::to_integer<unsigned>(~bytes[at]) & 0xFFU;
    EXPECT_EQ(with(at, flipped).find("of another"), std::string::npos) << at;
  }
}

TEST(Archive, LoadsZerosOnceItHasFailed) {
  const std::vector<std::byte> nothing(3);
  Archive archive = Archive::loading(nothing, noon);
  double x = 5;
  std::int32_t n = 7;
  bool on = true;
  std::array<double, 2> two{1, 2};
  archive(x, on, two);
  archive.number(n, 3, 9, "n");
  EXPECT_EQ(x, 0);
  EXPECT_FALSE(on);
  EXPECT_EQ(two[1], 0);
  EXPECT_EQ(n, 3) << "within its limits all the same";
  EXPECT_EQ(words_for(archive.problem()), "byte 0: it ends too early") << "what was wrong first";
}

TEST(Archive, TellsWhatMustFitAndWhatCannotBe) {
  std::array<std::byte, 8> room{};
  Archive saving = Archive::saving(room, noon);
  saving.check(false, "anything");
  EXPECT_TRUE(saving.good()) << "what is there is true";
  saving.expect(42, "model");
  Archive same = Archive::loading(room, noon);
  same.expect(42, "model");
  EXPECT_TRUE(same.good());
  Archive other = Archive::loading(room, noon);
  other.expect(43, "model");
  EXPECT_EQ(words_for(other.problem()), "byte 0: it is of another model");
  Archive loading = Archive::loading(room, noon);
  loading.check(false, "the length");
  EXPECT_EQ(words_for(loading.problem()), "byte 0: the length does not fit the rest");
  Archive refusing = Archive::measuring();
  refusing.refuse("it is a secret");
  EXPECT_EQ(words_for(refusing.problem()), "its state cannot be saved: it is a secret");
}

// ---- sections ----------------------------------------------------------------------------------

struct Sections {
  double a = 1;
  double b = 2;
  double c = 3;
  bool b_can = true;
  bool b_was_there = false;
  void transfer(Archive& archive) noexcept {
    archive.section("first", [&] { archive(a); });
    b_was_there = archive.section_if_any("maybe", [&] {
      archive(b);
      if (!b_can) archive.refuse("no");
    });
    archive.section("last", [&] { archive(c); });
  }
};

std::vector<std::byte> bytes_of(Sections& s) {
  std::vector<std::byte> bytes(200);
  Archive archive = Archive::saving(bytes, noon);
  s.transfer(archive);
  EXPECT_TRUE(archive.good()) << words_for(archive.problem());
  bytes.resize(archive.bytes());
  return bytes;
}

TEST(ArchiveSections, AreFoundByTheirNames) {
  Sections s;
  const auto bytes = bytes_of(s);
  EXPECT_TRUE(s.b_was_there);
  Sections t{0, 0, 0};
  Archive archive = Archive::loading(bytes, noon);
  EXPECT_EQ(archive.name_ahead(), "first");
  t.transfer(archive);
  EXPECT_TRUE(archive.good());
  EXPECT_EQ(archive.left(), 0U);
  EXPECT_EQ(archive.name_ahead(), "");
  EXPECT_EQ(t.a + t.b * 10 + t.c * 100, 321);
}

// Taken apart and put together they are the same bytes, and what is cut off is no section.
TEST(ArchiveSections, AreTakenApartAndPutTogether) {
  Sections s;
  const auto bytes = bytes_of(s);
  std::vector<std::byte> again;
  std::vector<std::string_view> names;
  for (const ArchiveSection& section : sections_of(bytes)) {
    names.push_back(section.name);
    append(section, again);
  }
  EXPECT_EQ(names, (std::vector<std::string_view>{"first", "maybe", "last"}));
  EXPECT_EQ(again, std::vector<std::byte>(bytes.begin(), bytes.end()));
  EXPECT_EQ(sections_of(std::span(bytes).first(bytes.size() - 1)).size(), names.size() - 1);
  EXPECT_TRUE(sections_of(std::span(bytes).first(3)).empty());
}

TEST(ArchiveSections, AreLeftOutWhereTheyMayBe) {
  Sections s;
  s.b_can = false;
  const auto bytes = bytes_of(s);
  EXPECT_FALSE(s.b_was_there);
  Sections t{0, 5, 0};
  Archive archive = Archive::loading(bytes, noon);
  t.transfer(archive);
  EXPECT_TRUE(archive.good()) << words_for(archive.problem());
  EXPECT_FALSE(t.b_was_there);
  EXPECT_EQ(t.b, 5);
  EXPECT_EQ(t.c, 3);
  Archive measured = Archive::measuring();
  s.transfer(measured);
  EXPECT_TRUE(measured.good());
}

TEST(ArchiveSections, TellWhichOfThemIsWrong) {
  const auto problem = [](auto&& transfer, std::span<const std::byte> bytes) {
    Archive archive = Archive::loading(bytes, noon);
    transfer(archive);
    return words_for(archive.problem());
  };
  Sections s;
  const auto bytes = bytes_of(s);
  double a = 0;
  float less = 0;
  const auto first = [&](std::string_view name, auto& value) {
    return [&archive_value = value, name](Archive& archive) {
      archive.section(name, [&] { archive(archive_value); });
    };
  };
  EXPECT_EQ(problem(first("second", a), bytes), "section second, byte 0: it is missing");
  EXPECT_EQ(problem(first("first", less), bytes),
            "section first, byte 4: it has 4 bytes more than expected");
  std::array<double, 2> more{};
  EXPECT_EQ(problem(first("first", more), bytes), "section first, byte 0: it ends too early")
      << "though more bytes follow";
  auto longer = bytes;
  longer[6] = std::byte{0xFF};  // of the length of the first
  EXPECT_EQ(problem(first("first", a), longer), "section first, byte 0: it ends too early");
  EXPECT_EQ(problem(first("first", a), std::span(bytes).first(3)),
            "section first, byte 0: it is missing");
}

}  // namespace
}  // namespace hild
