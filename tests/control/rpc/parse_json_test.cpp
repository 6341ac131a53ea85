// SPDX-License-Identifier: Apache-2.0
/// \file
/// Texts become values as RFC 8259 says, numbers as IEEE 754 says; what is too much is refused.
#include "control/rpc/parse_json.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cmath>
#include <limits>
#include <random>

namespace hild::rpc {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

json::value parsed(std::string_view text) {
  const auto v = parse_json(text, {});
  EXPECT_TRUE(v) << text << ": " << v.error().message;
  return v ? *v : json::value("refused");
}

std::string refused(std::string_view text, const Limits& limits = {}) {
  const auto v = parse_json(text, limits);
  EXPECT_FALSE(v) << text;
  return v ? "taken" : v.error().message;
}

TEST(ParseJson, TakesEveryKindOfValue) {
  const json::value v =
      parsed(R"( {"null": null, "yes": true, "no": false, "n": -7, "big": 18446744073709551615,)"
             R"( "x": 2.5e-1, "text": "a\n\u00e9\ud83d\ude00", "list": [1, [], {}], "": 0} )");
  const json::object& o = v.get_object();
  EXPECT_EQ(o.size(), 9U);
  EXPECT_TRUE(o.at("null").is_null());
  EXPECT_EQ(o.at("yes"), true);
  EXPECT_EQ(o.at("no"), false);
  EXPECT_EQ(o.at("n").as_int64(), -7);
  EXPECT_EQ(o.at("big").as_uint64(), 18446744073709551615U);
  EXPECT_EQ(o.at("x").as_double(), 0.25);
  EXPECT_EQ(o.at("text"), "a\n\xC3\xA9\xF0\x9F\x98\x80");
  EXPECT_EQ(o.at("list").as_array().size(), 3U);
  EXPECT_EQ(o.at("").as_int64(), 0);
}

// 0.013 is one that a parser multiplying by powers of ten gets wrong.
TEST(ParseJson, TakesNumbersAsTheNearestDouble) {
  EXPECT_EQ(parsed("0.013").as_double(), 0.013);
  EXPECT_EQ(parsed("[-1.7976931348623157e308]").at(0).as_double(),
            std::numeric_limits<double>::lowest());
  EXPECT_EQ(parsed("4.9406564584124654e-324").as_double(),
            std::numeric_limits<double>::denorm_min());
  EXPECT_EQ(parsed("1e-999").as_double(), 0);
  EXPECT_EQ(parsed("123456789012345678901234567890").as_double(), 123456789012345678901234567890.0);
  std::mt19937_64 bits(1);
  for (int i = 0; i < 10'000; ++i) {
    const auto x = std::bit_cast<double>(bits());
    if (!std::isfinite(x)) continue;
    const std::string text = fmt::format("{:.17g}", x);
    if (text.find_first_of(".e") == std::string::npos) continue;
    EXPECT_EQ(parsed(text).as_double(), x) << text;
  }
}

TEST(ParseJson, RefusesNumbersThatNoDoubleHolds) {
  EXPECT_THAT(refused("[1e999]"), HasSubstr("beyond the range of a double"));
  EXPECT_THAT(refused("[-1e999]"), HasSubstr("beyond the range of a double"));
  EXPECT_THAT(refused("{\"a\": 1" + std::string(400, '0') + "}"), HasSubstr("range of a double"));
  for (const char* text : {"NaN", "Infinity", "-Infinity", "nan", "0x10", "01", "1.", ".5", "+1"}) {
    refused(text);
  }
}

TEST(ParseJson, RefusesAKeyThatIsThereTwice) {
  EXPECT_THAT(refused(R"({"a": 1, "b": 2, "a": 3})"), HasSubstr("the key \"a\" is there twice"));
  EXPECT_THAT(refused(R"([{"x": {"\u0061": 1, "a": 1}}])"), HasSubstr("\"a\""));
  parsed(R"({"a": {"a": {"a": 1}}, "b": [{"a": 1}, {"a": 1}]})");
}

TEST(ParseJson, SaysWhereATextEndsTooEarlyOrTooLate) {
  EXPECT_THAT(refused(""), HasSubstr("incomplete"));
  EXPECT_THAT(refused("{\"a\": "), HasSubstr("incomplete"));
  EXPECT_THAT(refused("[1, 2] x"), HasSubstr("byte 7"));
  EXPECT_THAT(refused("[1, x]"), HasSubstr("at byte 4"));
}

TEST(ParseJson, RefusesWhatIsNotUtf8) {
  for (const char* text : {"\"\xff\"", "\"\xc3\"", "\"\xed\xa0\x80\"", "\"\xc0\x80\"",
                           "{\"\xfe\": 1}", R"("\ud800")", "\xef\xbb\xbf[]", "\"a\x01\""}) {
    refused(text);
  }
}

TEST(ParseJson, RefusesOneLevelOrOneByteTooMany) {
  const Limits limits{.message = 20, .depth = 3};
  EXPECT_TRUE(parse_json("[[[1]]]", limits));
  EXPECT_THAT(refused("[[[[1]]]]", limits), HasSubstr("deeper than 3 levels"));
  EXPECT_THAT(refused(R"({"a":[{"b":[]}]})", limits), HasSubstr("deeper than 3 levels"));
  EXPECT_TRUE(parse_json("[" + std::string(18, ' ') + "]", limits));
  EXPECT_THAT(refused("[" + std::string(19, ' ') + "]", limits), HasSubstr("at most 20"));
}

}  // namespace
}  // namespace hild::rpc
