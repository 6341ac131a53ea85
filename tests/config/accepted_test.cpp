// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is written arrives: converted to the units of the model, resolved, defaults filled in.
#include <gtest/gtest.h>

#include <cmath>
#include <tuple>

#include "fakes.hpp"

namespace hild::config {
namespace {

using fakes::read;

TEST(Accepted, EverySection) {
  const auto config = read(
      "frame: {rate: 3 kHz, clock: sleep+spin, margin: 50 us, cpu: 0, priority: 0,\n"
      "        late_wake: 20 us}\n"
      "model: {type: test-plant, parameters: {inertia: 10 kg cm2, ratio: 50 %},\n"
      "        initial: {speed: 60 rpm}}\n"
      "integrator: {method: rtam-2, sampling: stage, extrapolation: quadratic, outputs: early,\n"
      "             max_events: 7}\n"
      "overrun: {policy: slip, max_debt: 3, limit: {percent: 2.5, window: 200, consecutive: 4},\n"
      "          then: freeze, startup_grace: 0}\n"
      "budget: {utilisation: 70 %, with_time_events: 0.3, with_state_events: 10 %}\n");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->settings.grid.tick(3), 1_ms) << "3 kHz has three frames in a millisecond";
  EXPECT_EQ(config->frame.clock, rt::ClockKind::sleep_spin);
  EXPECT_EQ(config->frame.margin, 50_us);
  EXPECT_EQ(config->frame.cpu, 0);
  EXPECT_EQ(config->frame.priority, 0);
  EXPECT_EQ(config->settings.late_wake, 20_us);
  EXPECT_EQ(config->model.type, "test-plant");
  ASSERT_EQ(config->model.parameters.size(), 3U);
  EXPECT_DOUBLE_EQ(config->model.parameters[0], 1e-3);
  EXPECT_EQ(config->model.parameters[1], 0.5) << "the model's own";
  EXPECT_EQ(config->model.parameters[2], 0.5);
  ASSERT_EQ(config->model.initial.size(), 2U);
  EXPECT_EQ(config->model.initial[0], 0);
  EXPECT_DOUBLE_EQ(config->model.initial[1], 2 * 3.14159265358979323846);
  EXPECT_EQ(config->method, "rtam-2");
  const exec::Settings& settings = config->settings;
  EXPECT_EQ(settings.sampling, exec::Sampling::stage);
  EXPECT_EQ(settings.extrapolation, 2);
  EXPECT_EQ(settings.outputs, exec::OutputTime::early);
  EXPECT_EQ(settings.max_events, 7);
  EXPECT_EQ(settings.overrun.policy, exec::OverrunPolicy::slip);
  EXPECT_EQ(settings.overrun.max_debt, 3);
  EXPECT_EQ(settings.overrun.limit_percent, 2.5);
  EXPECT_EQ(settings.overrun.window, 200);
  EXPECT_EQ(settings.overrun.consecutive, 4);
  EXPECT_EQ(settings.overrun.then, exec::LimitAction::freeze);
  EXPECT_EQ(settings.overrun.startup_grace, 0);
  EXPECT_DOUBLE_EQ(settings.budget.utilisation, 0.7);
  EXPECT_DOUBLE_EQ(settings.budget.with_time_events, 0.3);
  EXPECT_DOUBLE_EQ(settings.budget.with_state_events, 0.1);
}

TEST(Accepted, LimitsOfOverrunsToTheirEnds) {
  for (const auto& [text, percent] : {std::pair{"0", 0.0}, {"0 %", 0.0}, {"100", 100.0}}) {
    const auto config = read(fakes::head, {{"overrun.limit.percent", text}});
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->settings.overrun.limit_percent, percent) << text;
  }
  const auto first = read(fakes::head, {{"overrun.limit.consecutive", "1"}});
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->settings.overrun.consecutive, 1) << "the first one is one too many";
}

