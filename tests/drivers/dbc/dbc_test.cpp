// SPDX-License-Identifier: Apache-2.0
// What is expected of a file is what is written in it.
#include "drivers/dbc/dbc.hpp"

#include <gmock/gmock.h>

#include <array>
#include <string>

#include "hild/core/whole_file.hpp"

namespace hild::can {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Database read(std::string_view text) {
  auto database = read_dbc(text, "a.dbc");
  EXPECT_TRUE(database) << database.error().message;
  return database ? *std::move(database) : Database();
}

Database seed(const std::string& name) {
  const auto text = whole_file(HILD_SOURCE_DIR "/tests/fuzz/corpus/dbc/" + name);
  EXPECT_TRUE(text);
  return read(*text);
}

TEST(Dbc, MessagesAndTheirSignals) {
  const Database database = seed("plain.dbc");
  EXPECT_EQ(database.version, "1.0");
  EXPECT_THAT(database.nodes, ElementsAre("Engine", "Gateway"));
  ASSERT_THAT(database.messages, SizeIs(2));

  const Message& engine = database.messages[0];
  EXPECT_EQ(engine.id, 100U);
  EXPECT_FALSE(engine.extended);
  EXPECT_EQ(engine.name, "EngineData");
  EXPECT_EQ(engine.length, 8);
  EXPECT_EQ(engine.sender, "Engine");
  EXPECT_THAT(engine.other_senders, ElementsAre("Engine", "Gateway"));
  EXPECT_EQ(engine.line, 15);
  EXPECT_FALSE(engine.fd);
  EXPECT_FALSE(engine.j1939);
  ASSERT_THAT(engine.signals, SizeIs(3));
  const Signal& speed = engine.signals[0];
  EXPECT_EQ(speed.name, "Speed");
  EXPECT_EQ(speed.layout.start, 0);
  EXPECT_EQ(speed.layout.length, 16);
  EXPECT_EQ(speed.layout.order, ByteOrder::little_endian);
  EXPECT_FALSE(speed.layout.is_signed);
  EXPECT_EQ(speed.layout.number, Number::integer);
  EXPECT_EQ(speed.layout.factor, 0.25);
  EXPECT_EQ(speed.layout.offset, 0);
  ASSERT_TRUE(speed.limits);
  EXPECT_EQ(speed.limits->minimum, 0);
  EXPECT_EQ(speed.limits->maximum, 16000);
  EXPECT_EQ(speed.unit, "rpm");
  EXPECT_EQ(speed.line, 16);
  EXPECT_EQ(speed.values, nullptr);
  EXPECT_FALSE(speed.multiplexing.is_switch);
  EXPECT_FALSE(speed.multiplexing.switched_by);
  EXPECT_THAT(speed.receivers, ElementsAre("Gateway"));
  const Signal& torque = engine.signals[1];
  EXPECT_EQ(torque.layout.start, 23);
  EXPECT_EQ(torque.layout.order, ByteOrder::big_endian);
  EXPECT_TRUE(torque.layout.is_signed);
  EXPECT_EQ(torque.layout.offset, -100);
  EXPECT_FALSE(torque.limits) << "0|0";
  EXPECT_THAT(torque.receivers, ElementsAre("Gateway", "Engine"));
  EXPECT_THAT(engine.signals[2].receivers, IsEmpty()) << "Vector__XXX is nobody";

  const Message& cruise = database.messages[1];
  EXPECT_EQ(cruise.id, 0x18fef100U);  // 2566844672 - 2^31
  EXPECT_TRUE(cruise.extended);
  EXPECT_TRUE(cruise.j1939);
  EXPECT_FALSE(cruise.fd) << "12 bytes, but of J1939";
  EXPECT_EQ(cruise.signals[0].layout.number, Number::float32);
  EXPECT_EQ(cruise.signals[1].layout.factor, 1e-3);
  EXPECT_EQ(cruise.signals[1].layout.offset, 5);

  EXPECT_EQ(database.find("Cruise"), &cruise);
  EXPECT_EQ(database.find("Cruises"), nullptr);
  EXPECT_EQ(database.find(100, false), &engine);
  EXPECT_EQ(database.find(100, true), nullptr);
  EXPECT_EQ(engine.find("Torque"), &torque);
  EXPECT_EQ(engine.find("Ratio"), nullptr);
}

TEST(Dbc, WordsForValues) {
  const Database database = seed("plain.dbc");
  const Message& engine = database.messages[0];
  ASSERT_TRUE(engine.signals[2].values);
  const NamedValues& on = *engine.signals[2].values;
  ASSERT_THAT(on, SizeIs(2));
  EXPECT_EQ(on[0].value, 1);
  EXPECT_EQ(on[0].name, "on");
  EXPECT_EQ(on[1].name, "off");
  const Signal& torque = engine.signals[1];
  ASSERT_TRUE(torque.values);
  EXPECT_EQ((*torque.values)[0].value, -1);
  EXPECT_EQ((*torque.values)[0].raw(torque.layout), 0xfffU);
  EXPECT_EQ((*torque.values)[1].raw(torque.layout), 5U);
  EXPECT_EQ(word_of(torque, 0xfff), (*torque.values)[0].name) << "-1 in 12 bits";
  EXPECT_EQ(word_of(engine.signals[2], 0), "off");
  EXPECT_EQ(word_of(engine.signals[2], 2), "");
  EXPECT_EQ(word_of(engine.signals[0], 0), "") << "it has no words";
  Signal number = torque;
  number.layout.number = Number::float32;
  EXPECT_EQ(word_of(number, 5), "") << "the bits of a number are not its value";
}

TEST(Dbc, ATableIsShared) {
  const Database database = read(
      "VAL_TABLE_ T 0 \"a\" 18446744073709551615 \"b\" 2.0 \"c\";\n"
      "BO_ 1 M: 8 N\n SG_ A : 0|8@1+ (1,0) [0|0] \"\" N\n SG_ B : 8|8@1+ (1,0) [0|0] \"\" N\n"
      "VAL_ 1 A T ;\nVAL_ 1 B T;\nVAL_ EnvVar 0 \"x\" ;VAL_ 9 Nobodys 0 \"x\" ;\n");
  const auto& signals = database.messages.at(0).signals;
  EXPECT_EQ(signals[0].values, signals[1].values);
  ASSERT_THAT(*signals[0].values, SizeIs(3));
  EXPECT_EQ((*signals[0].values)[1].raw(signals[0].layout), 255U);
  EXPECT_EQ((*signals[0].values)[2].value, 2);
}

TEST(Dbc, HowMessagesAreSent) {
  const Database database = seed("plain.dbc");
  EXPECT_EQ(database.messages[0].cycle_time, Duration{10'000'000});
  EXPECT_EQ(database.messages[0].send_type, SendType::cyclic);
  EXPECT_EQ(database.messages[1].cycle_time, std::nullopt) << "0, the default";
  EXPECT_EQ(database.messages[1].send_type, SendType::none) << "the default";
  EXPECT_EQ(database.messages[0].start_delay, std::nullopt);
  const Signal& speed = database.messages[0].signals[0];
  EXPECT_EQ(speed.start, 4000);
  EXPECT_EQ(start_of(speed), 1000);
  EXPECT_EQ(start_of(database.messages[0].signals[1]), std::nullopt);
}

/// A message for each value of an attribute.
Database with_attribute(std::string_view definition, std::string_view name,
                        std::initializer_list<std::string_view> values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) text += fmt::format("BO_ {0} M{0}: 8 N\n", i);
  text += definition;
  std::size_t i = 0;
  for (const auto value : values) {
    text += fmt::format("BA_ \"{}\" BO_ {} {};\n", name, i++, value);
  }
  return read(text);
}

