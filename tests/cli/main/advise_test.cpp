// SPDX-License-Identifier: Apache-2.0
/// \file
/// `hild advise`: what it says has the right shape, whatever the machine costs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <complex>

#include "cli/main/motor.hpp"
#include "hild/numerics/catalogue.hpp"

namespace hild::test {
namespace {

namespace json = boost::json;
using Complex = std::complex<double>;
using testing::AllOf;
using testing::HasSubstr;

struct Circuit {
  Folder folder;
  std::string file = folder.file("circuit.yaml",
                                 "frame: {period: 1 ms, clock: sleep, priority: 0}\n"
                                 "model: {type: oscillator-load}\n"
                                 "integrator: {method: ab-2}\n"
                                 "inputs: {injected_current: {value: 0 A}}\n"
                                 "outputs: {}\n");
};

// On a machine so busy that nothing fits it ends with 1, and is advice nevertheless.
json::value advice_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "advise");
  arguments.emplace_back("--json");
  const Ended ended = hild(std::move(arguments));
  json::value advice = json::parse(ended.out.empty() ? "{}" : ended.out);
  const bool fits = advice.at_pointer("/configured/in_window").as_bool() ||
                    !advice.at("recommendation").is_null();
  EXPECT_EQ(ended.code, fits ? 0 : 1) << ended.err;
  return advice;
}

double number(const json::value& v) { return v.to_number<double>(); }
double bound(const json::value& v) { return v.is_null() ? HUGE_VAL : number(v); }

const json::value& window_of(const json::value& advice, std::string_view method) {
  for (const auto& w : advice.at("windows").as_array()) {
    if (w.at("method").as_string() == method) return w;
  }
  throw std::runtime_error("no window");
}

void check_windows(const json::value& advice) {
  for (const auto& w : advice.at("windows").as_array()) {
    const double lower = bound(w.at("lower_s"));
    const double upper = bound(w.at("upper_s"));
    EXPECT_GT(lower, 0);
    EXPECT_LE(lower, bound(w.at("lower_p99_s")) + 1e-12) << w.at("method");
    double least = HUGE_VAL;
    for (const char* key : {"stability_s", "modes_s", "inputs_s", "sampling_s"}) {
      least = std::min(least, bound(w.at(key)));
    }
    EXPECT_EQ(upper, least) << w.at("method");
    EXPECT_EQ(w.at("open").as_bool(), lower <= upper) << w.at("method");
  }
}

TEST(Advise, OfTheDemonstrationHasAWindowForEveryMethod) {
  const json::value a = advice_of({demo});
  EXPECT_EQ(a.at("model"), "dc-motor");
  EXPECT_EQ(a.at_pointer("/configured/method"), "rtam-2");
  EXPECT_EQ(number(a.at_pointer("/configured/h_s")), 1e-3);
  ASSERT_GE(a.at("windows").as_array().size(), numerics::catalogue().size());
  for (const auto* m : numerics::catalogue()) {
    const auto& w = window_of(a, m->name);
    EXPECT_EQ(w.at("needs_future").as_bool(), !m->real_time()) << m->name;
    EXPECT_EQ(w.at("sampling"), m->real_time() ? "stage" : "extrapolate") << m->name;
  }
  check_windows(a);
  EXPECT_EQ(a.at_pointer("/modes/stiff"), false);
  EXPECT_EQ(a.at_pointer("/trajectory/points").as_array().size(), 32U);
  EXPECT_FALSE(a.at_pointer("/trajectory/input_band_hz").is_null()) << "the controller moves it";
}

TEST(Advise, TriesBothEndsOfOpenWindowsUnlessToldNotTo) {
  const json::value tried = advice_of({demo});
  for (const auto& w : tried.at("windows").as_array()) {
    for (const auto& [end, key] :
         {std::pair("/trials/lower", "lower_s"), std::pair("/trials/upper", "upper_s")}) {
      const auto& trial = w.at_pointer(end);
      ASSERT_EQ(trial.is_object(), w.at("open").as_bool()) << w.at("method");
      if (trial.is_null()) continue;
      EXPECT_GE(number(trial.at("h_s")), number(w.at(key)) * (1 - 1e-9)) << w.at("method");
      EXPECT_EQ(trial.at("survived"), true) << w.at("method");
      EXPECT_GT(number(trial.at("measured")), 0) << w.at("method");
    }
  }
  const json::value untried = advice_of({demo, "--no-trials"});
  for (const auto& w : untried.at("windows").as_array()) {
    EXPECT_TRUE(w.at_pointer("/trials/upper").is_null()) << w.at("method");
  }
}

