// SPDX-License-Identifier: Apache-2.0
/// \file
/// The bus between the signals of a model and the channels of devices.
#include "io/bus.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "io/fake_device.hpp"

namespace hild::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double inf = std::numeric_limits<double>::infinity();

io::InputSignal input(int device, std::size_t slot, double scale = 1, double offset = 0) {
  io::InputSignal s;
  s.device = device;
  s.slot = slot;
  s.scale = scale;
  s.offset = offset;
  return s;
}

io::OutputSignal output(int device, std::size_t slot, double scale = 1, double offset = 0) {
  io::OutputSignal s;
  s.device = device;
  s.slot = slot;
  s.scale = scale;
  s.offset = offset;
  s.limits = {-10, 10};
  s.safe = 1.5;
  return s;
}

/// A bus over fakes, opened.
struct Wired {
  Wired(std::size_t devices, std::vector<io::InputSignal> inputs,
        std::vector<io::OutputSignal> outputs, std::vector<std::size_t> groups = {},
        std::size_t heard = SIZE_MAX) {
    std::vector<io::Member> members;
    for (std::size_t d = 0; d < devices; ++d) {
      auto device = std::make_unique<FakeDevice>();
      fakes.push_back(device.get());
      if (d < groups.size()) device->group_count = groups[d];
      device->heard = d == heard;
      members.push_back({Name(std::string("dev") + std::to_string(d)), std::move(device)});
    }
    bus = std::make_unique<io::Bus>(std::move(members), std::move(inputs), std::move(outputs));
  }
  Wired& open() {
    EXPECT_TRUE(bus->open(clock));
    return *this;
  }

  std::vector<double> read() {
    sampled.assign(bus->groups(), MonoTime{});
    std::vector<double> u(bus->inputs().size());
    EXPECT_TRUE(bus->exchange({}, u, clock.now(), sampled));
    return u;
  }
  [[nodiscard]] bool write(std::vector<double> y) { return bus->exchange(y, {}, clock.now(), {}); }

