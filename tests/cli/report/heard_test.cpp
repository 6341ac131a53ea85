// SPDX-License-Identifier: Apache-2.0
/// \file
/// Messages off a bus, as lines.
#include "cli/report/heard.hpp"

#include <gtest/gtest.h>

#include <array>

namespace hild::report {
namespace {

constexpr std::array<std::uint8_t, 3> bytes{0xde, 0xad, 0x05};
constexpr std::array<io::HeardValue, 2> values{io::HeardValue{"Speed", 12.5, "rpm", {}},
                                               io::HeardValue{"Gear", 1, {}, "drive"}};

io::Heard known() {
  io::Heard heard;
  heard.address = "0x100";
  heard.name = "Status";
  heard.bytes = bytes;
  heard.values = values;
  return heard;
}

TEST(Heard, AMessageIsALineOfItsValues) {
  EXPECT_EQ(heard_text(known(), 1'250_ms),
            "    1.250000  0x100       Status                Speed=12.5 rpm  Gear=1 (drive)\n");
}

TEST(Heard, WhatNobodyKnowsIsALineOfItsBytes) {
  io::Heard heard;
  heard.address = "0x7ff";
  heard.bytes = bytes;
  EXPECT_EQ(heard_text(heard, 12_s), "   12.000000  0x7ff       -                     de ad 05\n");
}

TEST(Heard, WhatIsWrongStandsBehindIt) {
  io::Heard heard = known();
  heard.remark = "its checksum is wrong";
  EXPECT_EQ(heard_text(heard, {}).substr(78), "  # its checksum is wrong\n");
  io::Heard error;
  error.remark = "bus off";
  EXPECT_EQ(heard_text(error, {}), "    0.000000  -           -                       # bus off\n");
}

TEST(Heard, ForProgramsItIsAnObjectOnALine) {
  EXPECT_EQ(heard_json(known(), 1'250_ms),
            "{\"time_s\": 1.25, \"address\": \"0x100\", \"name\": \"Status\", \"bytes\": "
            "\"dead05\", \"values\": {\"Speed\": {\"value\": 12.5, \"unit\": \"rpm\", \"word\": "
            "null}, \"Gear\": {\"value\": 1, \"unit\": null, \"word\": \"drive\"}}, \"remark\": "
            "null}\n");
  io::Heard unknown;
  unknown.remark = "bus off";
  EXPECT_EQ(heard_json(unknown, {}),
            "{\"time_s\": 0, \"address\": null, \"name\": null, \"bytes\": \"\", \"values\": {}, "
            "\"remark\": \"bus off\"}\n");
}

}  // namespace
}  // namespace hild::report