TEST(Accepted, EvidenceOfOverrunsIsGatheredWhereItIsAskedFor) {
  const auto asked = read(fakes::head + "overrun: {evidence: true}\n");
  ASSERT_TRUE(asked) << asked.error().message;
  EXPECT_TRUE(asked->evidence);
  const auto declined = read(fakes::head + "overrun: {evidence: false}\n");
  ASSERT_TRUE(declined) << declined.error().message;
  EXPECT_FALSE(declined->evidence);
  const auto unasked = read(fakes::head + "overrun: {policy: slip}\n");
  ASSERT_TRUE(unasked) << unasked.error().message;
  EXPECT_FALSE(unasked->evidence);
}

TEST(Accepted, PartsOfAStepWithOutputsOfTheirOwn) {
  const auto config = read(
      "frame: {period: 1 ms}\n"
      "model: {type: test-plant}\n"
      "integrator: {method: ode-45, dense_outputs: [0.25, 50 %, 0.75]}\n");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->settings.dense_outputs, (std::vector{0.25, 0.5, 0.75}));
}

TEST(Accepted, AdmissionOfEvents) {
  const auto config = read(fakes::head + "events: {guard: 20 us, max_deferrals: 7}\n");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->admission.guard, 20_us);
  EXPECT_EQ(config->admission.max_deferrals, 7);
}

TEST(Accepted, InterlocksOnSignalsAndOnLinesOfTheirOwn) {
  const auto config = read(fakes::head +
                           "inputs: {load: {device: daq, channel: 2, scale: 1 N m/V}}\n"
                           "interlocks:\n"
                           "  button: {device: daq, channel: 5, kind: digital, max: 0.5}\n"
                           "  overspeed: {output: speed, max: 600 rpm}\n"
                           "  angle: {state: angle, min: -1 rad, max: 1 rad}\n"
                           "  pressure: {device: daq, channel: 6, min: 2 V}\n");
  ASSERT_TRUE(config) << config.error().message;
  const auto& all = config->interlocks;
  ASSERT_EQ(all.size(), 4U);
  EXPECT_EQ(all[0].name, "button");
  EXPECT_EQ(all[0].limits.of, exec::Interlock::Of::input);
  EXPECT_EQ(all[0].limits.index, 3U) << "after the inputs of the model";
  EXPECT_EQ(all[0].limits.low, -INFINITY);
  EXPECT_EQ(all[0].limits.high, 0.5);
  EXPECT_EQ(all[1].limits.of, exec::Interlock::Of::output);
  EXPECT_EQ(all[1].limits.index, 0U);
  EXPECT_NEAR(all[1].limits.high, 20 * 3.14159265358979323846, 1e-12);
  EXPECT_EQ(all[2].limits.of, exec::Interlock::Of::state);
  EXPECT_EQ(all[2].limits.low, -1);
  EXPECT_EQ(all[3].limits.index, 4U);
  ASSERT_EQ(config->lines.size(), 2U);
  EXPECT_TRUE(config->lines[0].channel.digital);
  EXPECT_EQ(config->lines[0].slot, 1U) << "after that of `load`";
  EXPECT_EQ(config->lines[1].slot, 2U);
}

TEST(Accepted, PartitionsInTheOrderOfTheModel) {
  const auto config = read(
      "frame: {period: 1 ms}\n"
      "model: {type: oscillator-load}\n"
      "integrator:\n"
      "  method: multirate\n"
      "  interface: extrapolate\n"
      "  sampling: stage\n"
      "  partitions:\n"
      "    load: {method: be}\n"
      "    line: {method: euler, ratio: 2}\n"
      "    oscillator: {method: ab-2, ratio: 10}\n");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->method, "multirate");
  ASSERT_TRUE(config->multirate);
  const model::Multirate& m = *config->multirate;
  ASSERT_EQ(m.count, 3U);
  EXPECT_EQ(m.rates[0].method->name, "ab-2");
  EXPECT_EQ(m.rates[0].ratio, 10);
  EXPECT_EQ(m.rates[1].method->name, "forward-euler");
  EXPECT_EQ(m.rates[1].ratio, 2);
  EXPECT_EQ(m.rates[2].method->name, "backward-euler");
  EXPECT_EQ(m.rates[2].ratio, 1);
  EXPECT_EQ(m.interface, model::Interface::extrapolate);
}