  rt::VirtualClock clock{MonoTime{1'000'000'000}};
  std::vector<FakeDevice*> fakes;
  std::unique_ptr<io::Bus> bus;
  std::vector<MonoTime> sampled;
};

TEST(Bus, SignalIsScaleTimesConverterPlusOffset) {
  Wired w(1, {input(0, 0, 2.5, 1), input(0, 1, -4, 0.5)}, {});
  w.open();
  w.fakes[0]->image = {2, 3};
  EXPECT_THAT(w.read(), ElementsAre(6.0, -11.5));
}

io::InputSignal counted(io::InputSignal s) {
  s.channel.counted = true;
  return s;
}

TEST(Bus, RawCountsOfOneDeviceAreThoseOfItsNewestImage) {
  Wired w(2, {input(1, 0), input(0, 0), counted(input(0, 1)), counted(input(0, 2))}, {});
  w.fakes[0]->image = {1, 2, 3};
  w.fakes[0]->raw = {10, 20, 30};
  w.fakes[1]->image = {4};
  w.open();
  EXPECT_THAT(w.read(), ElementsAre(4, 1, 2, 3));
  EXPECT_THAT(w.bus->counts(), ElementsAre(20, 30));
  w.fakes[0]->raw = {11, 21, 31};
  EXPECT_THAT(w.read(), ElementsAre(4, 1, 2, 3));
  EXPECT_THAT(w.bus->counts(), ElementsAre(21, 31));
}

// Two devices; the first and the last signal have counts, the one in between has none.
TEST(Bus, RawCountsAreInTheOrderOfTheInputs) {
  Wired w(2, {counted(input(1, 1)), input(0, 0), counted(input(0, 1))}, {});
  EXPECT_THAT(w.bus->counted(), ElementsAre(0, 2));
  w.fakes[0]->image = {2, 3};
  w.fakes[0]->raw = {20, 30};
  w.fakes[1]->image = {4, 5};
  w.fakes[1]->raw = {40, 50};
  w.open();
  const auto counts = w.bus->counts();
  EXPECT_THAT(w.read(), ElementsAre(5, 2, 3));
  EXPECT_THAT(counts, ElementsAre(50, 30));
  w.fakes[0]->raw[1] = 31;
  EXPECT_THAT(w.read(), ElementsAre(5, 2, 3));
  EXPECT_THAT(counts, ElementsAre(50, 31));
}

TEST(Bus, CountsThatADeviceDeclaresAndLacksAreNought) {
  io::InputSignal s = input(0, 0);
  s.channel.counted = true;
  Wired w(1, {s}, {});
  w.open();
  w.fakes[0]->image = {2};
  EXPECT_THAT(w.read(), ElementsAre(2));
  EXPECT_THAT(w.bus->counts(), ElementsAre(0));
}

// One of two: it cannot be told whose.
TEST(Bus, CountsThatADeviceHasTooFewOfAreNought) {
  io::InputSignal s = input(0, 0);
  s.channel.counted = true;
  Wired w(1, {s, input(0, 1)}, {});
  w.fakes[0]->image = {2, 3};
  w.fakes[0]->raw = {20};
  w.open();
  EXPECT_THAT(w.read(), ElementsAre(2, 3));
  EXPECT_THAT(w.bus->counts(), ElementsAre(0));
}

TEST(Bus, ConverterIsSignalLessOffsetOverScale) {
  Wired w(1, {}, {output(0, 0, 2.5, 1), output(0, 1, -4, 0.5)});
  w.open();
  EXPECT_TRUE(w.write({6.0, -11.5}));
  EXPECT_THAT(w.fakes[0]->written, ElementsAre(ElementsAre(2.0, 3.0)));
  EXPECT_EQ(w.bus->clamped(), 0);
}

TEST(Bus, OutputsAreCutToTheirLimitsAndCounted) {
  io::OutputSignal narrow = output(0, 1, 2);
  narrow.limits = {-1, 4};
  Wired w(1, {}, {output(0, 0), narrow});
  w.open();
  EXPECT_TRUE(w.write({10, 8}));  // both exactly at a limit
  EXPECT_EQ(w.bus->clamped(), 0);
  EXPECT_TRUE(w.write({10.5, 8.5}));
  EXPECT_TRUE(w.write({-11, -3}));
  EXPECT_THAT(w.fakes[0]->written,
              ElementsAre(ElementsAre(10, 4), ElementsAre(10, 4), ElementsAre(-10, -1)));
  EXPECT_EQ(w.bus->clamped(), 4);
}

TEST(Bus, WhatIsNotFiniteGoesSafeAndIsCounted) {
  Wired w(1, {}, {output(0, 0), output(0, 1)});
  w.open();
  EXPECT_TRUE(w.write({nan, 2}));
  EXPECT_TRUE(w.write({2, inf}));
  EXPECT_TRUE(w.write({-inf, 2}));
  EXPECT_THAT(w.fakes[0]->written,
              ElementsAre(ElementsAre(1.5, 2), ElementsAre(2, 1.5), ElementsAre(1.5, 2)));
  EXPECT_EQ(w.bus->clamped(), 3);
}

TEST(Bus, DigitalLinesCarryNoughtOrOne) {
  io::InputSignal in = input(0, 0);
  in.channel.digital = true;
  io::OutputSignal out = output(0, 0);
  out.channel = {.range = {0, 1}, .digital = true, .where = {}};
  out.limits = {0, 1};
  out.safe = 0;
  Wired w(1, {in}, {out});
  w.open();
  w.fakes[0]->image = {1};
  EXPECT_THAT(w.read(), ElementsAre(1));
  EXPECT_TRUE(w.write({1}));
  EXPECT_TRUE(w.write({7}));
  EXPECT_TRUE(w.write({nan}));
  EXPECT_THAT(w.fakes[0]->written, ElementsAre(ElementsAre(1), ElementsAre(1), ElementsAre(0)));
}

TEST(Bus, SignalsOfSeveralDevicesKeepTheirPlaces) {
  Wired w(2, {input(1, 0), input(0, 0), input(1, 1)}, {output(1, 0), output(0, 0), output(1, 1)});
  w.open();
  w.fakes[0]->image = {10};
  w.fakes[1]->image = {20, 21};
  EXPECT_THAT(w.read(), ElementsAre(20, 10, 21));
  EXPECT_TRUE(w.write({1, 2, 3}));
  EXPECT_THAT(w.fakes[0]->written, ElementsAre(ElementsAre(2)));
  EXPECT_THAT(w.fakes[1]->written, ElementsAre(ElementsAre(1, 3)));
}

TEST(Bus, ASignalWithoutADeviceKeepsItsStartValue) {
  io::InputSignal constant;
  constant.start = 0.02;
  constant.scale = 5;  // of no converter
  Wired w(1, {constant, input(0, 0)}, {io::OutputSignal{}, output(0, 0)});
  w.open();
  w.fakes[0]->image = {4};
  EXPECT_THAT(w.read(), ElementsAre(0.02, 4));
  EXPECT_TRUE(w.write({1e9, 3}));
  EXPECT_THAT(w.fakes[0]->written, ElementsAre(ElementsAre(3)));
  EXPECT_EQ(w.bus->clamped(), 0);
}

TEST(Bus, OneExchangeIsOneCallOfEveryDeviceThatHasAPart) {
  Wired w(3, {input(0, 0), input(1, 0)}, {output(1, 0), output(2, 0)});
  w.open();
  w.fakes[0]->image = {0};
  w.fakes[1]->image = {0};
  std::vector<double> u(2);
  const std::vector<double> y(2);
  std::vector<MonoTime> sampled(w.bus->groups());
  EXPECT_TRUE(w.bus->exchange(y, u, w.clock.now(), sampled));
  EXPECT_THAT((std::vector{w.fakes[0]->calls, w.fakes[1]->calls, w.fakes[2]->calls}),
              ElementsAre(1, 1, 1));
  w.read();
  EXPECT_THAT((std::vector{w.fakes[0]->calls, w.fakes[1]->calls, w.fakes[2]->calls}),
              ElementsAre(2, 2, 1));
  EXPECT_TRUE(w.write({0, 0}));
  EXPECT_THAT((std::vector{w.fakes[0]->calls, w.fakes[1]->calls, w.fakes[2]->calls}),
              ElementsAre(2, 3, 2));
}

TEST(Bus, EveryGroupHasAnInstantOfItsOwn) {
  Wired w(3, {input(0, 0), input(1, 1), input(1, 0)}, {output(2, 0)}, {1, 2, 1});
  w.open();
  for (auto* fake : w.fakes) fake->image = {0, 0};
  w.fakes[0]->age = 3_ms;
  w.fakes[1]->age = 1_ms;
  w.fakes[2]->age = 50_ms;  // only written: it has no image
  w.read();
  const MonoTime now = w.clock.now();
  // The second group of a fake is a microsecond younger than its first.
  EXPECT_THAT(w.sampled, ElementsAre(now - 3_ms, now - 1_ms, now - 1_ms + 1_us));
}

TEST(Bus, AnImageIsAwaitedOfTheDeviceWhoseGroupItIs) {
  Wired w(4, {input(0, 0), input(2, 1), input(2, 0), input(3, 0)}, {output(1, 0)}, {1, 1, 2, 1});
  w.fakes[2]->delivers = 250_us;
  w.bus->await_image(1, MonoTime{} + 1_ms, MonoTime{} + 1_s);
  EXPECT_EQ(w.bus->delivery(1), Duration{}) << "not open yet";
  w.open();
  w.bus->await_image(1, MonoTime{} + 2_ms, MonoTime{} + 2_s);
  w.bus->await_image(2, MonoTime{} + 3_ms, MonoTime{} + 3_s);
  w.bus->await_image(3, MonoTime{} + 4_ms, MonoTime{} + 4_s);
  w.bus->await_image(4, MonoTime{} + 5_ms, MonoTime{} + 5_s);
  EXPECT_THAT(w.fakes[0]->awaited, ElementsAre());
  EXPECT_THAT(w.fakes[1]->awaited, ElementsAre());
  EXPECT_THAT(w.fakes[2]->awaited, ElementsAre(MonoTime{} + 2_ms, MonoTime{} + 2_s,
                                               MonoTime{} + 3_ms, MonoTime{} + 3_s));
  EXPECT_THAT(w.fakes[3]->awaited, ElementsAre(MonoTime{} + 4_ms, MonoTime{} + 4_s));
  EXPECT_EQ(w.bus->delivery(2), Duration(250_us));
  EXPECT_EQ(w.bus->delivery(0), Duration{});
}

TEST(Bus, TellsWhatItsInputsAreBetweenImages) {
  std::vector<io::InputSignal> inputs{input(0, 0), input(1, 0), input(-1, 0), input(1, 1)};
  inputs[0].channel.digital = true;
  inputs[1].restart_above = 2;
  inputs[3].channel.group = 1;
  inputs[3].loss = {5_ms, io::OnLoss::substitute, 7};
  Wired w(2, inputs, {}, {1, 2});
  const std::vector<io::SampledInput> told = w.bus->sampled_inputs();
  ASSERT_EQ(told.size(), 4U);
  EXPECT_EQ(w.bus->groups(), 3U);
  EXPECT_EQ(told[0].group, 0U);
  EXPECT_TRUE(told[0].held);
  EXPECT_EQ(told[1].group, 1U);
  EXPECT_EQ(told[1].jump, 2);
  EXPECT_EQ(told[2].group, 0U) << "nobody samples it";
  EXPECT_EQ(told[2].loss.max_latency, Duration{});
  EXPECT_EQ(told[3].group, 2U);
  EXPECT_FALSE(told[3].held);
  EXPECT_EQ(told[3].loss.max_latency, Duration(5_ms));
  EXPECT_EQ(told[3].loss.substitute, 7);
}

TEST(Bus, RefusesAGroupThatItsDeviceDoesNotHave) {
  std::vector<io::InputSignal> inputs{input(0, 0)};
  inputs[0].channel.group = 3;
  Wired w(1, inputs, {}, {2});
  EXPECT_EQ(w.bus->sampled_inputs()[0].group, 1U) << "nothing is out of range meanwhile";
  const auto opened = w.bus->open(w.clock);
  ASSERT_FALSE(opened);
  EXPECT_THAT(opened.error().message, HasSubstr("device dev0: its driver has 2 image groups"));
}

TEST(Bus, WhatAGuardCannotHaveIsOpenedBehindIt) {
  Wired w(3, {input(2, 0)}, {output(0, 0), output(1, 0)});
  w.fakes[1]->why_unguardable = "it has a library";
  w.fakes[2]->why_unguardable = "it has no outputs either";
  ASSERT_TRUE(w.bus->open_guardable(w.clock));
  EXPECT_EQ(w.fakes[0]->opened, 1);
  EXPECT_EQ(w.fakes[1]->opened, 0);
  const auto told = w.bus->unguardable();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].message, "device dev1: it has a library");
  // A copy of the process that was made now: one is made safe, and not the other.
  EXPECT_FALSE(w.bus->safe());
  EXPECT_THAT(w.fakes[0]->written, ElementsAre(ElementsAre(1.5)));
  EXPECT_EQ(w.bus->failed(), -1);
  w.open();
  EXPECT_EQ(w.fakes[0]->opened, 1) << "once";
  EXPECT_EQ(w.fakes[1]->opened, 1);
  EXPECT_TRUE(w.bus->safe());
  // A copy that is made only now.
  w.bus->keep_guardable();
  w.fakes[1]->written.clear();
  EXPECT_FALSE(w.bus->safe());
  EXPECT_THAT(w.fakes[1]->written, IsEmpty());
}

