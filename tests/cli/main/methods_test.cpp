// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hild methods`: for people, for programs, as figures; and a name that is not known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "cli/main/program.hpp"
#include "hild/numerics/catalogue.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Methods, ListsEveryMethod) {
  const Ended ended = hild({"methods"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  for (const auto* m : numerics::catalogue()) {
    EXPECT_THAT(ended.out, HasSubstr(" " + std::string(m->name) + " "));
  }
  EXPECT_THAT(ended.out, AllOf(HasSubstr("59/2880"), HasSubstr("251/720"), HasSubstr("-2.785"),
                               HasSubstr(" 0.43...1.16")));
}

TEST(Methods, InJsonIsForPrograms) {
  const Ended ended = hild({"methods", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const json::value list = json::parse(ended.out);
  ASSERT_EQ(list.as_array().size(), numerics::catalogue().size());
  for (const auto& m : list.as_array()) {
    for (const char* key : {"name", "order", "passes", "nodes", "real_time", "error_coefficient",
                            "normalised_error_coefficient", "stability", "source", "aliases"}) {
      EXPECT_TRUE(m.as_object().contains(key)) << key;
    }
    EXPECT_EQ(m.at("nodes").as_array().size(), m.at("passes").to_number<std::size_t>());
  }
  const auto is = [](const char* name) {
    return [name](const json::value& m) { return m.at("name") == name; };
  };
  const auto& rtam2 = *std::ranges::find_if(list.as_array(), is("rtam-2"));
  EXPECT_EQ(rtam2.at("order"), 2);
  EXPECT_EQ(rtam2.at("real_time"), true);
  EXPECT_EQ(rtam2.at_pointer("/nodes/1").to_number<double>(), 0.5);
  EXPECT_DOUBLE_EQ(rtam2.at("error_coefficient").to_number<double>(), 1.0 / 24);
  EXPECT_NEAR(rtam2.at_pointer("/stability/real").to_number<double>(), -2, 1e-9);
  const auto& ab2 = *std::ranges::find_if(list.as_array(), is("ab-2"));
  EXPECT_TRUE(ab2.at_pointer("/stability/imaginary").is_null()) << "no stretch of it is stable";
  EXPECT_TRUE(ab2.at_pointer("/stability/imaginary_intervals").as_array().empty());
  EXPECT_EQ(ab2.at_pointer("/stability/real_intervals/0/1").to_number<double>(), 0);
  // Not from 0 on; tests/numerics/analysis/axis_limits_test.cpp has the numbers.
  const auto& am3 = *std::ranges::find_if(list.as_array(), is("am-3"));
  EXPECT_TRUE(am3.at_pointer("/stability/imaginary").is_null());
  EXPECT_NEAR(am3.at_pointer("/stability/imaginary_intervals/0/0").to_number<double>(), 0.43, 5e-3);
  EXPECT_NEAR(am3.at_pointer("/stability/imaginary_intervals/0/1").to_number<double>(), 1.16, 5e-3);
  const auto& libe = *std::ranges::find_if(list.as_array(), is("libe"));
  EXPECT_TRUE(libe.at_pointer("/stability/imaginary_intervals/0/1").is_null()) << "without end";
}

TEST(Methods, ShowsOneByNameOrAlias) {
  const Ended ended = hild({"methods", "rk-3"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, AllOf(StartsWith(" rtrk-3: order 3, 3 passes, real-time"),
                               HasSubstr("X + h (1/4 F0 + 3/4 F2)"), HasSubstr("A c: 0"),
                               HasSubstr("e_I = 1/24"), HasSubstr("real axis: -2.513")));
}

TEST(Methods, ShowsOneInJson) {
  const Ended ended = hild({"methods", "p-2/pc-3/c-3", "--json"});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const json::value m = json::parse(ended.out);
  EXPECT_EQ(m.at("starter"), "rtrk-3");
  EXPECT_EQ(m.at_pointer("/formulas/1/passes/1"), "13/18");
  EXPECT_EQ(m.at_pointer("/formulas/1/history/0"), "1/54");
  for (const auto& c : m.at("order_conditions").as_array()) EXPECT_EQ(c.at("residual"), "0");
  EXPECT_FALSE(m.at("boundary").as_array().empty());
  EXPECT_FALSE(m.at_pointer("/frequency/0/asymptotic").is_null());
}

TEST(Methods, DrawsFigures) {
  const Folder folder;
  const std::string file = folder.path("rtam-3.svg");
  const Ended ended = hild({"methods", "rtam-3", "--svg", file});
  ASSERT_EQ(ended.code, 0) << ended.err;
  const std::string svg = read_file(file);
  EXPECT_THAT(svg, AllOf(StartsWith("<svg"), HasSubstr("stability boundary"),
                         HasSubstr("gain error"), HasSubstr("phase error"),
                         HasSubstr("Howe eq. 16"), testing::EndsWith("</svg>\n")));
  EXPECT_THAT(svg, testing::Not(HasSubstr("nan")));
}

TEST(Methods, AnUnknownNameIsAnErrorWithNearNames) {
  const Ended near = hild({"methods", "rtam-5"});
  EXPECT_EQ(near.code, 1);
  EXPECT_EQ(near.out, "");
  EXPECT_THAT(near.err, AllOf(HasSubstr("no method \"rtam-5\""), HasSubstr("did you mean"),
                              HasSubstr("\"rtam-4\"")));
  const Ended far = hild({"methods", "xyzzy"});
  EXPECT_EQ(far.code, 1);
  EXPECT_THAT(far.err, AllOf(HasSubstr("expected one of"), HasSubstr("\"forward-euler\"")));
}

TEST(Methods, MultirateIsToldWhereItIsDescribed) {
  const Ended ended = hild({"methods", "multirate"});
  EXPECT_EQ(ended.code, 1);
  EXPECT_THAT(ended.err, AllOf(HasSubstr("for each partition"), HasSubstr("configuration.md"),
                               testing::Not(HasSubstr("no method"))));
}

TEST(Methods, AFigureNeedsANameAndAPlace) {
  const Ended nameless = hild({"methods", "--svg", "x.svg"});
  EXPECT_EQ(nameless.code, 1);
  EXPECT_THAT(nameless.err, HasSubstr("hild methods NAME --svg FILE"));
  const Ended nowhere = hild({"methods", "rk-4", "--svg", "/no/such/folder/x.svg"});
  EXPECT_EQ(nowhere.code, 1);
  EXPECT_THAT(nowhere.err, HasSubstr("/no/such/folder/x.svg"));
}

}  // namespace
}  // namespace hild::test
