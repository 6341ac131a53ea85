// SPDX-License-Identifier: Apache-2.0
/// \file
/// The checker of rooms finds what it is there to find, and only that.
#include "rooms/source_rules.hpp"

#include <gmock/gmock.h>

#include "rooms/class_members.hpp"
#include "rooms/source_text.hpp"

namespace hild::rooms {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

std::vector<std::string> findings(std::string_view path, std::string_view source) {
  std::vector<std::string> words;
  for (const Finding& finding : check(path, source)) words.push_back(to_string(finding));
  return words;
}

TEST(SourceText, BlanksCommentsAndLiteralsAndKeepsPlaces) {
  EXPECT_EQ(code_only("a/*b\nc*/d//e\nf"), "a   \n   d   \nf");
  EXPECT_EQ(code_only(R"(x = "t\"u"; y)"), "x =       ; y");
  EXPECT_EQ(code_only("c = '\"'; d = '\\''; e"), "c =    ; d =     ; e");
  EXPECT_EQ(code_only("R\"x(a)\" \"\n)x\" b"), "R        \n    b");
}

TEST(SourceText, DigitSeparatorsBeginNoLiteral) {
  EXPECT_EQ(code_only("n = 1'000'000; throw 0x1'f"), "n = 1'000'000; throw 0x1'f");
  EXPECT_EQ(code_only("u'x' b"), "u    b");
}

TEST(SourceText, WhatIsNotClosedEndsWithTheText) {
  EXPECT_EQ(code_only("a /* b"), "a     ");
  EXPECT_EQ(code_only("a \"b\nc"), "a   \nc");
  EXPECT_EQ(code_only("a R\"(b"), "a R   ");
}

TEST(SourceText, FindsIncludesOutsideCommentsAndRawStrings) {
  const auto found = includes_of(
      "// #include \"a\"\n"
      "#include \"b/c.hpp\"  // why\n"
      "R\"(\n#include \"d\"\n)\"\n"
      "#  include <e>\n");
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].path, "b/c.hpp");
  EXPECT_EQ(found[0].line, 2);
  EXPECT_TRUE(found[0].quoted);
  EXPECT_EQ(found[1].path, "e");
  EXPECT_EQ(found[1].line, 6);
  EXPECT_FALSE(found[1].quoted);
}

TEST(SourceText, FindsLiteralsOutsideComments) {
  const auto found = literals_of("f(\"a\", 'b'); // \"c\"\n/* \"d\" */ g(R\"x(e\"f)x\", 1'000);");
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(found[0].text, "\"a\"");
  EXPECT_EQ(found[0].at, 2U);
  EXPECT_EQ(found[1].text, "'b'");
  EXPECT_EQ(found[2].text, "\"x(e\"f)x\"");
}

TEST(SourceRules, KnowsTheRoomOfAPath) {
  EXPECT_EQ(room_of_file("include/hild/rt/ring.hpp"), "rt");
  EXPECT_EQ(room_of_file("src/model/builtin/dc_motor.cpp"), "model");
  EXPECT_EQ(room_of_file("drivers/sim.cpp"), "drivers");
  EXPECT_EQ(room_of_file("drivers/dbc/dbc.cpp"), "drivers/dbc");
  EXPECT_EQ(room_of_file("tests/rt/ring_test.cpp"), "");
  EXPECT_EQ(room_of_include("hild/rt/ring.hpp"), "rt");
  EXPECT_EQ(room_of_file("src/recording/framelog/reader.cpp"), "recording/framelog");
  EXPECT_EQ(room_of_file("src/control/server/page/view.cpp"), "control/server");
  EXPECT_EQ(room_of_file("src/recording/stray.cpp"), "recording") << "in no folder of it";
  EXPECT_EQ(room_of_include("recording/framelog/reader.hpp"), "recording/framelog");
  EXPECT_EQ(room_of("recording/framelog"), "recording");
  EXPECT_EQ(room_of("rt"), "rt");
  EXPECT_EQ(room_of_include("exec/meter.hpp"), "exec");
  EXPECT_EQ(room_of_include("drivers/sim_world.hpp"), "drivers");
  EXPECT_EQ(room_of_include("drivers/can/codec.hpp"), "drivers/can");
  EXPECT_EQ(room_of_include("sys/mman.h"), "");
  EXPECT_EQ(room_of_include("vector"), "");
}

