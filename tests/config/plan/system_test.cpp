// SPDX-License-Identifier: Apache-2.0
/// What nodes expect of one another, held against what they send.
#include "config/plan/system.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

namespace hild::plan {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct LinkKeys {
  std::string frame = "rate: 1 kHz";
  std::string device = "domain: 7, system: drive";
  std::string output = "signal: speed, unit: rad/s, safe: 0 rad/s";
  std::string input = "node: motor, signal: speed, unit: rad/s";
  std::string loss = "max_latency: 3500 us";
};

SystemNode system_node(std::string name, const std::string& text) {
  auto config = config::load_text(text, name + ".yaml");
  if (!config) throw std::runtime_error(config.error().message);
  return {std::move(name), std::move(*config)};
}
SystemNode sending_node(const LinkKeys& keys = {}, const std::string& known_as = "motor") {
  return system_node("motor", "frame: {" + keys.frame +
                                  "}\nmodel: {type: dc-motor}\nintegrator: {method: rtam-2}\n"
                                  "devices: {net: {driver: dds, node: " +
                                  known_as + ", " + keys.device +
                                  "}}\noutputs: {shaft_speed: {device: net, " + keys.output +
                                  "}}\n");
}
SystemNode reading_node(const LinkKeys& keys = {}) {
  return system_node("meter", "frame: {" + keys.frame +
                                  "}\nmodel: {type: dc-motor}\nintegrator: {method: rtam-2}\n"
                                  "devices: {net: {driver: dds, node: meter, " +
                                  keys.device + ", " + keys.loss +
                                  "}}\ninputs: {armature_voltage: {device: net, scale: 1 V "
                                  "s/rad, " +
                                  keys.input + "}}\n");
}
/// The link of two nodes.
SystemLink link_between(SystemNode sender, SystemNode receiver) {
  std::vector<SystemNode> nodes;
  nodes.push_back(std::move(sender));
  nodes.push_back(std::move(receiver));
  return plan_system("system.yaml", nodes).links.at(0);
}

TEST(SystemPlan, TellsHowOldWhatIsUsedMayBe) {
  const SystemLink one = link_between(sending_node(), reading_node());
  EXPECT_EQ(one.from, "motor.shaft_speed");
  EXPECT_EQ(one.to, "meter.armature_voltage");
  EXPECT_EQ(one.signal, "speed");
  EXPECT_EQ(one.made_every, 1_ms);
  EXPECT_EQ(one.oldest, 1_ms) << "just before the next one";
  EXPECT_EQ(one.may_be_lost, 2) << "at 3 ms it is not yet 3.5 ms old";
  EXPECT_THAT(one.refusal, IsEmpty());
  EXPECT_THAT(one.warning, IsEmpty());
}

// Both on TAI: what is made at a tick is used at one phase of the frame behind it, always.
TEST(SystemPlan, KnowsFramesInPhase) {
  const auto oldest = [](const std::string& made, const std::string& used) {
    return link_between(sending_node({.frame = made}), reading_node({.frame = used})).oldest;
  };
  const std::string tai = "rate: 1 kHz, align: tai";
  EXPECT_EQ(oldest(tai, tai), 1_ms);
  EXPECT_EQ(oldest(tai, tai + ", phase: 200 us"), 200_us);
  EXPECT_EQ(oldest(tai + ", phase: 200 us", tai), 800_us);
  EXPECT_EQ(oldest(tai, "rate: 1 kHz, phase: 200 us, align: tai"), 200_us);
  EXPECT_EQ(oldest(tai, "rate: 1 kHz"), 1_ms);
  EXPECT_EQ(oldest(tai, "rate: 2 kHz, align: tai, phase: 200 us"), 1_ms) << "of another length";
}

// Of half a frame: that of this tick is too young, wherever both have the same.
TEST(SystemPlan, KnowsWhatIsHeldBack) {
  const auto link = [](const std::string& used, const std::string& more) {
    return link_between(sending_node({.frame = "rate: 1 kHz, align: tai"}),
                        reading_node({.frame = used, .loss = "max_latency: 3500 us" + more}));
  };
  const std::string tai = "rate: 1 kHz, align: tai";
  EXPECT_THAT(link(tai, "").warning, HasSubstr("`min_age: 500 us` makes it always the next"));
  EXPECT_THAT(link(tai + ", phase: 200 us", "").warning, IsEmpty());
  EXPECT_THAT(link(tai, ", min_age: 500 us").warning, IsEmpty());
  EXPECT_EQ(link(tai, ", min_age: 500 us").oldest, 1_ms);
  EXPECT_EQ(link(tai + ", phase: 200 us", ", min_age: 500 us").oldest, 1200_us);
  EXPECT_EQ(link(tai + ", phase: 500 us", ", min_age: 500 us").oldest, 500_us);
  EXPECT_EQ(link("rate: 1 kHz", ", min_age: 500 us").oldest, 1500_us);
  EXPECT_EQ(link_between(sending_node({.frame = tai + ", phase: 200 us"}),
                         reading_node({.frame = tai, .loss = "min_age: 900 us"}))
                .oldest,
            1800_us)
      << "of 800 us it is too young";
  EXPECT_THAT(link(tai, ", min_age: 1 ms").refusal,
              AllOf(HasSubstr("`min_age` is 1 ms"), HasSubstr("newest two are kept")));
}

TEST(SystemPlan, RefusesWhatCannotHold) {
  const SystemLink one = link_between(sending_node(), reading_node({.loss = "max_latency: 1 ms"}));
  EXPECT_THAT(one.refusal, AllOf(HasSubstr("`max_latency` is 1 ms"), HasSubstr("up to 1 ms old")));
  EXPECT_EQ(link_between(sending_node(), reading_node({.loss = "max_latency: 1001 us"})).refusal,
            "");
}
TEST(SystemPlan, WarnsOfWhatOneLossEnds) {
  EXPECT_THAT(link_between(sending_node(), reading_node({.loss = "max_latency: 1500 us"})).warning,
              HasSubstr("one sample that is lost"));
  const std::string never =
      link_between(sending_node(), reading_node({.loss = "interface: lo"})).warning;
  EXPECT_THAT(never, HasSubstr("without `max_latency`"));
}

TEST(SystemPlan, FindsWhoSendsWhat) {
  EXPECT_THAT(link_between(sending_node({}, "engine"), reading_node()).refusal,
              AllOf(HasSubstr("no node of this system is \"motor\""), HasSubstr("\"engine\"")));
  EXPECT_THAT(
      link_between(sending_node({.output = "signal: spede, unit: rad/s, safe: 0 rad/s"}),
                   reading_node())
          .refusal,
      AllOf(HasSubstr("node motor sends no \"speed\""), HasSubstr("did you mean \"spede\"?")));
  EXPECT_THAT(link_between(
                  sending_node({.output = "signal: speed, unit: m/s, scale: 1 rad/m, safe: 0 m/s"}),
                  reading_node())
                  .refusal,
              AllOf(HasSubstr("sent in m/s"), HasSubstr("expected in rad/s")));
  EXPECT_EQ(link_between(sending_node({.output = "signal: speed, unit: rpm, safe: 0 rpm"}),
                         reading_node())
                .refusal,
            "")
      << "converts";
  EXPECT_THAT(
      link_between(sending_node({.device = "domain: 8, system: drive"}), reading_node()).refusal,
      AllOf(HasSubstr("system drive of domain 8"), HasSubstr("they do not meet")));
  EXPECT_THAT(
      link_between(sending_node({.device = "domain: 7, system: dirve"}), reading_node()).refusal,
      HasSubstr("system dirve of domain 7"));
}
TEST(SystemPlan, RefusesTwoNodesOfOneName) {
  std::vector<SystemNode> nodes;
  nodes.push_back(sending_node({.output = "signal: other, unit: rad/s, safe: 0 rad/s"}));
  nodes.back().name = "spare";
  nodes.push_back(sending_node());
  nodes.push_back(reading_node());
  EXPECT_THAT(plan_system("s.yaml", nodes).links.at(0).refusal,
              HasSubstr("spare and motor both are node motor to others"));
}
TEST(SystemPlan, OfNodesThatSendNothing) {
  std::vector<SystemNode> nodes;
  nodes.push_back(reading_node());
  const SystemPlan plan = plan_system("s.yaml", nodes);
  EXPECT_FALSE(plan.fits());
  EXPECT_THAT(plan.links.at(0).refusal, HasSubstr("no node of this system sends anything"));
}

TEST(SystemPlan, IsToldInWordsAndAsJson) {
  std::vector<SystemNode> nodes;
  nodes.push_back(sending_node());
  nodes.push_back(reading_node());
  nodes.push_back(system_node("alone",
                              "frame: {rate: 1 kHz, align: tai}\nmodel: {type: pendulum}\n"
                              "integrator: {method: rk-4}\n"));
  const SystemPlan plan = plan_system("s.yaml", nodes);
  EXPECT_TRUE(plan.fits());
  EXPECT_THAT(to_text(plan),
              AllOf(HasSubstr("motor: a frame each 1 ms\n"),
                    HasSubstr("alone: a frame each 1 ms, in phase with TAI\n"),
                    HasSubstr("motor.shaft_speed -> meter.armature_voltage\n"),
                    HasSubstr("made every 1 ms, up to 1 ms old of 3.5 ms; 2 in a row may be lost"),
                    HasSubstr("The system fits.")));
  const std::string json = serialize(to_json_value(plan));
  EXPECT_THAT(json, AllOf(HasSubstr("\"fits\":true"), HasSubstr("\"oldest_s\":1E-3"),
                          HasSubstr("\"refusal\":null"), HasSubstr("\"may_be_lost\":2")));
}

// ---- those that begin and are armed together
// -----------------------------------------------------

SystemPlan plan_with_members(const std::string& of_sender, const std::string& of_reader) {
  LinkKeys sender;
  LinkKeys reader;
  if (!of_sender.empty()) sender.device += ", members: \"" + of_sender + "\"";
  if (!of_reader.empty()) reader.device += ", members: \"" + of_reader + "\"";
  std::vector<SystemNode> nodes;
  nodes.push_back(sending_node(sender));
  nodes.push_back(reading_node(reader));
  return plan_system("system.yaml", nodes);
}

TEST(SystemPlan, TellsWhichNodesBeginTogether) {
  const SystemPlan none = plan_with_members("", "");
  EXPECT_TRUE(none.fits());
  EXPECT_THAT(none.nodes.at(0).members, IsEmpty());
  const SystemPlan both = plan_with_members("motor, meter", "meter, motor");
  EXPECT_TRUE(both.fits()) << to_text(both);
  EXPECT_EQ(both.nodes.at(1).members, "meter, motor");
  EXPECT_THAT(to_text(both), HasSubstr("begins and is armed with meter, motor"));
}

TEST(SystemPlan, RefusesMembersThatWouldWaitForEver) {
  const SystemPlan unknown = plan_with_members("motor, metre", "");
  EXPECT_FALSE(unknown.fits());
  EXPECT_THAT(unknown.nodes.at(0).refusal, HasSubstr("metre, which no node"));
  EXPECT_THAT(to_text(unknown), HasSubstr("CANNOT WORK: its `members` name metre"));
  const SystemPlan one_sided = plan_with_members("motor, meter", "");
  EXPECT_FALSE(one_sided.fits());
  const SystemPlan differ = plan_with_members("motor, meter", "meter, motor, load");
  EXPECT_FALSE(differ.fits());
  EXPECT_THAT(differ.nodes.at(0).refusal,
              AllOf(HasSubstr("and those of meter load, meter, motor"), HasSubstr("the same")));
}

}  // namespace
}  // namespace hild::plan
