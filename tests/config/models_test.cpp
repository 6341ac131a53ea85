// SPDX-License-Identifier: Apache-2.0
/// Several models in one configuration: what they become together, and what is refused with its
/// place.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/sections.hpp"
#include "fakes.hpp"

namespace hild::config {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::array controller_inputs{model::Input{"speed", "rpm"},
                                       model::Input{"temperature", "K"}};
constexpr std::array controller_outputs{model::Output{"voltage", "mV"},
                                        model::Output{"heat", "degC"}};
constexpr std::array at_once{model::Feedthrough{"voltage", "speed"}};
constexpr std::array events{model::Event{"trip"}};

std::unique_ptr<model::Stepper> nothing(const numerics::Method& /*method*/) { return nullptr; }

model::Registration controller() {
  model::Registration r{{.name = "test-controller", .summary = "for tests"}, nullptr, nothing};
  r.description.inputs = controller_inputs;
  r.description.outputs = controller_outputs;
  r.description.feedthrough = at_once;
  return r;
}
model::Registration breaker() {
  model::Registration r{{.name = "test-breaker", .summary = "for tests"}, nullptr, nothing};
  r.description.events = events;
  return r;
}
const model::Registration controller_registration = controller();
const model::Registration breaker_registration = breaker();
const bool registered =
    model::register_model(controller_registration) && model::register_model(breaker_registration);

// test-plant (fakes.hpp) says nothing of its feedthrough.
const std::string two =
    "frame: {period: 1 ms}\n"
    "models:\n"
    "  motor: {type: test-plant, integrator: {method: rtam-2}, parameters: {inertia: 0.02 kg m2}}\n"
    "  pi: {type: test-controller, integrator: {method: rk-4}, every: 5}\n"
    "connections:\n"
    "  - {from: motor.speed, to: pi.speed}\n";

std::string error_of(const std::string& text) { return fakes::error_of(fakes::read(text)); }

TEST(Models, AreOneModelTogether) {
  const auto read = fakes::read(two);
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_TRUE(read->coupled);
  const model::Description& d = read->model.description;
  EXPECT_THAT(names_of(d.inputs), ElementsAre("motor.voltage", "motor.load", "motor.brake",
                                              "pi.speed", "pi.temperature"));
  EXPECT_THAT(names_of(d.outputs),
              ElementsAre("motor.speed", "motor.sense", "motor.running", "pi.voltage", "pi.heat"));
  EXPECT_THAT(names_of(d.states), ElementsAre("motor.angle", "motor.speed"));
  EXPECT_THAT(names_of(d.parameters), ElementsAre("motor.inertia", "motor.damping", "motor.ratio"));
  EXPECT_THAT(read->model.parameters, ElementsAre(0.02, 0.5, 4));
  EXPECT_THAT(read->model.initial, ElementsAre(0, 2));
  EXPECT_EQ(read->model.type, "motor (test-plant), pi (test-controller)");
  EXPECT_EQ(read->method, "motor: rtam-2, pi: rk-4 every 5 frames");
  EXPECT_EQ(read->inputs.size(), 5U);
  EXPECT_EQ(read->inputs[0].start, 1.5);
}

TEST(Models, AreConnectedWithTheirUnitsConverted) {
  const auto read =
      fakes::read(two +
                  "  - {from: pi.heat, to: pi.temperature, extrapolation: quadratic}\n"
                  "  - {from: pi.voltage, to: motor.voltage, delay: frame, extrapolation: linear}\n"
                  "  - {from: motor.sense, to: motor.brake, scale: 3 1/V, delay: frame}\n");
  ASSERT_TRUE(read) << read.error().message;
  const auto c = read->coupled->composition->connections();
  ASSERT_EQ(c.size(), 4U);
  EXPECT_EQ(c[0].from, 0U);
  EXPECT_EQ(c[0].to, 3U);
  EXPECT_NEAR(c[0].factor, 60 / (2 * 3.14159265358979), 1e-12);  // rad/s in rpm
  EXPECT_FALSE(c[0].delayed);
  EXPECT_EQ(c[0].degree, 0);
  EXPECT_EQ(c[1].factor, 1);  // degC in K
  EXPECT_EQ(c[1].offset, 273.15);
  EXPECT_EQ(c[1].degree, 2);
  EXPECT_EQ(c[2].factor, 1e-3);  // mV in V
  EXPECT_TRUE(c[2].delayed);
  EXPECT_EQ(c[2].degree, 1);
  EXPECT_EQ(c[3].factor, 3);
}

TEST(Models, HaveTheirSignalsWiredByTheirNames) {
  const auto read =
      fakes::read(two +
                  "devices: {daq: {driver: fake}}\n"
                  "inputs: {motor.load: {device: daq, channel: 1, scale: 2 N m/V}}\n"
                  "outputs: {pi.voltage: {device: daq, channel: 2, scale: 1 mV/V, safe: 0 V}}\n"
                  "record: {file: a.mcap, signals: [motor.speed, outputs.pi.heat]}\n"
                  "interlocks: {fast: {state: motor.speed, max: 100 rad/s}}\n");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->inputs[1].scale, 2);
  EXPECT_EQ(read->outputs[3].device, 0);
  EXPECT_THAT(read->recorders.front().outputs, ElementsAre(true, false, false, false, true));
  EXPECT_THAT(read->recorders.front().states, ElementsAre(false, true));
  EXPECT_EQ(read->interlocks[0].limits.index, 1U);
}

