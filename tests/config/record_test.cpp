// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is recorded; and a configuration written out again.
#include <gtest/gtest.h>

#include "config/parse.hpp"
#include "fakes.hpp"

namespace hild::config {
namespace {

using fakes::error_of;
using fakes::read;

using Flags = std::vector<bool>;

Record record_of(const std::string& entries) {
  const auto config = read(fakes::head + "record: {" + entries + "}\n");
  EXPECT_TRUE(config) << error_of(config);
  return config && !config->recorders.empty() ? config->recorders.front() : Record{};
}

TEST(Record, NothingIsRecordedUnasked) {
  const auto config = read(fakes::head);
  ASSERT_TRUE(config);
  EXPECT_TRUE(config->recorders.empty());
}

TEST(Record, DefaultsAreAllOfEveryFrame) {
  const Record r = record_of("file: run.mcap");
  EXPECT_EQ(r.file, "run.mcap") << "beside the configuration";
  EXPECT_FALSE(r.replace);
  EXPECT_EQ(r.decimate, 1);
  EXPECT_TRUE(r.all_frames);
  EXPECT_EQ(r.inputs, Flags(3, true));
  EXPECT_EQ(r.outputs, Flags(3, true));
  EXPECT_EQ(r.states, Flags(2, true));
  EXPECT_FALSE(r.trigger.has_value());
}

TEST(Record, EveryKey) {
  const Record r = record_of(
      "file: /var/log/a.mcap, replace: true, decimate: 10, frames: notable,"
      "signals: [inputs.load, outputs],"
      "trigger: {on: [overrun, command], before: 500 frames, after: 20 ms}");
  EXPECT_EQ(r.file, "/var/log/a.mcap");
  EXPECT_TRUE(r.replace);
  EXPECT_EQ(r.decimate, 10);
  EXPECT_FALSE(r.all_frames);
  EXPECT_EQ(r.inputs, (Flags{false, true, false}));
  EXPECT_EQ(r.outputs, Flags(3, true));
  EXPECT_EQ(r.states, Flags(2, false));
  ASSERT_TRUE(r.trigger);
  EXPECT_TRUE(r.trigger->overrun);
  EXPECT_FALSE(r.trigger->state_event);
  EXPECT_TRUE(r.trigger->command);
  EXPECT_EQ(r.trigger->before, 500);
  EXPECT_EQ(r.trigger->after, 20) << "frames of 1 ms";
}

std::int64_t keyframes_of(const std::string& entries) {
  const auto config = read(fakes::head + entries + "\n");
  EXPECT_TRUE(config) << error_of(config);
  return config ? config->settings.keyframes.every : -1;
}

TEST(Record, KeyframesAreMadeWhereEveryStepIsRecorded) {
  EXPECT_EQ(keyframes_of(""), 0) << "where nothing is recorded there are none";
  EXPECT_EQ(keyframes_of("record: {file: a}"), 5'000);
  EXPECT_EQ(keyframes_of("record: {file: a, frames: notable}"), 0);
  EXPECT_EQ(keyframes_of("record: {file: a, trigger: {on: overrun}}"), 0);
  EXPECT_EQ(keyframes_of("record: {file: a, keyframes: none}"), 0);
  EXPECT_EQ(keyframes_of("record: {file: a, frames: notable, keyframes: none}"), 0);
  EXPECT_EQ(keyframes_of("record: {file: a, keyframes: 2.5 s}"), 2500) << "frames of 1 ms";
  EXPECT_EQ(keyframes_of("record: {file: a, keyframes: 1}"), 1);
  EXPECT_EQ(keyframes_of("record: {file: a, keyframes: 1e9 frames}"), 1'000'000'000);
  EXPECT_EQ(keyframes_of("record: {file: a, keyframes: 1 us}"), 1);
}

TEST(Record, KeyframesAreAdmittedAsExternalEventsAre) {
  const auto config =
      read(fakes::head + "record: {file: a}\nevents: {guard: 12 us, max_deferrals: 77}\n");
  ASSERT_TRUE(config) << error_of(config);
  EXPECT_EQ(config->settings.keyframes.guard, 12_us);
  EXPECT_EQ(config->settings.keyframes.max_deferrals, 77);
}

TEST(Record, ANameOfTwoKindsStandsForBoth) {
  const Record r = record_of("file: a, signals: speed");
  EXPECT_EQ(r.outputs, (Flags{true, false, false}));
  EXPECT_EQ(r.states, (Flags{false, true}));
  EXPECT_EQ(r.inputs, Flags(3, false));
  EXPECT_EQ(record_of("file: a, signals: [states.speed]").outputs, Flags(3, false));
  EXPECT_EQ(record_of("file: a, signals: []").states, Flags(2, false));
}

TEST(Record, ATriggerReachesSoFarAsFramesAreCounted) {
  const Record r = record_of("file: a, trigger: {on: overrun, before: 1e6 s, after: 1e9 frames}");
  ASSERT_TRUE(r.trigger);
  EXPECT_EQ(r.trigger->before, 1'000'000'000) << "frames of 1 ms";
  EXPECT_EQ(r.trigger->after, 1'000'000'000);
}

TEST(Record, BeginsWithTheRunUnlessItIsToWait) {
  EXPECT_TRUE(record_of("file: a").with_run);
  EXPECT_FALSE(record_of("file: a, begin: on-request").with_run);
  EXPECT_EQ(record_of("file: a").name, "record");
  EXPECT_FALSE(record_of("file: a").rotation.any());
}

TEST(Record, GoesOnInANewFileBySizeOrTime) {
  const Rotation r = record_of("file: a, rotate: {size: 100 MB, time: 10 min, keep: 7}").rotation;
  EXPECT_EQ(r.bytes, 100'000'000U);
  EXPECT_EQ(r.time, 600_s);
  EXPECT_EQ(r.keep, 7U);
  EXPECT_EQ(record_of("file: a, rotate: {size: 2 GiB}").rotation.bytes, std::uint64_t{1} << 31U);
  EXPECT_EQ(record_of("file: a, rotate: {time: 1 s}").rotation.keep, 0U) << "all";
}

TEST(Record, APatternStandsForAllThatItFits) {
  const Record r = record_of("file: a, signals: ['*speed']");
  EXPECT_EQ(r.outputs, (Flags{true, false, false}));
  EXPECT_EQ(r.states, (Flags{false, true}));
  EXPECT_EQ(record_of("file: a, signals: ['outputs.*']").outputs, Flags(3, true));
  EXPECT_EQ(record_of("file: a, signals: ['outputs.*']").states, Flags(2, false));
}

TEST(Record, SeveralRecordersEachHaveAllKeys) {
  const auto config = read(fakes::head +
                           "record: {file: a, keyframes: 300}\n"
                           "recorders:\n"
                           "  whole: {file: b, begin: on-request, keyframes: 200}\n"
                           "  slow: {file: c, frames: notable, decimate: 9}\n");
  ASSERT_TRUE(config) << error_of(config);
  ASSERT_EQ(config->recorders.size(), 3U);
  EXPECT_EQ(config->recorders[1].name, "whole");
  EXPECT_FALSE(config->recorders[1].with_run);
  EXPECT_EQ(config->recorders[2].decimate, 9);
  EXPECT_TRUE(config->recorders[1].keyframes);
  EXPECT_FALSE(config->recorders[2].keyframes);
  EXPECT_EQ(config->settings.keyframes.every, 200) << "one state for all, the shortest time";
  EXPECT_EQ(config->settings.keyframes.look, 20) << "frames of 1 ms";
}

TEST(Record, RecordersAreRefusedWithTheirNames) {
  const auto error = [](const std::string& text) { return error_of(read(fakes::head + text)); };
  EXPECT_NE(error("recorders: {slow: {file: a, frames: some}}\n")
                .find("recorders.slow.frames: found \"some\""),
            std::string::npos);
  EXPECT_NE(error("record: {file: a}\nrecorders: {slow: {file: a}}\n")
                .find("recorders.slow.file: found \"a\", which is that of recorder record too"),
            std::string::npos);
  EXPECT_NE(error("recorders: {record: {file: a}}\n").find("expected another name"),
            std::string::npos);
}

TEST(Record, RefusesWithPlaceAndExpectation) {
  const auto error = [](const std::string& entries) {
    return error_of(read(fakes::head + "record:\n  " + entries + "\n"));
  };
  const auto holds = [&](const std::string& entries, const std::vector<std::string>& words) {
    const std::string text = error(entries);
    for (const auto& word : words) {
      EXPECT_NE(text.find(word), std::string::npos) << "no " << word << "\nin " << text;
    }
  };
  holds("decimate: 2", {"rig.yaml:5: record.file: found nothing"});
  holds("file: a\n  decimate: 0", {"rig.yaml:7: record.decimate: found \"0\"", "1.."});
  holds("file: a\n  decimate: 10",
        {"rig.yaml:7: record.decimate: found \"10\" beside frames: all", "frames: notable"});
  holds("file: a\n  frames: some", {"record.frames: found \"some\"", "\"notable\""});
  holds("file: a\n  signals: [sped]",
        {"rig.yaml:7: record.signals: found \"sped\"", "did you mean \"speed\"?"});
  holds("file: a\n  signals: ['x*']", {"found \"x*\", a pattern that fits no signal"});
  holds("file: a\n  begin: later", {"record.begin: found \"later\"", "\"on-request\""});
  holds("file: a\n  rotate: {keep: 3}", {"record.rotate", "neither \"size\" nor \"time\""});
  holds("file: a\n  rotate: {size: 3}", {"record.rotate.size: found \"3\"", "\"100 MB\""});
  holds("file: a\n  rotate: {size: 3 kB}", {"record.rotate.size: found \"3 kB\""});
  holds("file: a\n  rotate: {size: 3 m}", {"record.rotate.size: found \"3 m\""});
  holds("file: a\n  rotate: {time: 3 ms}", {"record.rotate.time: found \"3 ms\""});
  holds("file: a\n  rotate: {time: 3 s, keep: 0}", {"record.rotate.keep: found \"0\""});
  holds("file: a\n  replace: true\n  rotate: {time: 3 s}",
        {"record.replace: found \"true\" beside rotate"});
  holds("file: a\n  signals: [inputs.speed]", {"record.signals: found \"inputs.speed\""});
  holds("file: a\n  signals: [{a: b}]", {"record.signals: found a map in the list"});
  holds("file: a\n  signals: {a: b}", {"record.signals: found a map, expected a list"});
  holds("file: a\n  trigger: {before: 3}", {"record.trigger.on: found nothing"});
  holds("file: a\n  trigger: {on: []}", {"record.trigger.on: found an empty list"});
  holds("file: a\n  trigger: {on: overruns}", {"record.trigger.on: found \"overruns\""});
  holds("file: a\n  trigger: {on: overrun, before: -1}", {"record.trigger.before: found \"-1\""});
  holds("file: a\n  trigger: {on: overrun, before: 1.5}", {"found \"1.5\", expected frames"});
  holds("file: a\n  trigger: {on: overrun, after: 2 m}", {"record.trigger.after: found \"2 m\""});
  holds("file: a\n  trigger: {on: overrun, after: 1e300}", {"record.trigger.after: "});
  holds("file: a\n  trigger: {on: overrun, before: 1000001 s}",
        {"record.trigger.before: found \"1000001 s\", expected frames", "at most 1e9 frames"});
  holds("file: a\n  trigger: {on: overrun, after: -2 s}", {"record.trigger.after: found \"-2 s\""});
  holds("file: a\n  keyframes: 0",
        {"rig.yaml:7: record.keyframes: found \"0\", expected \"none\""});
  holds("file: a\n  keyframes: 2 m", {"record.keyframes: found \"2 m\", expected \"none\""});
  holds("file: a\n  keyframes: 2e9", {"record.keyframes: found \"2e9\"", "1 to 1e9 frames"});
  holds("file: a\n  frames: notable\n  keyframes: 5 s",
        {"record.keyframes: found \"5 s\" beside frames: notable", "expected frames: all"});
  holds("file: a\n  trigger: {on: overrun}\n  keyframes: 5 s",
        {"record.keyframes: found \"5 s\" beside a trigger", "expected frames: all"});
  holds("file: a\n  fiel: b", {"record.fiel: found an unknown key"});
}

bool same(const Node& a, const Node& b) {
  if (a.kind != b.kind || a.scalar != b.scalar || a.keys != b.keys) return false;
  if (a.items.size() != b.items.size()) return false;
  for (std::size_t i = 0; i < a.items.size(); ++i) {
    if (!same(a.items[i], b.items[i])) return false;
  }
  return true;
}

TEST(WriteYaml, ReadsBackAsTheSameTree) {
  const auto source = std::make_shared<const TextSource>();
  for (const std::string text :
       {"a: {b: 1 ms, c: [1 V, {d: e}, []], f: {}}\ng: h\ni:\nj: ~\nk: []\n",
        "a: {b: \"# no comment: {\", c: 'it''s', d: \"two\\nlines\\t\\x01\", e: \"\"}\n",
        "a: {\"- b\": \" c \", d: \"~\", e: \"null\", f: \"\xc3\xa4\xe2\x82\xac\", g: "
        "\"a\\\\b\"}\n",
        "a: {b: -1, c: .5, d: \"%x\", e: \"&a\", f: \"*a\", g: \"!a\", h: \"a, b\", i: \"-\"}\n"}) {
    const Node tree = parse(text, source);
    const std::string written = write_yaml(tree);
    EXPECT_TRUE(same(parse(written, source), tree)) << text << "became\n" << written;
  }
}

// Whatever text it is, as a value, as a key and in a list.
TEST(WriteYaml, ReadsBackAnyText) {
  const auto source = std::make_shared<const TextSource>();
  for (const std::string text : {"yes",
                                 "true",
                                 "1e3",
                                 "0x10",
                                 "a: b",
                                 "a #b",
                                 "#",
                                 "@x",
                                 "`x`",
                                 "|",
                                 ">",
                                 "? x",
                                 "?",
                                 ":",
                                 "a:",
                                 "---",
                                 "...",
                                 "--- a",
                                 "{",
                                 "}",
                                 "[a",
                                 "]",
                                 ",",
                                 "=",
                                 "<<",
                                 "'",
                                 "\"",
                                 "\\",
                                 "%",
                                 "!",
                                 "&",
                                 "*",
                                 "-",
                                 "- ",
                                 " ",
                                 "\t",
                                 "a\tb",
                                 "\n",
                                 "a\n",
                                 "\na",
                                 "a\r\nb",
                                 "\x7f",
                                 "\x01",
                                 "null",
                                 "NULL",
                                 "~",
                                 "",
                                 "\xc2\x85",
                                 "\xe2\x80\xa8",
                                 "\xf0\x9f\x98\x80",
                                 "\xef\xbb\xbfx",
                                 "10 ms",
                                 "-10 V..10 V"}) {
    Node scalar;
    scalar.kind = Node::Type::scalar;
    scalar.scalar = text;
    Node list;
    list.kind = Node::Type::list;
    list.items = {scalar, scalar};
    Node inner;
    inner.kind = Node::Type::map;
    inner.keys = {"key", "list"};
    inner.items = {scalar, list};
    Node section = inner;
    section.keys = {"section", "list"};
    section.items[0] = inner;
    Node tree;
    tree.kind = Node::Type::map;
    tree.keys = {"a", "b"};
    tree.items = {section, scalar};
    const std::string written = write_yaml(tree);
    Node read;
    EXPECT_NO_THROW(read = parse(written, source)) << '"' << text << "\" became\n" << written;
    EXPECT_TRUE(same(read, tree)) << '"' << text << "\" became\n" << written;
  }
}

TEST(WriteYaml, WhatIsResolvedHasTheSettingsInPlace) {
  const auto config = read(fakes::head, {{"frame.period", "2 ms"}});
  ASSERT_TRUE(config);
  EXPECT_NE(config->resolved.find("frame:\n  period: 2 ms\n"), std::string::npos);
  ASSERT_EQ(config->sources.size(), 2U);
  EXPECT_EQ(config->sources[0].name, "rig.yaml");
  EXPECT_EQ(config->sources[0].text, fakes::head);
  EXPECT_EQ(config->sources[1].name, "--set frame.period");
  const auto again = read(config->resolved);
  ASSERT_TRUE(again) << error_of(again);
  EXPECT_EQ(again->settings.grid.period(), 2_ms);
  EXPECT_EQ(again->resolved, config->resolved);
}

}  // namespace
}  // namespace hild::config