TEST(Advise, OfTheCircuitFlagsItsStiffLoad) {
  const Circuit circuit;
  const json::value a = advice_of({circuit.file, "--duration", "0.05"});
  check_windows(a);
  EXPECT_EQ(a.at_pointer("/modes/stiff"), true);
  EXPECT_EQ(a.at_pointer("/split/fast"), json::array{"u_l"});
  EXPECT_EQ(a.at_pointer("/split/slow").as_array().size(), 12U);
  // Its pole lies near -1e6 1/s.
  EXPECT_NEAR(number(window_of(a, "forward-euler").at("stability_s")), 2e-6, 1e-8);
  EXPECT_NEAR(number(window_of(a, "ab-2").at("stability_s")), 1e-6, 1e-8);
  EXPECT_EQ(window_of(a, "ab-2").at("limited_by"), "stability");
  EXPECT_GT(bound(window_of(a, "multirate").at("stability_s")), 1e-5) << "the load is implicit";
  // The oscillation grows from rest, which is for accuracy to follow: L-stable is L-stable.
  for (const auto* m : numerics::catalogue()) {
    if (!m->implicit()) continue;
    EXPECT_TRUE(window_of(a, m->name).at("stability_s").is_null()) << m->name;
  }
  EXPECT_EQ(window_of(a, "libe").at("limited_by"), "modes");
  EXPECT_EQ(a.at_pointer("/configured/in_window"), false)
      << "no machine wakes within a microsecond";

  const auto& remedies = a.at("remedies").as_array();
  ASSERT_EQ(remedies.size(), 4U);
  for (const auto& r : remedies) {
    if (r.at("remedy") != "cheaper_function") continue;
    EXPECT_EQ(r.at("states"), json::array{"u_l"});
    EXPECT_NEAR(number(r.at("share_of_cost")), 1.0 / 13, 1e-12);
  }
}

TEST(Advise, OffersAStableMethodALongerStepAtItsError) {
  const Circuit circuit;
  const json::value a =
      advice_of({circuit.file, "--duration", "0.05", "--set", "integrator.method=libe"});
  int offered = 0;
  for (const auto& r : a.at("remedies").as_array()) {
    if (r.at("remedy") != "longer_step") continue;
    ++offered;
    EXPECT_EQ(r.at("helps"), true);
    EXPECT_EQ(r.at("h_s"), window_of(a, "libe").at("lower_s"));
    EXPECT_GT(number(r.at("error")), 1e-3);
  }
  EXPECT_EQ(offered, 1);
}

TEST(Advise, WishesMoveTheBounds) {
  const json::value coarse = advice_of({demo, "--accuracy", "0.1", "--bandwidth", "5"});
  const json::value fine = advice_of({demo, "--accuracy", "0.001", "--bandwidth", "5"});
  EXPECT_EQ(number(coarse.at("bandwidth_hz")), 5);
  EXPECT_EQ(coarse.at("bandwidth_from"), "wish");
  // Forward Euler is of first order.
  const auto inputs = [](const json::value& a) {
    return number(window_of(a, "forward-euler").at("inputs_s"));
  };
  EXPECT_NEAR(inputs(coarse), 100 * inputs(fine), 0.05 * inputs(coarse));
  // The speed has two poles and no zero: their errors, j omega/2 h j omega / (j omega - lambda),
  // are summed (Howe, after eq. 16). Other responses may be worse.
  const Complex omega(0, 2 * M_PI * 5);
  Complex sum = 0;
  for (const auto& l : fine.at_pointer("/trajectory/points/0/eigenvalues").as_array()) {
    sum += omega / 2.0 * omega / (omega - Complex(number(l.at(0)), number(l.at(1))));
  }
  EXPECT_LT(inputs(fine), 1.01e-3 / std::abs(sum));
  EXPECT_GT(inputs(fine), 0.5e-3 / std::abs(sum));
}

TEST(Advise, ForPeopleIsATableBarsAndWords) {
  const Circuit circuit;
  const Ended ended = hild({"advise", circuit.file, "--duration", "0.05"});
  EXPECT_THAT(ended.out, AllOf(HasSubstr("rtrk-4"), HasSubstr("Stiff"), HasSubstr("fast: u_l"),
                               HasSubstr("ab-2 has no window"), HasSubstr("faster machine")));
  if (ended.code == 1) {  // a machine that is so busy has no window for any method, and says so
    EXPECT_THAT(ended.out, HasSubstr("No method has a window"));
    return;
  }
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.out, AllOf(HasSubstr("h = 1 ms"), HasSubstr("integrator: {method: ")));
}

TEST(Advise, TouchesNoOutput) {
  const Motor motor;
  ASSERT_EQ(hild({"io", motor.file, "--write", "shaft_speed=100", "--write", "current=4"}).code, 0);
  ASSERT_EQ(hild({"advise", motor.file, "--duration", "0.1"}).code, 0);
  EXPECT_THAT(motor.held(), testing::ElementsAre(testing::DoubleNear(5, one_step),
                                                 testing::DoubleNear(2, one_step)));
}

TEST(Advise, RefusesWhatItCannotRead) {
  const auto refused = [](std::vector<std::string> arguments, const char* words) {
    arguments.insert(arguments.begin(), "advise");
    const Ended ended = hild(std::move(arguments));
    EXPECT_EQ(ended.code, 1);
    EXPECT_EQ(ended.out, "");
    EXPECT_THAT(ended.err, HasSubstr(words));
  };
  refused({demo, "--nonsense"}, "--nonsense");
  refused({"/no/such/file.yaml"}, "/no/such/file.yaml");
  refused({demo, "--set", "integrator.method=rtam-5"}, "rtam-4");
  refused({demo, "--duration", "soon"}, "--duration");
  refused({demo, "--accuracy", "0"}, "--accuracy");
  refused({demo, "--bandwidth", "-3"}, "--bandwidth");
}

}  // namespace
}  // namespace hild::test