TEST(Accepted, Defaults) {
  const auto config = read(fakes::head);
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->file, "rig.yaml");
  EXPECT_EQ(config->settings.grid.period(), 1_ms);
  EXPECT_EQ(config->settings.late_wake, 100_us) << "a tenth of the frame";
  EXPECT_EQ(config->frame.clock, rt::ClockKind::sleep);
  EXPECT_EQ(config->frame.margin, std::nullopt);
  EXPECT_EQ(config->frame.cpu, -1);
  EXPECT_EQ(config->frame.priority, 80);
  EXPECT_EQ(config->settings.sampling, exec::Sampling::frame);
  EXPECT_EQ(config->settings.overrun.limit_percent, std::nullopt);
  EXPECT_EQ(config->settings.overrun.then, exec::LimitAction::safe_stop);
  ASSERT_EQ(config->inputs.size(), 3U);
  EXPECT_EQ(config->inputs[0].device, -1);
  EXPECT_EQ(config->inputs[0].start, 1.5) << "the model's start value holds";
  ASSERT_EQ(config->outputs.size(), 3U);
  EXPECT_EQ(config->outputs[2].device, -1);
}

TEST(Accepted, PeriodsThatBinaryFractionsCannotHold) {
  for (const auto& [text, period] : {std::pair{"0.3 ms", 300_us},
                                     {"0.1 ms", 100_us},
                                     {"333.333 us", 333'333_ns},
                                     {"2.4e-3 s", 2400_us},
                                     {"1000 s", 1000_s},
                                     {"1 us", 1_us}}) {
    const auto config = read(fakes::head, {{"frame.period", text}});
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->settings.grid.period(), period) << text;
  }
}

