// SPDX-License-Identifier: Apache-2.0
/// What kinds of changes, faults and counters tell of themselves.
#include "exec/change_kinds.hpp"

#include <gmock/gmock.h>

#include <map>
#include <set>
#include <string>

#include "exec/statistics.hpp"

namespace hild::exec {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Uses = std::map<std::string, std::string>;  // the unit, by word
Uses uses_of(std::string_view kind, std::string_view field) {
  Uses uses;
  for (const FieldInfo::Use& u : change_kind(kind).field(field)->uses) {
    uses.emplace(u.word, u.unit);
  }
  return uses;
}

TEST(ChangeKinds, HaveNamesOfTheirOwnAndSayWhatTheyAre) {
  std::set<std::string_view> names;
  std::set<std::string_view> keywords;
  for (const ChangeKind& kind : change_kinds()) {
    EXPECT_TRUE(names.insert(kind.schema.name).second) << kind.schema.name;
    if (kind.schema.part) continue;
    EXPECT_TRUE(keywords.insert(kind.schema.keyword).second) << kind.schema.keyword;
    EXPECT_FALSE(kind.schema.summary.empty()) << kind.schema.name;
    std::set<std::string_view> fields;
    for (const FieldInfo& f : kind.fields) {
      EXPECT_TRUE(fields.insert(f.field.in_json()).second) << f.field.name;
      EXPECT_FALSE(f.field.help.empty()) << kind.schema.name << "." << f.field.name;
    }
  }
  EXPECT_EQ(change_kinds().size(), kinds_of_change);
}

TEST(ChangeKinds, ShowTheirFieldsInOrder) {
  std::vector<std::string_view> names;
  for (const FieldInfo& f : change_kind("override").fields) names.push_back(f.field.in_json());
  EXPECT_THAT(names, ElementsAre("signal", "kind", "value", "seed", "frames", "restart"));
  names.clear();
  for (const FieldInfo& f : change_kind("freeze").fields) names.push_back(f.field.in_json());
  EXPECT_THAT(names, ElementsAre("outputs", "values"));
}

// docs/control.md: each shape has fields of its own.
TEST(ChangeKinds, KnowWhichFieldsBelongToWhichWord) {
  EXPECT_EQ(uses_of("stimulate", "frequency"), (Uses{{"sine", "Hz"}, {"chirp", "Hz"}}));
  EXPECT_EQ(uses_of("stimulate", "frequency_end"), (Uses{{"chirp", "Hz"}}));
  EXPECT_EQ(uses_of("stimulate", "phase"), (Uses{{"sine", "rad"}, {"chirp", "rad"}}));
  EXPECT_EQ(uses_of("stimulate", "over"), (Uses{{"ramp", "s"}, {"chirp", "s"}}));
  EXPECT_EQ(uses_of("stimulate", "table"), (Uses{{"playback", ""}}));
  EXPECT_EQ(uses_of("stimulate", "amplitude"),
            (Uses{{"step", ""}, {"ramp", ""}, {"sine", ""}, {"chirp", ""}, {"playback", "1"}}));
  EXPECT_THAT(uses_of("stimulate", "offset"), IsEmpty());
  EXPECT_EQ(uses_of("override", "seed"), (Uses{{"noise", ""}}));
  EXPECT_EQ(uses_of("override", "value").count("dropout"), 0U);
  EXPECT_EQ(uses_of("override", "value").at("gain"), "1");
  EXPECT_EQ(uses_of("override", "value").at("stuck"), "");
  EXPECT_EQ(uses_of("freeze", "values"), (Uses{{"declared", ""}}));
  EXPECT_FALSE(change_kind("override").field("value")->required) << "a dropout has none";
  EXPECT_TRUE(change_kind("override").field("signal")->required);
}

TEST(ChangeKinds, CostWhatTheirClassDoes) {
  EXPECT_EQ(class_of(SetParameter{}), EventClass::parameter);
  EXPECT_EQ(class_of(ReleaseOverride{}), EventClass::override_signal);
  EXPECT_EQ(class_of(StopStimulus{}), EventClass::stimulus);
  EXPECT_EQ(class_of(DeclareOutput{}), EventClass::mode);
  EXPECT_EQ(class_of(SaveStates{}), EventClass::snapshot);
  EXPECT_EQ(class_of(Reset{}), EventClass::restore);
  EXPECT_EQ(class_of(Mark{}), EventClass::mark);
}

// Recordings have these numbers.
TEST(FaultKinds, KeepTheirNumbers) {
  EXPECT_EQ(fault_kinds[0].word.name, "gain");
  EXPECT_EQ(fault_kinds[1].word.name, "offset");
  EXPECT_EQ(fault_kinds[2].word.name, "noise");
  EXPECT_EQ(fault_kinds[3].word.name, "stuck");
  EXPECT_EQ(fault_kinds[4].word.name, "dropout");
  EXPECT_EQ(fault_kinds[5].word.name, "coarse");
}

TEST(FaultKinds, SayWhatTheyDoAndDoIt) {
  for (const FaultKind& kind : fault_kinds) {
    EXPECT_FALSE(kind.word.help.empty()) << kind.word.name;
    EXPECT_FALSE(kind.word.shown.empty()) << kind.word.name;
    ASSERT_NE(kind.falsify, nullptr) << kind.word.name;
    EXPECT_NE(kind.takes_value, kind.keeps) << kind.word.name << ": one or the other";
  }
  EXPECT_EQ(&fault_kind(static_cast<OverrideKind>(200)), &fault_kinds[0]) << "never beyond";
}

TEST(Counters, AreToldOnce) {
  std::set<std::string_view> names;
  for (const CounterInfo& c : counters) {
    EXPECT_TRUE(names.insert(c.name).second) << c.name;
    EXPECT_TRUE(c.help.ends_with(".")) << c.name;
    EXPECT_LE(c.in_table().size(), 16U) << c.name << ": the width of its column";
  }
}

TEST(Counters, AreReadAtOnceAndAddedUpFromSteps) {
  Statistics s;
  s.late_wakes.set(3);
  s.records_dropped.set(4);
  Counts counts(s);
  EXPECT_EQ(counts[&Statistics::late_wakes], 3);
  EXPECT_EQ(counts[&Statistics::records_dropped], 4);
  EXPECT_EQ(counts[&Statistics::frames], 0);
  io::FrameHeader h;
  h.late_wake = true;
  h.span = 2;
  h.state_events = 5;
  counts.add(h);
  EXPECT_EQ(counts[&Statistics::late_wakes], 4);
  EXPECT_EQ(counts[&Statistics::doubled_steps], 1);
  EXPECT_EQ(counts[&Statistics::state_events], 5);
  EXPECT_EQ(counts[&Statistics::frozen_frames], 0);
}

}  // namespace
}  // namespace hild::exec