TEST(SourceRules, ArrowsPointDown) {
  EXPECT_TRUE(may_include("exec", "core"));
  EXPECT_TRUE(may_include("cli/report", "numerics"));
  EXPECT_TRUE(may_include("cli/main", "control/server"));
  EXPECT_FALSE(may_include("rt", "io"));
  EXPECT_FALSE(may_include("numerics", "rt"));
  EXPECT_FALSE(may_include("model", "io"));
  EXPECT_FALSE(may_include("drivers", "model"));
  EXPECT_FALSE(may_include("exec", "drivers"));
  EXPECT_FALSE(may_include("recording/record", "config"));
  EXPECT_FALSE(may_include("config/plan", "recording/record"));
}

TEST(SourceRules, AnUpwardArrowIsFoundWithItsPlace) {
  EXPECT_THAT(
      findings("src/rt/thread.cpp", "\n#include \"exec/meter.hpp\"\n"),
      ElementsAre(AllOf(StartsWith("src/rt/thread.cpp:2: room 'rt' may not include "),
                        HasSubstr("'exec/meter.hpp'"), EndsWith("arrows point down only"))));
  EXPECT_THAT(findings("src/rt/thread.cpp", "#include <hild/io/device.hpp>\n"),
              ElementsAre(HasSubstr("room 'io' is not below it")));
  EXPECT_THAT(findings("src/exec/meter.cpp", "#include \"hild/rt/clock.hpp\"\n"), IsEmpty());
}

TEST(SourceRules, AnIncludeThatHidesItsRoomIsFound) {
  EXPECT_THAT(findings("src/exec/meter.cpp", "#include \"../config/node.hpp\"\n"),
              ElementsAre(HasSubstr("is in no room")));
}

TEST(SourceRules, PublicHeadersAndDriversSeePublicHeadersOnly) {
  EXPECT_THAT(findings("drivers/sim.cpp", "#include \"io/bus.hpp\"\n"),
              ElementsAre(HasSubstr("is not public")));
  EXPECT_THAT(findings("include/hild/io/device.hpp", "#include \"io/bus.hpp\"\n"),
              ElementsAre(HasSubstr("is not public")));
  EXPECT_THAT(findings("drivers/sim.cpp", "#include \"drivers/sim_world.hpp\"\n"), IsEmpty());
  EXPECT_THAT(findings("drivers/dbc/dbc.cpp", "#include \"core/text_file.hpp\"\n"),
              ElementsAre(HasSubstr("is not public")));
  EXPECT_THAT(findings("drivers/dbc/dbc.cpp", "#include \"drivers/can/codec.hpp\"\n"), IsEmpty());
}

TEST(SourceRules, AtomicsAreInOneRoom) {
  const std::string_view source = "#include <atomic>\nstd::atomic<int> n; std::atomic_ref r(i);\n";
  EXPECT_THAT(findings("src/rt/flag.cpp", source), IsEmpty());
  EXPECT_THAT(findings("src/cli/main/main.cpp", source),
              ElementsAre(StartsWith("src/cli/main/main.cpp:1: 'atomic' in room 'cli/main': "),
                          StartsWith("src/cli/main/main.cpp:2: 'std::atomic*'"),
                          StartsWith("src/cli/main/main.cpp:2: 'std::atomic*'")));
  EXPECT_THAT(findings("src/exec/a.cpp", "__atomic_load_n(&x, 0); __sync_synchronize();").size(),
              2);
  EXPECT_THAT(findings("src/exec/a.cpp", "volatile bool stop;").size(), 1);
}