TEST(Bus, AThreadThatBeginsInOpenIsRefusedWhereAGuardIsToBe) {
  Wired w(1, {}, {output(0, 0)});
  w.fakes[0]->threaded = true;
  const auto opened = w.bus->open_guardable(w.clock);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().code, ExitCode::device_failed);
  EXPECT_THAT(opened.error().message,
              HasSubstr("device dev0: its driver starts 1 thread in open(), which"));
  Wired declared(1, {}, {output(0, 0)});
  declared.fakes[0]->threaded = true;
  declared.fakes[0]->why_unguardable = "it says so";
  EXPECT_TRUE(declared.bus->open_guardable(declared.clock));
  EXPECT_TRUE(declared.bus->open(declared.clock));
}

TEST(Bus, WhatIsHeldIsNotInterpolated) {
  io::InputSignal gear = input(0, 0);
  gear.channel.held = true;
  const Wired w(1, {gear, input(0, 1)}, {});
  EXPECT_TRUE(w.bus->sampled_inputs()[0].held);
  EXPECT_FALSE(w.bus->sampled_inputs()[1].held);
}

TEST(Bus, HasAGroupWithoutAnyDevice) {
  Wired w(0, {input(-1, 0)}, {});
  w.open();
  w.read();
  EXPECT_THAT(w.sampled, ElementsAre(w.clock.now()));
}