TEST(Accepted, RatesAreKeptExactly) {
  for (const auto& [text, frames] :
       {std::pair{"1 kHz", 1000}, {"7 kHz", 7000}, {"44.1 kHz", 44'100}, {"1 MHz", 1'000'000}}) {
    const auto config = read("frame: {rate: " + std::string(text) + "}\n" +
                             fakes::head.substr(fakes::head.find('\n') + 1));
    ASSERT_TRUE(config) << config.error().message;
    EXPECT_EQ(config->settings.grid.tick(frames), 1_s) << text;
  }
}

// 1 rpm is 2 pi / 60 rad/s.
TEST(Accepted, WhereAChannelCarriesAUnitItIsConverted) {
  const auto config =
      read(fakes::head +
           "inputs:\n"
           "  load: {device: daq, channel: 1, unit: mNm}\n"
           "outputs:\n"
           "  speed: {device: daq, channel: 1, unit: rpm, safe: 0.1 rev/s,\n"
           "          limits: -10 rpm..0.1 rev/s, slew: 3 rpm/s}\n"
           "  sense: {device: daq, channel: 2, unit: m/s, scale: 4 V/(m/s),\n"
           "          offset: 1 V, safe: 0 m/s}\n"
           "interlocks: {creep: {device: daq, channel: 6, unit: m/s, max: 1 km/h}}\n");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_DOUBLE_EQ(config->inputs[1].scale, 1e-3);
  const io::OutputSignal& speed = config->outputs[0];
  EXPECT_DOUBLE_EQ(speed.scale, 2 * 3.14159265358979323846 / 60);
  EXPECT_EQ(speed.offset, 0);
  EXPECT_DOUBLE_EQ(speed.limits.high, 6);
  EXPECT_DOUBLE_EQ(speed.safe, 6);
  EXPECT_DOUBLE_EQ(speed.slew, 3);
  EXPECT_EQ(config->outputs[1].scale, 4);
  EXPECT_EQ(config->outputs[1].offset, 1);
  EXPECT_DOUBLE_EQ(config->interlocks[0].limits.high, 1 / 3.6);
}

TEST(Accepted, SignalsReachTheirChannels) {
  const auto config =
      read(fakes::head +
               "inputs:\n"
               "  brake: {device: daq, channel: 1, kind: digital}\n"
               "  load: {device: daq, channel: 3, scale: 250 mNm/V, offset: 1 N m}\n"
               "  voltage: {value: 2500 mV}\n"
               "outputs:\n"
               "  sense: {device: daq, channel: 5, safe: 0 V}\n"
               "  speed: {device: dac, channel: 3, scale: 50 rad/s/V, safe: -1 V,\n"
               "          limits: -5 V..5 V}\n"
               "  running: {device: daq, channel: 6, kind: digital, safe: 1}\n",
           {{"devices.dac",
             "{driver: fake, path: x, max_latency: 5 ms, "
             "noise: {level: 3 mV}}"}});
  ASSERT_TRUE(config) << config.error().message;
  ASSERT_EQ(config->devices.size(), 2U);
  EXPECT_EQ(config->devices[1].name, "dac");
  EXPECT_EQ(config->devices[1].loss.max_latency, 5_ms);

  const auto& [voltage, load, brake] =
      std::tie(config->inputs[0], config->inputs[1], config->inputs[2]);
  EXPECT_EQ(voltage.device, -1);
  EXPECT_EQ(voltage.start, 2.5);
  EXPECT_EQ(load.device, 0);
  EXPECT_EQ(load.scale, 0.25);
  EXPECT_EQ(load.offset, 1);
  EXPECT_EQ(brake.scale, 1) << "a signal without unit on a digital line needs no scale";
  EXPECT_TRUE(brake.channel.digital);

  const auto& [speed, sense, running] =
      std::tie(config->outputs[0], config->outputs[1], config->outputs[2]);
  EXPECT_EQ(speed.device, 1);
  EXPECT_EQ(speed.scale, 50);
  EXPECT_EQ(speed.limits.low, -5);
  EXPECT_EQ(speed.limits.high, 5);
  EXPECT_EQ(speed.safe, -1);
  EXPECT_EQ(sense.scale, 1) << "volts to volts";
  EXPECT_EQ(sense.limits.high, 10) << "the channel's range";
  EXPECT_EQ(running.safe, 1);

  // Slots are the order of add() within device and direction.
  const auto& daq = dynamic_cast<const fakes::FakeDevice&>(*config->devices[0].device);
  const auto& dac = dynamic_cast<const fakes::FakeDevice&>(*config->devices[1].device);
  EXPECT_EQ(daq.inputs_.at(load.slot), 3);
  EXPECT_EQ(daq.inputs_.at(brake.slot), 1);
  EXPECT_EQ(daq.outputs_.at(sense.slot), 5);
  EXPECT_EQ(daq.outputs_.at(running.slot), 6);
  EXPECT_EQ(dac.outputs_.at(speed.slot), 3);
  EXPECT_EQ(dac.path_, "x");
  EXPECT_DOUBLE_EQ(dac.noise_, 3e-3);
}

// 3 cycles of 20 ms; what a signal says itself goes before its device.
TEST(Accepted, AgesMayBeInCyclesOfTheImage) {
  const auto config =
      read(fakes::head +
               "inputs:\n"
               "  voltage: {device: daq, channel: 1, cycle: 20 ms}\n"
               "  load: {device: daq, channel: 2, cycle: 10 ms, scale: 1 Nm/V, max_latency: 1 s}\n"
               "  brake: {device: daq, channel: 3, cycle: 10 ms, kind: digital, "
               "max_latency: 2.5 cycles}\n",
           {{"devices.daq", "{driver: fake, max_latency: 3 cycles, on_loss: hold}"}});
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->inputs[0].loss.max_latency, 60_ms);
  EXPECT_EQ(config->inputs[0].loss.then, io::OnLoss::hold);
  EXPECT_EQ(config->inputs[1].loss.max_latency, 1_s);
  EXPECT_EQ(config->inputs[2].loss.max_latency, 25_ms);
}

TEST(Accepted, AliasOfAMethodBecomesItsName) {
  const auto config = read(fakes::head, {{"integrator.method", "euler"}});
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->method, "forward-euler");
}

}  // namespace
}  // namespace hild::config