TEST(Dbc, SendTypesByTheirWords) {
  const Database database = with_attribute(
      "BA_DEF_ BO_ \"GenMsgSendType\" ENUM \"cyclicX\",\"spontanX\",\"cyclicAndSpontanX\","
      "\"cyclicIfActiveX\",\"OnChange\",\"NoMsgSendType\",\"vector_leerstring\";\n",
      "GenMsgSendType", {"0", "1", "2", "3", "4", "5", "6", "7", "\"IfActive\"", "\"Cyclic\""});
  const auto type = [&](std::size_t i) { return database.messages.at(i).send_type; };
  EXPECT_EQ(type(0), SendType::cyclic);
  EXPECT_EQ(type(1), SendType::on_change);
  EXPECT_EQ(type(2), SendType::cyclic_and_on_change);
  EXPECT_EQ(type(3), SendType::if_active);
  EXPECT_EQ(type(4), SendType::on_change);
  EXPECT_EQ(type(5), SendType::none);
  EXPECT_EQ(type(6), SendType::unspecified);
  EXPECT_EQ(type(7), SendType::unspecified) << "no word";
  EXPECT_EQ(type(8), SendType::if_active);
  EXPECT_EQ(type(9), SendType::cyclic);
}

TEST(Dbc, FrameFormats) {
  const Database plain = with_attribute("", "VFrameFormat", {"0", "1", "3", "14", "15"});
  const auto fd = [](const Database& database, std::size_t i) {
    return database.messages.at(i).fd;
  };
  EXPECT_FALSE(fd(plain, 0));
  EXPECT_FALSE(fd(plain, 1));
  EXPECT_FALSE(fd(plain, 2));
  EXPECT_TRUE(plain.messages.at(2).j1939);
  EXPECT_TRUE(fd(plain, 3));
  EXPECT_TRUE(fd(plain, 4));
  EXPECT_FALSE(plain.messages.at(4).j1939);
  const Database words = with_attribute(
      "BA_DEF_ BO_ \"VFrameFormat\" ENUM \"StandardCAN\",\"StandardCAN_FD\",\"x\",\"J1939PG\";\n",
      "VFrameFormat", {"0", "1", "\"ExtendedCAN_FD\"", "3"});
  EXPECT_FALSE(fd(words, 0));
  EXPECT_TRUE(fd(words, 1)) << "by its word";
  EXPECT_TRUE(fd(words, 2));
  EXPECT_TRUE(words.messages.at(3).j1939);
  EXPECT_TRUE(fd(read("BO_ 1 M: 9 N\n"), 0)) << "by its length";
  EXPECT_FALSE(fd(read("BO_ 1 M: 8 N\n"), 0));
}