TEST(Bus, ADeviceThatFailsIsNamed) {
  Wired w(2, {}, {output(0, 0), output(1, 0)});
  w.open();
  EXPECT_EQ(w.bus->failed(), -1);
  EXPECT_EQ(w.bus->failure().code, ExitCode::done);
  w.fakes[1]->alive = false;
  EXPECT_FALSE(w.write({0, 0}));
  EXPECT_EQ(w.bus->failed(), 1);
  EXPECT_EQ(w.bus->failure().message, "device dev1: pulled out");
  EXPECT_EQ(w.bus->failure().code, ExitCode::device_failed);
}

TEST(Bus, SafeWritesTheSafeValuesOfEveryDevice) {
  io::OutputSignal other = output(0, 1);
  other.safe = -3;
  Wired w(3, {input(1, 0)}, {output(0, 0), other, output(2, 0)});
  w.open();
  EXPECT_TRUE(w.bus->safe());
  EXPECT_THAT(w.fakes[0]->written, ElementsAre(ElementsAre(1.5, -3)));
  EXPECT_THAT(w.fakes[1]->written, IsEmpty());
  EXPECT_THAT(w.fakes[2]->written, ElementsAre(ElementsAre(1.5)));
  EXPECT_EQ(w.fakes[0]->reads + w.fakes[1]->reads + w.fakes[2]->reads, 0);
}