TEST(SourceRules, TheRealTimeSideIsBounded) {
  for (const char* line : {"throw 1;", "void f() throw();", "std::string s;", "std::mutex m;",
                           "#include <mutex>", "#include <iostream>", "printf(\"\");",
                           "std::snprintf(b, 1, \"\");", "#include <condition_variable>",
                           "std::condition_variable_any c;", "std::function<void()> f;"}) {
    EXPECT_EQ(findings("src/exec/a.cpp", line).size(), 1U) << line;
    EXPECT_EQ(findings("src/config/a.cpp", line).size(), 0U) << line;
  }
  EXPECT_THAT(findings("include/hild/rt/thread.hpp", "std::function<void()> body;"), IsEmpty());
}

TEST(SourceRules, NamesThatOnlyLookAlikeAreNotFound) {
  EXPECT_THAT(findings("src/exec/a.cpp",
                       "// throw, std::mutex and <atomic>\n"
                       "std::string_view v = \"throw std::string\"; int rethrow_count, throws;\n"
                       "std::is_atomic_like x; my_std::stringy y; std::to_string(1);\n"
                       "std::functional f; printf_like p;\n"),
              IsEmpty());
}

TEST(SourceRules, APageCitedByItsPlaceInTheTreeIsFound) {
  EXPECT_THAT(findings("src/cli/ctl/a.cpp", "\nsay(\"see docs/control.md\");"),
              ElementsAre(AllOf(StartsWith("src/cli/ctl/a.cpp:2: 'docs/control.md'"),
                                HasSubstr("doc_page()"))));
  EXPECT_EQ(findings("src/cli/main/a.cpp", "R\"(hild's `docs/no-such.md` tells)\"").size(), 1U);
  EXPECT_THAT(findings("src/cli/ctl/a.cpp", "// docs/control.md\nsay(\"docs/ and \" + page);"),
              IsEmpty());
}

TEST(SourceRules, AClassOfTooManyMembersIsFound) {
  std::string members;
  for (char c = 'a'; c <= 'o'; ++c) members += std::string("int ") + c + "_ = f(1);\n";
  EXPECT_THAT(findings("src/exec/a.cpp", "class Wide {\n" + members + "};"), IsEmpty());
  EXPECT_THAT(findings("src/exec/a.cpp", "\nclass Wide : public B<A> {\n" + members + "int p_;};"),
              ElementsAre(AllOf(StartsWith("src/exec/a.cpp:2: class 'Wide' has 16 members"),
                                HasSubstr("at most 15"))));
  EXPECT_EQ(findings("src/config/a.cpp", "struct Outer { class Wide final { private:\n" + members +
                                             " std::function<void(int)> p_; }; };")
                .size(),
            1U);
}

TEST(SourceRules, WhatAClassHoldsIsCounted) {
  const auto members = [](std::string_view body) {
    const auto classes = members_of_classes("class A {" + std::string(body) + "};");
    return classes.size() == 1 ? classes.front().members : -1;
  };
  EXPECT_EQ(members("int a_, b_ = 1, c_{2}; std::array<int, 3> d_{};"), 4);
  EXPECT_EQ(members("private: alignas(64) int a_[2]; mutable B b_;"), 2);
  EXPECT_EQ(members("A(int a) : a_(a), b_{a}, c_{a} { d_ = a; } int a_;"), 1);
  EXPECT_EQ(members("int get() const { return a_; } void set(int a) { a_ = a; } int a_;"), 1);
  EXPECT_EQ(members("struct B { int a_, b_; }; B b_; static int c_; using D = E; int plain;"), 1);
  const auto inner = members_of_classes("class A::B final : public C { int a_; };");
  ASSERT_EQ(inner.size(), 1U);
  EXPECT_EQ(inner.front().name, "B");
  EXPECT_EQ(inner.front().members, 1);
  EXPECT_THAT(members_of_classes("template <class A> void f(class B); enum class C { a_ };"),
              IsEmpty());
}

TEST(SourceRules, AFileInNoRoomIsFound) {
  EXPECT_THAT(findings("src/attic/a.cpp", ""), ElementsAre(HasSubstr("in no room")));
}

}  // namespace
}  // namespace hild::rooms