TEST(Models, ShareTheExecutive) {
  const auto read =
      fakes::read(two + "integrator: {sampling: extrapolate, outputs: early, max_events: 7}\n");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->settings.sampling, exec::Sampling::extrapolate);
  EXPECT_EQ(read->settings.outputs, exec::OutputTime::early);
  EXPECT_EQ(read->settings.max_events, 7);
}

struct Refusal {
  std::string name;
  std::string text;
  std::string place;
  std::string words;
};

class ModelsRefused : public ::testing::TestWithParam<Refusal> {};

TEST_P(ModelsRefused, WithTheirPlaceAndReason) {
  const std::string error = error_of(GetParam().text);
  EXPECT_THAT(error, StartsWith("rig.yaml:" + GetParam().place));
  EXPECT_THAT(error, HasSubstr(GetParam().words));
}

std::string models(const std::string& lines) { return "frame: {period: 1 ms}\nmodels:\n" + lines; }
const std::string euler = "integrator: {method: forward-euler}";

INSTANTIATE_TEST_SUITE_P(
    All, ModelsRefused,
    ::testing::Values(
        Refusal{"BesideModel", two + "model: {type: test-plant}\n", "7: model",
                "found beside `models`, expected one of them"},
        Refusal{"None", "frame: {period: 1 ms}\nmodels: {}\n", "2: models",
                "expected at least one model"},
        Refusal{"NameWithDot", models("  a.b: {type: test-plant, " + euler + "}\n"),
                "3: models.a.b", "expected a name of letters, digits, _ and -"},
        Refusal{"NameOfSignals", models("  states: {type: test-plant, " + euler + "}\n"),
                "3: models.states", "take another name"},
        Refusal{"LongName",
                models("  " + std::string(60, 'm') + ": {type: test-plant, " + euler + "}\n"),
                "3: models.mmm", "has 66 characters, expected at most 63; take a shorter name"},
        Refusal{"NoIntegrator", models("  a: {type: test-plant}\n"), "3: models.a.integrator",
                "found nothing"},
        Refusal{"UnknownKey", models("  a: {type: test-plant, " + euler + ", evry: 2}\n"),
                "3: models.a.evry", "did you mean \"every\"?"},
        Refusal{"SplitRatio", models("  a: {type: test-plant, " + euler + ", every: 2.5}\n"),
                "3: models.a.every", "expected a whole number"},
        Refusal{"BothRatios",
                models("  a: {type: test-plant, " + euler + ", every: 2, substeps: 2}\n"),
                "3: models.a.every", "found `every` beside `substeps`"},
        Refusal{"SlowEvents", models("  a: {type: test-breaker, " + euler + ", every: 2}\n"),
                "3: models.a.every", "test-breaker has state events"},
        Refusal{"FastEvents", models("  a: {type: test-breaker, " + euler + ", substeps: 2}\n"),
                "3: models.a.substeps", "test-breaker has state events"},
        Refusal{"TooManyPasses",
                models("  a: {type: test-plant, " + euler +
                       ", substeps: 1000}\n"
                       "  b: {type: test-plant, " +
                       euler + ", substeps: 25}\n"),
                "2: models",
                "found models of 1025 passes in a frame together, expected at most 1024"},
        Refusal{"CpuThatIsNotThere", models("  a: {type: test-plant, " + euler + ", cpu: 4096}\n"),
                "3: models.a.cpu", "expected a whole number, 0.."},
        Refusal{"InTheBackgroundAndInAProcessOfItsOwn",
                models("  a: {type: test-plant, " + euler + ", every: 2, cpu: 0, process: own}\n"),
                "3: models.a.cpu", "where each pass waits for an answer"},
        Refusal{"InTheBackgroundOfAWorker",
                "frame: {period: 1 ms, workers: [0]}\n"
                "models:\n  a: {type: test-plant, " +
                    euler + ", every: 2, cpu: 0}\n  b: {type: test-plant, " + euler + "}\n",
                "3: models.a.cpu", "found 0 beside `every`, where a worker runs models"},
        Refusal{"InTheBackgroundOfAModelOnAWorker",
                "frame: {period: 1 ms}\n"
                "models:\n  a: {type: test-plant, " +
                    euler + ", every: 2, cpu: 0}\n  b: {type: test-plant, " + euler + ", cpu: 0}\n",
                "3: models.a.cpu", "or one without a worker"},
        Refusal{"CpuWithASampleAPass",
                models("  a: {type: test-plant, " + euler + ", cpu: 0}\n" +
                       "integrator: {sampling: extrapolate}\n"),
                "3: models.a.cpu", "expected `frame`, `stage` or `behind`"},
        Refusal{"WorkersOfOne",
                "frame: {period: 1 ms, workers: [0]}\nmodel: {type: test-plant}\n"
                "integrator: {method: forward-euler}\n",
                "1: frame.workers", "for a single model, which has nothing to share"},
        Refusal{"WorkersThatAreNotThere",
                "frame: {period: 1 ms, workers: [0, 4096]}\n"
                "models:\n  a: {type: test-plant, " +
                    euler + "}\n",
                "1: frame.workers", "expected a list of CPUs, each from 0 to"},
        Refusal{"HalfAWorker",
                "frame: {period: 1 ms, workers: [0.5]}\n"
                "models:\n  a: {type: test-plant, " +
                    euler + "}\n",
                "1: frame.workers", "expected a list of CPUs"},
        Refusal{"TwoWorkersOnOneCpu",
                "frame: {period: 1 ms, workers: [0, 0]}\n"
                "models:\n  a: {type: test-plant, " +
                    euler + "}\n",
                "1: frame.workers", "found CPU 0 twice"},
        Refusal{"AWorkerWhereTheFrameIs",
                "frame: {period: 1 ms, cpu: 0, workers: [0]}\n"
                "models:\n  a: {type: test-plant, " +
                    euler + "}\n",
                "1: frame.workers", "found CPU 0, on which the frame thread runs"},
        Refusal{"WorkersWithASampleAPass",
                "frame: {period: 1 ms, workers: [0]}\n"
                "models:\n  a: {type: test-plant, " +
                    euler + "}\n" + "integrator: {sampling: extrapolate}\n",
                "1: frame.workers", "expected `frame`, `stage` or `behind`"},
        Refusal{"MethodOfAll", two + "integrator: {method: rk-4}\n", "7: integrator.method",
                "each of which has its own: models.NAME.integrator.method"},
        Refusal{"DenseOutputs", two + "integrator: {dense_outputs: [0.5]}\n",
                "7: integrator.dense_outputs", "leave it out beside `models`"},
        Refusal{"Anytime", two + "integrator: {anytime: true}\n", "7: integrator.anytime",
                "is for one model"},
        Refusal{"StageForTheFuture",
                models("  a: {type: test-plant, integrator: {method: rk-4}}\n"
                       "integrator: {sampling: stage}\n"),
                "4: integrator.sampling", "needs an input from the future"},
        Refusal{"ConnectionsOfOne", fakes::head + "connections: []\n", "5: connections",
                "found an unknown key"},
        Refusal{"NoList", two.substr(0, two.find("connections")) + "connections: {a: b}\n",
                "5: connections", "expected a list of maps"},
        Refusal{"NoMap", two + "  - motor.speed\n", "7: connections[2]",
                "found \"motor.speed\", expected a map"},
        Refusal{"NoTarget", two + "  - {from: motor.speed}\n", "7: connections[2].to",
                "found nothing"},
        Refusal{"UnknownModel", two + "  - {from: moter.speed, to: motor.brake}\n",
                "7: connections[2].from", "did you mean \"motor\"?"},
        Refusal{"UnknownOutput", two + "  - {from: motor.sped, to: motor.brake}\n",
                "7: connections[2].from", "expected an output of motor (did you mean \"speed\"?)"},
        Refusal{"UnknownInput", two + "  - {from: motor.speed, to: pi.sped}\n",
                "7: connections[2].to", "expected an input of pi (did you mean \"speed\"?)"},
        Refusal{"NoModel", two + "  - {from: speed, to: motor.brake}\n", "7: connections[2].from",
                "expected an output of a model, such as \"motor.NAME\""},
        Refusal{"Twice", two + "  - {from: motor.speed, to: pi.speed}\n", "7: connections[2].to",
                "found \"pi.speed\", which is connected already (rig.yaml:6)"},
        Refusal{"Units", two + "  - {from: motor.speed, to: motor.voltage}\n", "7: connections[2]",
                "motor.speed is in rad/s, motor.voltage in V"},
        Refusal{"UnitsNeedAScale", two + "  - {from: motor.running, to: motor.load}\n",
                "7: connections[2]", "write `scale`, in N m"},
        Refusal{"UnitOfScale", two + "  - {from: motor.speed, to: motor.voltage, scale: 1 V}\n",
                "7: connections[2].scale", "(V)/(rad/s)"},
        Refusal{"NoScale", two + "  - {from: motor.speed, to: motor.voltage, scale: 0 V s/rad}\n",
                "7: connections[2].scale", "expected anything but 0"},
        Refusal{"Delay", two + "  - {from: motor.sense, to: motor.voltage, delay: 1 ms}\n",
                "7: connections[2].delay", "\"frame\""},
        Refusal{"UnknownKeyOfAConnection",
                two + "  - {from: motor.sense, to: motor.voltage, dela: frame}\n",
                "7: connections[2].dela", "did you mean \"delay\"?"},
        Refusal{"Wired", two + "inputs: {pi.speed: {value: 3 rpm}}\n", "7: inputs.pi.speed",
                "found an entry for an input that is connected to motor.speed (rig.yaml:6)"},
        Refusal{
            "InterlockOfAConnection", two + "interlocks: {fast: {input: pi.speed, max: 1 rpm}}\n",
            "7: interlocks.fast.input", "expected `output: motor.speed`, which it is connected to"},
        Refusal{
            "Loop", two + "  - {from: pi.voltage, to: motor.voltage}\n", "6: connections[1]",
            "closes an algebraic loop, motor.speed -> pi.speed -> pi.voltage -> motor.voltage "
            "-> motor.speed, in which each depends on the one before at once; break it by "
            "`delay: frame` in one of its connections, or have it solved in every frame by `loop: "
            "solve`; of motor it is not said"},
        Refusal{"NoLoop", two + "  - {from: pi.heat, to: motor.brake, scale: 1 1/K, loop: solve}\n",
                "7: connections[2].loop", "found `solve` in a connection that closes no"},
        Refusal{"SolvedAcrossProcesses",
                "frame: {period: 1 ms}\n"
                "models:\n"
                "  motor: {type: test-plant, integrator: {method: rtam-2}}\n"
                "  pi: {type: test-controller, integrator: {method: rk-4}, process: own}\n"
                "connections:\n"
                "  - {from: motor.speed, to: pi.speed}\n"
                "  - {from: pi.voltage, to: motor.voltage, loop: solve}\n",
                "7: connections[2].loop",
                "found `solve` for an algebraic loop with pi, which runs in a process of its own"},
        Refusal{"SolvedAndDelayed",
                two + "  - {from: pi.voltage, to: motor.voltage, delay: frame, loop: solve}\n",
                "7: connections[2].loop", "found `solve` beside `delay: frame`"}),
    [](const auto& one) { return one.param.name; });

// What pi says of itself: heat depends on no input at once.
TEST(Models, AreNoLoopWhereTheySaySo) {
  EXPECT_EQ(error_of(two + "  - {from: pi.heat, to: motor.brake, scale: 1 1/K}\n"), "loaded");
}

TEST(Models, MayBeInALoopThatIsSolved) {
  EXPECT_EQ(error_of(two + "  - {from: pi.voltage, to: motor.voltage, loop: solve}\n"), "loaded");
}

}  // namespace
}  // namespace hild::config