TEST(Bus, OneThatFailsDoesNotKeepTheOthersFromBeingSafe) {
  Wired w(3, {}, {output(0, 0), output(1, 0), output(2, 0)});
  w.open();
  w.fakes[0]->alive = false;
  EXPECT_FALSE(w.write({5, 5, 5}));
  EXPECT_FALSE(w.bus->safe());
  EXPECT_EQ(w.fakes[1]->written.back(), std::vector{1.5});
  EXPECT_EQ(w.fakes[2]->written.back(), std::vector{1.5});
}

TEST(Bus, OneThatDoesNotTakeItsSafeValueIsTheFailure) {
  Wired w(2, {}, {output(0, 0), output(1, 0)});
  w.open();
  w.fakes[1]->alive = false;
  EXPECT_FALSE(w.bus->safe());
  EXPECT_EQ(w.bus->failure().message, "device dev1: pulled out");
}

TEST(Bus, TheFirstFailureStaysTheOneThatIsTold) {
  Wired w(2, {}, {output(0, 0), output(1, 0)});
  w.open();
  w.fakes[1]->alive = false;
  EXPECT_FALSE(w.write({0, 0}));
  w.fakes[0]->alive = false;
  EXPECT_FALSE(w.bus->safe());
  EXPECT_EQ(w.bus->failed(), 1);
}

TEST(Bus, OfTwoThatDoNotTakeTheirSafeValuesTheFirstIsTold) {
  Wired w(2, {}, {output(0, 0), output(1, 0)});
  w.open();
  w.fakes[0]->alive = w.fakes[1]->alive = false;
  EXPECT_FALSE(w.bus->safe());
  EXPECT_EQ(w.bus->failed(), 0);
}

TEST(Bus, OneThatCannotBeOpenedIsNotCalledAndTheOthersAreSafe) {
  Wired w(2, {}, {output(0, 0), output(1, 0)});
  w.fakes[0]->there = false;
  const auto errors = w.bus->open_all(w.clock);
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].message, "device dev0: nobody at home");
  EXPECT_EQ(errors[0].code, ExitCode::device_failed);
  EXPECT_FALSE(w.bus->safe());
  EXPECT_EQ(w.fakes[0]->calls, 0);
  EXPECT_THAT(w.fakes[1]->written, ElementsAre(ElementsAre(1.5)));
}

TEST(Bus, OpenTellsTheFirstThatCannotBeOpened) {
  Wired w(3, {}, {});
  w.fakes[1]->there = false;
  w.fakes[2]->there = false;
  const auto opened = w.bus->open(w.clock);
  ASSERT_FALSE(opened);
  EXPECT_EQ(opened.error().message, "device dev1: nobody at home");
}