TEST(Dbc, TimesAreInMilliseconds) {
  const Database cycles = with_attribute("BA_DEF_DEF_ \"GenMsgCycleTime\" 100;\n",
                                         "GenMsgCycleTime", {"2.5", "0", "1000"});
  EXPECT_EQ(cycles.messages[0].cycle_time, Duration{2'500'000});
  EXPECT_EQ(cycles.messages[1].cycle_time, std::nullopt);
  EXPECT_EQ(cycles.messages[2].cycle_time, Duration{1'000'000'000});
  const Database by_default = read(
      "BO_ 1 M: 8 N\nBA_DEF_DEF_ \"GenMsgCycleTime\" 100;\n"
      "BA_DEF_DEF_ \"GenSigStartValue\" 3;\n");
  EXPECT_EQ(by_default.messages[0].cycle_time, Duration{100'000'000});
  EXPECT_EQ(with_attribute("", "GenMsgStartDelayTime", {"7"}).messages[0].start_delay,
            Duration{7'000'000});
}

TEST(Dbc, StartValues) {
  const Database database = read(
      "BO_ 1 M: 8 N\n SG_ A : 0|8@1+ (2,1) [0|0] \"\" N\n SG_ B : 8|8@1+ (2,1) [0|0] \"\" N\n"
      "BA_DEF_DEF_ \"GenSigStartValue\" 3;\nBA_ \"GenSigStartValue\" SG_ 1 B 0;\n"
      "BA_ \"GenSigStartValue\" SG_ 1 C 5;\n");
  EXPECT_EQ(start_of(database.messages[0].signals[0]), 7);
  EXPECT_EQ(start_of(database.messages[0].signals[1]), 1);
}

TEST(Dbc, TextsMayBeLatin1) {
  const auto unit = [](std::string_view text) {
    return read(fmt::format("BO_ 1 M: 8 N\n SG_ A : 0|8@1+ (1,0) [0|0] \"{}\" N\n", text))
        .messages.at(0)
        .signals.at(0)
        .unit;
  };
  EXPECT_EQ(unit("\xb0"
                 "C"),
            "\xc2\xb0"
            "C");
  EXPECT_EQ(unit("\xc2\xb0"
                 "C"),
            "\xc2\xb0"
            "C")
      << "UTF-8 already";
  EXPECT_EQ(unit("\xe4"), "\xc3\xa4");
  EXPECT_EQ(unit("\xe2\x82"), "\xc3\xa2\xc2\x82") << "what is cut off is no UTF-8";
  EXPECT_EQ(unit("\xe2\x82\xac"), "\xe2\x82\xac");
  EXPECT_EQ(unit("\xed\xa0\x80"), "\xc3\xad\xc2\xa0\xc2\x80") << "a surrogate is none";
  EXPECT_EQ(unit("a\\\"b\\\\"), "a\"b\\");
}

TEST(Dbc, WhatIsNotUsedIsSkipped) {
  const Database database = read(
      "\xef\xbb\xbfVERSION \"\"\r\n\r\nNS_ : \r\n\tNS_DESC_\r\n\tCM_\r\n\tBU_EV_REL_\r\nBS_: 500 : "
      "1,2\r\n"
      "BU_:\r\n"
      "BO_ 3221225472 VECTOR__INDEPENDENT_SIG_MSG: 0 Vector__XXX\r\n"
      " SG_ Loose : 0|8@1+ (1,0) [0|0] \"\" Vector__XXX\r\n"
      "BO_ 5 M : 1 Vector__XXX\r\n"
      " SG_ A:0|8@1+(+1.5,-1E+02)[-1|1]\"\"\r\n"
      "CM_ \"a ; in \\\" a text\r\nBO_ 5 M: 1 X\";\r\n"
      "CM_ SG_ 5 A \"x\";\r\nSOMETHING_NEW_ 1 2 \"; \" 3;\r\n"
      "SIG_VALTYPE_ 3221225472 Loose : 1;\r\nBA_ \"GenMsgCycleTime\" BO_ 6 10;\r\n"
      "BA_ \"BusType\" \"CAN FD\";\r\nBA_ \"NodeLayer\" BU_ N 3;\r\nBA_DEF_ \"BusType\" STRING "
      ";\r\n"
      "EV_ E: 0 [0|0] \"\" 0 0 DUMMY_NODE_VECTOR0 Vector__XXX;\r\n");
  ASSERT_THAT(database.messages, SizeIs(1));
  EXPECT_THAT(database.nodes, IsEmpty());
  EXPECT_EQ(database.messages[0].sender, "");
  ASSERT_THAT(database.messages[0].signals, SizeIs(1));
  EXPECT_EQ(database.messages[0].signals[0].layout.factor, 1.5);
  EXPECT_EQ(database.messages[0].signals[0].layout.offset, -100);
  EXPECT_EQ(database.messages[0].signals[0].line, 12);
  EXPECT_EQ(database.messages[0].cycle_time, std::nullopt);
}

TEST(Dbc, NothingAtAllIsAnEmptyDatabase) {
  EXPECT_THAT(read("").messages, IsEmpty());
  EXPECT_THAT(read(" \n;\n").messages, IsEmpty());
}

// ---- multiplexing ------------------------------------------------------------------------------

std::vector<std::string> there(const Message& message, std::initializer_list<std::uint8_t> bytes) {
  std::array<std::uint8_t, buffer_bytes> payload{};
  std::ranges::copy(bytes, payload.begin());
  std::vector<std::string> names;
  for (const Signal& signal : message.signals) {
    if (presence_of(message, signal).in(payload)) names.push_back(signal.name);
  }
  return names;
}

TEST(Dbc, SimpleMultiplexing) {
  const Database database = seed("multiplexed.dbc");
  const Message& message = database.messages.at(0);
  EXPECT_TRUE(message.signals[0].multiplexing.is_switch);
  EXPECT_EQ(message.signals[1].multiplexing.switched_by, 0U);
  EXPECT_THAT(message.signals[2].multiplexing.values, ElementsAre(RawRange{1, 1}));
  EXPECT_THAT(there(message, {0xf0}), ElementsAre("Page", "X"));
  EXPECT_THAT(there(message, {0xf1}), ElementsAre("Page", "Y"));
  EXPECT_THAT(there(message, {0xf2}), ElementsAre("Page"));
}

TEST(Dbc, NestedMultiplexing) {
  const Database database = seed("multiplexed.dbc");
  const Message& message = database.messages.at(1);
  EXPECT_THAT(message.signals[1].multiplexing.values, ElementsAre(RawRange{0, 0}, RawRange{2, 5}));
  EXPECT_THAT(there(message, {0, 0}), ElementsAre("S", "T", "V"));
  EXPECT_THAT(there(message, {5, 7}), ElementsAre("S", "T", "V"));
  EXPECT_THAT(there(message, {2, 5}), ElementsAre("S", "T", "W"));
  EXPECT_THAT(there(message, {2, 8}), ElementsAre("S", "T"));
  EXPECT_THAT(there(message, {1, 5}), ElementsAre("S", "U"))
      << "T, which is not there, selects none";
  EXPECT_THAT(there(message, {6, 0}), ElementsAre("S"));
}

TEST(Dbc, RangesThatTouchAreOne) {
  const Database database = read(
      "BO_ 1 M: 8 N\n SG_ S M : 0|8@1+ (1,0) [0|0] \"\" N\n"
      " SG_ A m0 : 8|8@1+ (1,0) [0|0] \"\" N\nSG_MUL_VAL_ 1 A S 7-9, 1-3, 2-5, 5-6;\n");
  EXPECT_THAT(database.messages[0].signals[1].multiplexing.values,
              ElementsAre(RawRange{1, 6}, RawRange{7, 9}));
}

}  // namespace
}  // namespace hild::can
