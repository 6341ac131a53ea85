// SPDX-License-Identifier: Apache-2.0
#include "control/sequence/outcome.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <pugixml.hpp>

namespace hild::sequence {
namespace {

using testing::HasSubstr;

class Forms : public testing::Test {
 protected:
  Sequence sequence{.file = "t.yaml", .name = "a <b> & \"c\"", .steps = {}, .always = {}};
  Outcome outcome;

  void SetUp() override {
    sequence.steps = {{.name = "one", .keyword = "wait", .line = 3},
                      {.name = "two & \x01", .keyword = "expect", .line = 4},
                      {.name = "three", .keyword = "set", .line = 9}};
    sequence.always = {{.name = "four", .keyword = "release", .line = 12}};
    outcome.origin = SimTime{2'500'000'000};
    outcome.steps = {{&sequence.steps[0], Verdict::passed, {}, 500_ms, ""},
                     {&sequence.steps[1], Verdict::failed, 500_ms, 1250_ms, "x < 3 & \"y\""},
                     {&sequence.steps[2], Verdict::skipped, 1250_ms, 1250_ms, ""}};
    outcome.always = {{&sequence.always[0], Verdict::error, 1250_ms, 1300_ms, "refused"}};
  }
};

TEST_F(Forms, TheWorstDecides) {
  EXPECT_EQ(outcome.verdict(), Verdict::failed);
  outcome.steps[1].verdict = Verdict::passed;
  EXPECT_EQ(outcome.verdict(), Verdict::error);
  outcome.always[0].verdict = Verdict::passed;
  EXPECT_EQ(outcome.verdict(), Verdict::passed);
}

TEST_F(Forms, Text) {
  EXPECT_EQ(line_of(outcome.steps[0]), "PASS      0.500 s  one");
  EXPECT_THAT(line_of(outcome.steps[1]), HasSubstr("\n        line 4: x < 3 & \"y\""));
  EXPECT_EQ(summary(sequence, outcome),
            "a <b> & \"c\": failed (1 passed, 1 failed, 1 error, 1 skipped)");
}

TEST_F(Forms, Json) {
  const auto value = to_json(sequence, outcome).as_object();
  EXPECT_EQ(value.at("result"), "failed");
  EXPECT_EQ(value.at("failed"), 1);
  EXPECT_EQ(value.at("errors"), 1);
  EXPECT_EQ(value.at("sim_time_s"), 2.5);
  const auto& two = value.at("steps").at(1).as_object();
  EXPECT_EQ(two.at("result"), "failed");
  EXPECT_EQ(two.at("line"), 4);
  EXPECT_EQ(two.at("start_s"), 0.5);
  EXPECT_EQ(two.at("end_s"), 1.25);
  EXPECT_EQ(two.at("message"), "x < 3 & \"y\"");
  EXPECT_EQ(value.at("always").at(0).at("name"), "four");
}

TEST_F(Forms, JunitIsXmlThatAnotherParserReadsBack) {
  pugi::xml_document document;
  const std::string text = to_junit({to_json(sequence, outcome)});
  ASSERT_TRUE(document.load_buffer(text.data(), text.size())) << text;
  const auto suite = document.child("testsuites").child("testsuite");
  EXPECT_STREQ(suite.attribute("name").value(), "a <b> & \"c\"");
  EXPECT_EQ(suite.attribute("tests").as_int(), 4);
  EXPECT_EQ(suite.attribute("failures").as_int(), 1);
  EXPECT_EQ(suite.attribute("errors").as_int(), 1);
  EXPECT_EQ(suite.attribute("skipped").as_int(), 1);
  EXPECT_NEAR(suite.attribute("time").as_double(), 1.3, 1e-12);
  std::vector<std::string> names;
  for (const auto& entry : suite.children("testcase")) {
    names.emplace_back(entry.attribute("name").value());
  }
  // Control characters have no place in XML.
  EXPECT_EQ(names, (std::vector<std::string>{"one", "two & ?", "three", "four"}));
  const auto two = suite.first_child().next_sibling();
  EXPECT_NEAR(two.attribute("time").as_double(), 0.75, 1e-12);
  EXPECT_STREQ(two.child("failure").attribute("message").value(), "x < 3 & \"y\"");
  EXPECT_TRUE(two.next_sibling().child("skipped"));
  EXPECT_STREQ(suite.last_child().child("error").attribute("message").value(), "refused");
}

}  // namespace
}  // namespace hild::sequence