// A scale below 0 turns the limits around.
TEST(Bus, TellsWhatItCutOfWhichOutputs) {
  Wired w(2, {}, {output(0, 0, 2, 1), output(1, 0), output(0, 1, -20)});
  w.open();
  ASSERT_NE(w.bus->cut_values(), nullptr);
  EXPECT_TRUE(w.write({20, 10, -199}));
  EXPECT_THAT(w.bus->cut_outputs(), IsEmpty());
  EXPECT_TRUE(w.write({22, 10, 500}));
  EXPECT_TRUE(w.write({23, 10, -201}));
  const auto cut = w.bus->cut_outputs();
  ASSERT_EQ(cut.size(), 2U);
  EXPECT_EQ(cut[0].signal, 0U);
  EXPECT_EQ(cut[0].values, 2);
  EXPECT_EQ(cut[0].last, 23);
  EXPECT_EQ(cut[0].limits.low, -19);
  EXPECT_EQ(cut[0].limits.high, 21);
  EXPECT_EQ(cut[1].signal, 2U);
  EXPECT_EQ(cut[1].values, 2);
  EXPECT_EQ(cut[1].last, -201);
  EXPECT_EQ(cut[1].limits.low, -200);
  EXPECT_EQ(cut[1].limits.high, 200);
  EXPECT_EQ(w.bus->cut_values()->get(), 4);
}

// In the units of the channels, as they left: what was cut, and what is safe.
TEST(Bus, TellsWhatItWroteWhereOtherNodesHearOfIt) {
  Wired w(2, {}, {output(1, 0, 2, 1), output(0, 0), output(1, 1)}, {}, 1);
  w.open();
  ASSERT_EQ(w.bus->heard(), 2U);
  EXPECT_THAT(w.bus->heard_outputs(), ElementsAre(0, 2));
  const auto written = [&](std::size_t room = 2) {
    std::vector<double> values(room);
    w.bus->written(values);
    return values;
  };
  EXPECT_FALSE(w.bus->wrote());
  EXPECT_TRUE(w.write({7, 8, 9}));
  EXPECT_TRUE(w.bus->wrote());
  EXPECT_THAT(written(), ElementsAre(3, 9));
  EXPECT_TRUE(w.write({101, 8, -11}));
  EXPECT_THAT(written(), ElementsAre(10, -10));
  EXPECT_THAT(written(1), ElementsAre(10));
  EXPECT_TRUE(w.write({}));
  EXPECT_FALSE(w.bus->wrote()) << "nothing was due";
  EXPECT_TRUE(w.bus->safe());
  EXPECT_TRUE(w.bus->wrote());
  EXPECT_THAT(written(), ElementsAre(1.5, 1.5));
  EXPECT_EQ(w.fakes[1]->written.back(), (std::vector<double>{1.5, 1.5}));
}

// Numbered over all devices, in their order.
TEST(Bus, FaultsOfItsDevicesHaveTheNameOfTheDevice) {
  std::vector<io::Member> members;
  FakeDevice* fake[3] = {};
  for (int d = 0; d < 3; ++d) {
    auto device = std::make_unique<FakeDevice>();
    fake[d] = device.get();
    members.push_back(
        {Name(std::array{"a", "b", "c"}[static_cast<std::size_t>(d)]), std::move(device), {}});
  }
  fake[0]->can_have = {{"off", "off"}};
  fake[2]->can_have = {{"off", "off"}, {"late", "late", "s", {1, 2}}};
  io::Bus bus(std::move(members), {}, {});
  ASSERT_EQ(bus.faults(), 3U);
  EXPECT_EQ(bus.device_faults()[0].name, "a.off");
  EXPECT_EQ(bus.device_faults()[2].name, "c.late");
  EXPECT_EQ(bus.device_faults()[2].unit, "s");
  EXPECT_EQ(bus.fault_range(2)->high, 2);
  EXPECT_FALSE(bus.fault_range(3));
  bus.set_fault(2, true, 1.5);
  EXPECT_THAT(fake[2]->given, testing::ElementsAre(std::pair<std::size_t, double>(1, 1.5)));
  EXPECT_THAT(fake[0]->given, testing::IsEmpty());
}

}  // namespace
}  // namespace hild::test
