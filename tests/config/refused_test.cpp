// SPDX-License-Identifier: Apache-2.0
/// \file
/// What is wrong is refused with file, line, key, what was found and what was expected.
#include <gtest/gtest.h>

#include "fakes.hpp"

namespace hild::config {
namespace {

struct Case {
  const char* name;
  std::string text;
  std::vector<std::string> words;  ///< the error begins with the first and holds the others
};

class Refused : public testing::TestWithParam<Case> {};

TEST_P(Refused, WithPlaceAndExpectation) {
  const auto& [name, text, words] = GetParam();
  const std::string error = fakes::error_of(fakes::read(text));
  EXPECT_EQ(error.find(words.at(0)), 0U) << error;
  for (const std::string& word : words) {
    EXPECT_NE(error.find(word), std::string::npos) << "no " << word << "\nin " << error;
  }
}

const auto name_of = [](const auto& info) { return std::string(info.param.name); };

/// A text like the head of the tests with one line replaced or added.
std::string frame(const std::string& entries) {
  return "# one line above\nframe:\n  " + entries +
         "\nmodel: {type: test-plant}\nintegrator: {method: rtam-2}\n";
}
std::string with(const std::string& more) { return fakes::head + more; }  // more is at line 5
std::string model(const std::string& entries) {
  return "frame: {period: 1 ms}\nmodel:\n  type: test-plant\n  " + entries +
         "\nintegrator: {method: rtam-2}\n";
}
std::string multirate(const std::string& entries) {
  return "frame: {period: 1 ms}\nmodel: {type: oscillator-line}\nintegrator:\n  method: "
         "multirate\n" +
         entries;
}
std::string integrator(const std::string& entries) {
  return "frame: {period: 1 ms}\nmodel: {type: test-plant}\nintegrator:\n  " + entries + "\n";
}

INSTANTIATE_TEST_SUITE_P(
    Frame, Refused,
    testing::Values(
        Case{"Neither", frame("cpu: 0"), {"rig.yaml:2: frame.period: ", "found nothing"}},
        Case{"Both",
             frame("period: 1 ms\n  rate: 1 kHz"),
             {"rig.yaml:4: frame.rate: found period and rate, expected one"}},
        Case{"Misspelt",
             frame("perod: 1 ms"),
             {"rig.yaml:3: frame.perod: found an unknown key", "did you mean \"period\"?"}},
        Case{"NoUnit",
             frame("period: 1"),
             {"rig.yaml:3: frame.period: found \"1\", expected a time", "unit is missing"}},
        Case{"Length", frame("period: 1 m"), {"rig.yaml:3: frame.period: found \"1 m\""}},
        Case{"Zero", frame("period: 0 ms"), {"rig.yaml:3: frame.period: found \"0 ms\", expected"}},
        Case{"Negative", frame("period: -1 ms"), {"rig.yaml:3: frame.period: found \"-1 ms\""}},
        Case{"TooShort",
             frame("period: 999 ns"),
             {"rig.yaml:3: frame.period: found \"999 ns\", expected a time from 1 us to 1000 s"}},
        Case{"TooLong", frame("period: 1001 s"), {"rig.yaml:3: frame.period: ", "1000 s"}},
        Case{"PartOfNs",
             frame("period: 333333.3 ns"),
             {"rig.yaml:3: frame.period: ", "whole number of nanoseconds"}},
        Case{"RateZero", frame("rate: 0 Hz"), {"rig.yaml:3: frame.rate: found \"0 Hz\", expected"}},
        Case{"RateNegative", frame("rate: -3 kHz"), {"rig.yaml:3: frame.rate: found \"-3 kHz\""}},
        Case{"RateTooHigh",
             frame("rate: 1.001 MHz"),
             {"rig.yaml:3: frame.rate: found \"1.001 MHz\", expected a rate from 1 mHz to 1 MHz"}},
        Case{"RateBeyondNumbers",
             frame("rate: 1e300 Hz"),
             {"rig.yaml:3: frame.rate: found \"1e300 Hz\", expected a rate from 1 mHz to 1 MHz"}},
        Case{"RateInRadians", frame("rate: 3 rad/s"), {"rig.yaml:3: frame.rate: ", "cycles"}},
        Case{"RateOdd",
             frame("rate: 1.0001 Hz"),
             {"rig.yaml:3: frame.rate: ", "whole number of millihertz", "period"}},
        Case{"RateTooOdd",
             frame("rate: 999999.999 Hz"),
             {"rig.yaml:3: frame.rate: found \"999999.999 Hz\", expected a rounder rate"}},
        Case{"Clock",
             frame("period: 1 ms\n  clock: sleepy"),
             {"rig.yaml:4: frame.clock: found \"sleepy\", expected one of \"sleep\", "
              "\"sleep+spin\""}},
        Case{"Cpu", frame("period: 1 ms\n  cpu: 100000"), {"rig.yaml:4: frame.cpu: ", "0.."}},
        Case{"CpuNegative", frame("period: 1 ms\n  cpu: -1"), {"rig.yaml:4: frame.cpu: "}},
        Case{"Priority",
             frame("period: 1 ms\n  priority: 100"),
             {"rig.yaml:4: frame.priority: found \"100\", expected a whole number, 0..99"}},
        Case{"PriorityFraction",
             frame("period: 1 ms\n  priority: 8.5"),
             {"rig.yaml:4: frame.priority: found \"8.5\", expected a whole number"}},
        Case{"MarginOfSleep",
             frame("period: 1 ms\n  margin: 10 us"),
             {"rig.yaml:4: frame.margin: ", "sleep+spin"}},
        Case{"MarginOfAFrame",
             frame("period: 1 ms\n  clock: sleep+spin\n  margin: 1 ms"),
             {"rig.yaml:5: frame.margin: found \"1 ms\", expected"}},
        Case{"LateWake",
             frame("period: 1 ms\n  late_wake: 0 us"),
             {"rig.yaml:4: frame.late_wake: found \"0 us\", expected"}},
        Case{"EmptyValue",
             frame("cpu:\n\n\n  period: 1 ms"),
             {"rig.yaml:3: frame.cpu: found nothing, expected a whole number"}},
        Case{"Scalar", "frame: 1 ms\n", {"rig.yaml:1: frame: found \"1 ms\", expected a map"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Model, Refused,
    testing::Values(
        Case{"Missing", "frame: {period: 1 ms}\n", {"rig.yaml:1: model: found nothing"}},
        Case{"Type",
             "frame: {period: 1 ms}\nmodel: {type: test-plnt}\nintegrator: {method: rtam-2}\n",
             {"rig.yaml:2: model.type: found \"test-plnt\", expected a model",
              "did you mean \"test-plant\"?"}},
        Case{"Fmu",
             model("fmu: x.fmu"),
             {"rig.yaml:4: model.fmu: found beside `type`, expected one"}},
        Case{"ParameterName",
             model("parameters: {inertai: 1 kg m2}"),
             {"rig.yaml:4: model.parameters.inertai: ", "expected a parameter of test-plant",
              "did you mean \"inertia\"?"}},
        Case{"ParameterUnit",
             model("parameters: {inertia: 1 kg}"),
             {"rig.yaml:4: model.parameters.inertia: found \"1 kg\", expected a quantity in kg m2",
              "\"kg\" does not convert to \"kg m2\""}},
        Case{"ParameterBare",
             model("parameters: {inertia: 1}"),
             {"rig.yaml:4: model.parameters.inertia: found \"1\"", "\"1 kg m2\"?"}},
        Case{"ParameterLow",
             model("parameters: {inertia: 0 kg m2}"),
             {"rig.yaml:4: model.parameters.inertia: found \"0 kg m2\"", "at least 1e-06 kg m2"}},
        Case{"ParameterHigh",
             model("parameters: {damping: 11 N m s}"),
             {"rig.yaml:4: model.parameters.damping: ", "0 N m s..10 N m s"}},
        Case{"ParameterNan",
             model("parameters: {ratio: nan}"),
             {"rig.yaml:4: model.parameters.ratio: found \"nan\", expected a number"}},
        Case{"ParameterList",
             model("parameters: {ratio: [1, 2]}"),
             {"rig.yaml:4: model.parameters.ratio: found a list, expected a number"}},
        Case{"ParametersNotMap", model("parameters: 3"), {"rig.yaml:4: model.parameters: found "}},
        Case{"StateName",
             model("initial: {sped: 1 rad/s}"),
             {"rig.yaml:4: model.initial.sped: ", "a state of test-plant", "\"speed\"?"}},
        Case{"StateCycles",
             model("initial: {speed: 50 Hz}"),
             {"rig.yaml:4: model.initial.speed: found \"50 Hz\"", "1 rev/s = 2 pi rad/s"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Multirate, Refused,
    ::testing::Values(
        Case{"NoPartitions",
             integrator("method: multirate"),
             {"rig.yaml:4: integrator.method: ", "test-plant has no partitions"}},
        Case{"PartitionsOfAnotherMethod",
             integrator("method: rtam-2\n  partitions: {}"),
             {"rig.yaml:5: integrator.partitions: ", "method: multirate"}},
        Case{"PartitionsMissing", multirate(""), {"rig.yaml:3: integrator.partitions: found no"}},
        Case{"PartitionMissing",
             multirate("  partitions:\n    oscillator: {method: euler}\n"),
             {"rig.yaml:5: integrator.partitions.line: found no"}},
        Case{"PartitionUnknown",
             multirate("  partitions: {oscilator: {method: euler}}\n"),
             {"rig.yaml:5: integrator.partitions.oscilator: ", "oscillator"}},
        Case{
            "MethodOfManyPasses",
            multirate("  partitions:\n    oscillator: {method: rk-4}\n    line: {method: euler}\n"),
            {"rig.yaml:6: integrator.partitions.oscillator.method: found \"rk-4\"", "ab-2"}},
        Case{"RatioTooLarge",
             multirate(
                 "  partitions:\n    oscillator: {method: euler, ratio: 17}\n    line: {method: "
                 "euler}\n"),
             {"rig.yaml:6: integrator.partitions.oscillator.ratio: found \"17\""}},
        Case{"RatioThatDoesNotDivide",
             multirate("  partitions:\n    oscillator: {method: euler, ratio: 10}\n    line: "
                       "{method: euler, ratio: 4}\n"),
             {"rig.yaml:7: integrator.partitions.line.ratio: found \"4\"",
              "a divisor of the largest, 10"}},
        Case{"Interface",
             multirate("  partitions:\n    oscillator: {method: euler, ratio: 10}\n    line: "
                       "{method: euler}\n  interface: guess\n"),
             {"rig.yaml:8: integrator.interface: found \"guess\"", "\"hold\""}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Integrator, Refused,
    testing::Values(
        Case{"Method",
             integrator("method: rtam2"),
             {"rig.yaml:4: integrator.method: found \"rtam2\", expected a method", "\"rtam-2\""}},
        Case{
            "NoMethod", integrator("sampling: frame"), {"rig.yaml:3: integrator.method: found no"}},
        Case{"Future",
             integrator("method: rk-4\n  sampling: stage"),
             {"rig.yaml:5: integrator.sampling: found \"stage\", expected \"extrapolate\"",
              "rk-4 needs an input from the future", "such as "}},
        Case{"ExtrapolationOfAnotherDegree",
             integrator("method: rtam-2\n  extrapolation: quartic"),
             {"rig.yaml:5: integrator.extrapolation: found \"quartic\"", "\"cubic\""}},
        Case{"SamplesOfAnotherKind",
             integrator("method: rtam-2\n  samples: late"),
             {"rig.yaml:5: integrator.samples: found \"late\"", "\"true-time\""}},
        Case{"DenseOutputsOfAMethodWithout",
             integrator("method: rtam-2\n  dense_outputs: [0.5]"),
             {"rig.yaml:5: integrator.dense_outputs: ", "rtam-2 has no dense result", "ode-45"}},
        Case{"DenseOutputsBeyondTheStep",
             integrator("method: ode-45\n  dense_outputs: [0.5, 1]"),
             {"rig.yaml:5: integrator.dense_outputs: ", "between 0 and 1, ascending"}},
        Case{"DenseOutputsInDisorder",
             integrator("method: ode-45\n  dense_outputs: [0.5, 0.25]"),
             {"rig.yaml:5: integrator.dense_outputs: ", "between 0 and 1, ascending"}},
        Case{"DenseOutputsAndEarlyOnes",
             integrator("method: ode-45\n  outputs: early\n  dense_outputs: [0.5]"),
             {"rig.yaml:6: integrator.dense_outputs: ", "\"outputs: early\""}},
        Case{"MaxEvents",
             integrator("method: rtam-2\n  max_events: 0"),
             {"rig.yaml:5: integrator.max_events: found \"0\", expected a whole number, 1.."}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Limits, Refused,
    testing::Values(
        Case{"Policy",
             with("overrun: {policy: triple}"),
             {"rig.yaml:5: overrun.policy: found \"triple\", expected one of \"double\""}},
        Case{"Debt", with("overrun: {max_debt: 0}"), {"rig.yaml:5: overrun.max_debt: "}},
        Case{"Percent",
             with("overrun: {limit: {percent: 101}}"),
             {"rig.yaml:5: overrun.limit.percent: found \"101\", expected a percentage, 0..100"}},
        Case{"PercentNegative",
             with("overrun: {limit: {percent: -1}}"),
             {"rig.yaml:5: overrun.limit.percent: found \"-1\", expected a percentage, 0..100"}},
        Case{"PercentUnit",
             with("overrun: {limit: {percent: 1 s}}"),
             {"rig.yaml:5: overrun.limit."}},
        Case{"Window",
             with("overrun:\n  limit:\n    percent: 1\n    window: 0"),
             {"rig.yaml:8: overrun.limit.window: found \"0\", expected a whole number, 1.."}},
        Case{"WindowAlone",
             with("overrun: {limit: {window: 9}}"),
             {"rig.yaml:5: overrun.limit.win"}},
        Case{"ConsecutiveNone",
             with("overrun: {limit: {consecutive: 0}}"),
             {"rig.yaml:5: overrun.limit.consecutive: found \"0\", expected a whole number, 1.."}},
        Case{
            "NoLimit", with("overrun: {limit: {}}"), {"rig.yaml:5: overrun.limit: found no limit"}},
        Case{"MisspeltLimit",
             with("overrun: {limit: {pecent: 1}}"),
             {"rig.yaml:5: overrun.limit.pecent: ", "did you mean \"percent\"?"}},
        Case{
            "Grace", with("overrun: {startup_grace: -1}"), {"rig.yaml:5: overrun.startup_grace: "}},
        Case{
            "Utilisation",
            with("budget: {utilisation: 80}"),
            {"rig.yaml:5: budget.utilisation: found \"80\", expected above 0 % and at most 100 %"}},
        Case{"NoShare", with("budget: {with_time_events: 0 %}"), {"rig.yaml:5: budget.with_time"}},
        Case{"UnknownSection",
             with("plotting: {file: run.mcap}"),
             {"rig.yaml:5: plotting: found an unknown key, expected one of: ", "\"overrun\""}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    Signals, Refused,
    testing::Values(
        Case{"Driver",
             "frame: {period: 1 ms}\nmodel: {type: test-plant}\nintegrator: {method: rtam-2}\n"
             "devices:\n  daq: {driver: fakr}",
             {"rig.yaml:5: devices.daq.driver: found \"fakr\", expected a driver", "\"fake\"?"}},
        Case{"DriverKey",
             "frame: {period: 1 ms}\nmodel: {type: test-plant}\nintegrator: {method: rtam-2}\n"
             "devices:\n  daq: {driver: fake, noise: {level: 1 V, lvl: 2 V}}",
             {"rig.yaml:5: devices.daq.noise.lvl: found an unknown key", "\"level\""}},
        Case{"Latency",
             "frame: {period: 1 ms}\nmodel: {type: test-plant}\nintegrator: {method: rtam-2}\n"
             "devices:\n  daq: {driver: fake, max_latency: 5}",
             {"rig.yaml:5: devices.daq.max_latency: found \"5\", expected a time"}},
        Case{"LatencyInCyclesOfNone",
             "frame: {period: 1 ms}\nmodel: {type: test-plant}\nintegrator: {method: rtam-2}\n"
             "devices:\n  daq: {driver: fake, max_latency: 3 cycles}\n"
             "inputs: {voltage: {device: daq, channel: 1}}",
             {"rig.yaml:6: inputs.voltage.device: found `max_latency` of 3 cycles",
              "its channel comes; expected a time"}},
        Case{"LatencyOfNoCycle",
             "frame: {period: 1 ms}\nmodel: {type: test-plant}\nintegrator: {method: rtam-2}\n"
             "devices:\n  daq: {driver: fake, max_latency: 0.5 cycles}",
             {"rig.yaml:5: devices.daq.max_latency: found \"0.5 cycles\", expected one cycle"}},
        Case{"InputName",
             with("inputs: {voltag: {value: 1 V}}"),
             {"rig.yaml:5: inputs.voltag: ", "an input of test-plant", "\"voltage\"?"}},
        Case{"OutputOfInput", with("outputs: {load: {}}"), {"rig.yaml:5: outputs.load: ", "speed"}},
        Case{
            "EmptyEntry", with("inputs: {load: {}}"), {"rig.yaml:5: inputs.load.device: found no"}},
        Case{"ValueAndDevice",
             with("inputs: {load: {value: 1 N m, device: daq}}"),
             {"rig.yaml:5: inputs.load.value: found value and device, expected one"}},
        Case{
            "ValueUnit", with("inputs: {load: {value: 1 V}}"), {"rig.yaml:5: inputs.load.value: "}},
        Case{"Device",
             with("inputs: {load: {device: dac, channel: 1}}"),
             {"rig.yaml:5: inputs.load.device: found \"dac\"", "did you mean \"daq\"?"}},
        Case{"ChannelMissing",
             with("inputs: {load: {device: daq}}"),
             {"rig.yaml:5: inputs.load.channel: found nothing, expected a whole number, 0..15"}},
        Case{"ChannelTaken",
             with("inputs:\n  load: {device: daq, channel: 1, scale: 1 N m/V}\n"
                  "  brake: {device: daq, channel: 1}"),
             {"rig.yaml:7: inputs.brake: channel 1 of daq is taken"}},
        Case{"NeitherTrueNorFalse",
             with("safety: {guard: maybe}"),
             {"rig.yaml:5: safety.guard: found \"maybe\", expected true or false"}},
        Case{"ScaleMissing",
             with("inputs: {load: {device: daq, channel: 1}}"),
             {"rig.yaml:5: inputs.load.scale: found nothing, expected a quantity in N m/V"}},
        Case{"ScaleUnit",
             with("inputs: {load: {device: daq, channel: 1, scale: 2 N m}}"),
             {"rig.yaml:5: inputs.load.scale: found \"2 N m\", expected a quantity in N m/V"}},
        Case{"ScaleZero",
             with("inputs: {load: {device: daq, channel: 1, scale: 0 N m/V}}"),
             {"rig.yaml:5: inputs.load.scale: found \"0 N m/V\", expected anything but 0"}},
        Case{"OffsetUnit",
             with("inputs: {load: {device: daq, channel: 1, scale: 1 N m/V, offset: 1 V}}"),
             {"rig.yaml:5: inputs.load.offset: found \"1 V\", expected a quantity in N m"}},
        Case{"SafeMissing",
             with("outputs: {sense: {device: daq, channel: 1}}"),
             {"rig.yaml:5: outputs.sense.safe: found nothing, expected a quantity in V"}},
        Case{"SafeBeyondLimits",
             with("outputs: {sense: {device: daq, channel: 1, limits: 0 V..5 V, safe: -1 V}}"),
             {"rig.yaml:5: outputs.sense.safe: found \"-1 V\"", "0 V..5 V"}},
        Case{"SafeBetween",
             with("outputs: {running: {device: daq, channel: 1, kind: digital, safe: 0.5}}"),
             {"rig.yaml:5: outputs.running.safe: found \"0.5\", expected 0 or 1"}},
        Case{"LimitsBeyondRange",
             with("outputs: {sense: {device: daq, channel: 1, limits: -11 V..5 V, safe: 0 V}}"),
             {"rig.yaml:5: outputs.sense.limits: found \"-11 V..5 V\"", "-10..10 V"}},
        Case{"LimitsUpsideDown",
             with("outputs: {sense: {device: daq, channel: 1, limits: 5 V..-5 V, safe: 0 V}}"),
             {"rig.yaml:5: outputs.sense.limits: found \"5 V..-5 V\"", "first must be below"}},
        Case{"LimitsWithoutRoom",
             with("outputs: {sense: {device: daq, channel: 1, limits: 5 V..5 V, safe: 5 V}}"),
             {"rig.yaml:5: outputs.sense.limits: found \"5 V..5 V\"", "first must be below"}},
        Case{"EntryKey",
             with("outputs: {sense: {device: daq, channel: 1, sfae: 0 V}}"),
             {"rig.yaml:5: outputs.sense.sfae: found an unknown key, did you mean \"safe\"?"}},
        Case{"LongDevice",
             with("outputs: {}").replace(fakes::head.find("daq"), 3, std::string(64, 'd')),
             {"rig.yaml:4: devices.ddd", "at most 63"}}),
    name_of);

INSTANTIATE_TEST_SUITE_P(
    EventsAndInterlocks, Refused,
    testing::Values(
        Case{"Guard", with("events: {guard: 5}"), {"rig.yaml:5: events.guard: ", "a time"}},
        Case{"GuardBackwards",
             with("events: {guard: -5 us}"),
             {"rig.yaml:5: events.guard: found \"-5 us\", expected a time", "out of range"}},
        Case{"GuardForEver",
             with("events: {guard: 1e10 s}"),
             {"rig.yaml:5: events.guard: found \"1e10 s\", expected a time", "out of range"}},
        Case{"Deferrals",
             with("events: {max_deferrals: 0}"),
             {"rig.yaml:5: events.max_deferrals: found \"0\""}},
        Case{"NoMap", with("interlocks: {stop: 3}"), {"rig.yaml:5: interlocks.stop: ", "a map"}},
        Case{"WatchesNothing",
             with("interlocks: {stop: {max: 3 V}}"),
             {"rig.yaml:5: interlocks.stop: ", "one of input, output, state and device"}},
        Case{"WatchesTwo",
             with("interlocks: {stop: {input: load, output: speed, max: 3}}"),
             {"rig.yaml:5: interlocks.stop: ", "one of input, output, state and device"}},
        Case{"NoLimit",
             with("interlocks: {stop: {output: speed}}"),
             {"rig.yaml:5: interlocks.stop: found no limit, expected min, max or both"}},
        Case{"LimitMisspelt",
             with("interlocks: {stop: {output: speed, mx: 3 rad/s}}"),
             {"rig.yaml:5: interlocks.stop.mx: found an unknown key"}},
        Case{"NoSuchOutput",
             with("interlocks: {stop: {output: sped, max: 3 rad/s}}"),
             {"rig.yaml:5: interlocks.stop.output: ", "did you mean \"speed\"?"}},
        Case{"Unit",
             with("interlocks: {stop: {output: speed, max: 3 V}}"),
             {"rig.yaml:5: interlocks.stop.max: found \"3 V\"", "rad/s"}},
        Case{"Empty",
             with("interlocks: {stop: {output: speed, min: 3 rad/s, max: 2 rad/s}}"),
             {"rig.yaml:5: interlocks.stop.max: ", "no less than min"}},
        Case{"TakenChannel",
             with("inputs:\n  load: {device: daq, channel: 1, scale: 1 N m/V}\n"
                  "interlocks: {stop: {device: daq, channel: 1, max: 3 V}}"),
             {"rig.yaml:7: interlocks.stop: ", "taken"}}),
    name_of);

TEST(Refused, ADeviceKeepsItsExitCode) {
  const auto config =
      fakes::read(with("inputs:\n  load: {device: daq, channel: 1, scale: 1 N m/V}\n"
                       "  brake: {device: daq, channel: 1}"));
  ASSERT_FALSE(config);
  EXPECT_EQ(config.error().code, ExitCode::device_failed);
}

}  // namespace
}  // namespace hild::config
