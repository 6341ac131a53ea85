// SPDX-License-Identifier: Apache-2.0
/// \file
/// Descriptions that contradict themselves, or hold what is no number or no word of the standard,
/// are refused: where, what was found, what was expected.
#include <gmock/gmock.h>

#include <cmath>

#include "foreign/fmu/altered.hpp"
#include "foreign/fmu/layout_of.hpp"

namespace hild::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string error_of(const std::string& model, int version, const std::string& what,
                     const std::string& instead) {
  return parse_error(with(description_of(model, version), what, instead));
}

TEST(StrictDescription, ValueReferencesAreWholeNumbers) {
  for (const int version : {2, 3}) {
    const auto with_ref = [&](const std::string& attribute) {
      return error_of("van_der_pol", version, "name=\"x\" valueReference=\"0\"",
                      "name=\"x\" " + attribute);
    };
    EXPECT_EQ(with_ref("valueReference=\" 0 \""), "parsed");
    for (const char* bad : {"four", "", "-1", "1.0", "4x", "0x4", "99999999999"}) {
      EXPECT_THAT(
          with_ref(fmt::format("valueReference=\"{}\"", bad)),
          HasSubstr(fmt::format("variable `x`: valueReference: found `{}`, expected a whole "
                                "number from 0 to 4294967295",
                                bad)));
    }
    EXPECT_THAT(with_ref(""), HasSubstr("variable `x`: valueReference: found none, expected a"));
    EXPECT_THAT(
        error_of("van_der_pol", version, version == 2 ? "derivative=\"1\"" : "derivative=\"0\"",
                 "derivative=\"abc\""),
        HasSubstr("variable `der(x)`: derivative: found `abc`, expected a whole number"));
  }
  EXPECT_THAT(error_of("van_der_pol", 2, "Unknown index=\"3\"", "Unknown index=\"3x\""),
              HasSubstr("ModelStructure: derivative: index: found `3x`, expected a whole"));
}

// Of 3.0; in 2.0 they are aliases.
TEST(StrictDescription, NoTwoVariablesHaveOneReference) {
  const auto same = [](int version) {
    return error_of("bouncing_ball", version, "name=\"e\" valueReference=\"5\"",
                    "name=\"e\" valueReference=\"4\"");
  };
  EXPECT_EQ(same(2), "parsed");
  EXPECT_THAT(same(3), HasSubstr("variables `g` and `e`: valueReference: found 4 of both, expected "
                                 "one for each"));
}

TEST(StrictDescription, WordsAreThoseOfTheStandard) {
  for (const int version : {2, 3}) {
    EXPECT_THAT(error_of("van_der_pol", version, "causality=\"input\"", "causality=\"inptu\""),
                AllOf(HasSubstr("variable `drive`: causality: found `inptu`, expected parameter, "),
                      HasSubstr("input, output")));
    EXPECT_THAT(
        error_of("van_der_pol", version, "variability=\"tunable\"", "variability=\"adjustable\""),
        HasSubstr("variable `mu`: variability: found `adjustable`, expected constant, fixed, "
                  "tunable, discrete, continuous"));
    EXPECT_THAT(
        error_of("van_der_pol", version, "variability=\"tunable\"", "variability=\"continuous\""),
        HasSubstr("variable `mu`: variability: found `continuous` of a parameter, expected fixed "
                  "or tunable"));
  }
  // It came with 3.0.
  EXPECT_THAT(
      error_of("van_der_pol", 2, "causality=\"parameter\"", "causality=\"structuralParameter\""),
      HasSubstr("found `structuralParameter`"));
}

TEST(StrictDescription, NumbersAreOfTheirType) {
  for (const int version : {2, 3}) {
    EXPECT_THAT(error_of("van_der_pol", version, "min=\"0\"", "min=\"3\" max=\"1\""),
                HasSubstr("variable `mu`: min: found 3, expected at most max, which is 1"));
    EXPECT_THAT(error_of("van_der_pol", version, "min=\"0\"", "min=\"none\""),
                HasSubstr("variable `mu`: min: found `none`, expected a number"));
    EXPECT_THAT(error_of("van_der_pol", version, "start=\"2\"", "start=\"2 3\""),
                HasSubstr("variable `x`: start: found 2 values, expected 1"));
    const std::string kind = version == 2 ? "<Integer start=\"0\"" : "\"fixed\" start=\"0\"";
    const auto started = [&](const std::string& start) {
      return error_of("trouble", version, kind, with(kind, "0", start));
    };
    EXPECT_EQ(started("-2147483648"), "parsed");
    for (const char* bad : {"2.5", "1.0", "true", "2147483648"}) {
      EXPECT_THAT(started(bad),
                  HasSubstr(fmt::format("variable `kind`: start: found `{}`, expected a whole "
                                        "number from -2147483648 to 2147483647",
                                        bad)));
    }
    EXPECT_THAT(error_of("feedthrough", version, "start=\"true\"", "start=\"2\""),
                HasSubstr("variable `bool in`: start: found `2`, expected true or false"));
  }
  EXPECT_EQ(
      error_of("feedthrough", 2, "<Enumeration><Item", "<Enumeration min=\"1\" max=\"2\"><Item"),
      "parsed");
  EXPECT_THAT(
      error_of("feedthrough", 2, "<Enumeration><Item", "<Enumeration min=\"a\" max=\"2\"><Item"),
      HasSubstr("variable `choice in`: type `Choice`: min: found `a`, expected a whole"));
}

TEST(StrictDescription, SizesAndStartsOfArraysAgree) {
  EXPECT_THAT(error_of("state_space", 3, "start=\"2\"", "start=\"2.5\""),
              HasSubstr("variable `n`: start: found `2.5`, expected a whole number from 0 to "));
  EXPECT_THAT(error_of("state_space", 3, "start=\"0 1 -1 0\"", "start=\"0 1 -1\""),
              HasSubstr("variable `A`: start: found 3 values, expected 4, or one for all"));
  EXPECT_EQ(error_of("state_space", 3, "start=\"0 1 -1 0\"", "start=\"7\""), "parsed");
  EXPECT_THAT(error_of("state_space", 3, "<Dimension valueReference=\"107\"/>",
                       "<Dimension start=\"two\"/>"),
              HasSubstr("variable `x`: Dimension: start: found `two`, expected a whole"));
  EXPECT_THAT(error_of("state_space", 3, "<Dimension valueReference=\"107\"/>", "<Dimension/>"),
              HasSubstr("variable `x`: Dimension: start: found none, expected a whole"));
}

TEST(StrictDescription, ModelStructureMeansVariables) {
  EXPECT_THAT(error_of("bouncing_ball", 3, "<EventIndicator valueReference=\"7\"/>",
                       "<EventIndicator valueReference=\"70\"/>"),
              HasSubstr("event indicator with valueReference=\"70\", which is no variable"));
  EXPECT_THAT(
      error_of("bouncing_ball", 3, "<EventIndicator valueReference=\"7\"/>", "<EventIndicator/>"),
      HasSubstr("ModelStructure: event indicator: valueReference: found none"));
  for (const char* bad : {"-1", "one", ""}) {
    EXPECT_THAT(error_of("bouncing_ball", 2, "numberOfEventIndicators=\"1\"",
                         fmt::format("numberOfEventIndicators=\"{}\"", bad)),
                HasSubstr(fmt::format("numberOfEventIndicators: found `{}`, expected", bad)));
  }
  EXPECT_THAT(error_of("van_der_pol", 2, "</ModelStructure>",
                       "<Outputs><Unknown index=\"70\"/></Outputs></ModelStructure>"),
              HasSubstr("output with index=\"70\", which is no variable"));
  EXPECT_THAT(error_of("van_der_pol", 2, "Unknown index=\"3\"", "Unknown index=\"4\""),
              HasSubstr("found a second derivative of `v`, `der(v)`; expected one"));
}

// All states would stay where they are; who advances itself is not asked for derivatives.
TEST(StrictDescription, DerivativesAreListed) {
  for (const int version : {2, 3}) {
    std::string xml = description_of("van_der_pol", version);
    const auto from = xml.find("<ModelStructure>") + 16;
    xml.erase(from, xml.find("</ModelStructure>") - from);
    auto d = fmu::parse(xml);
    ASSERT_TRUE(d) << d.error().message;
    const auto layout = fmu::layout_of(*d, fmu::Kind::model_exchange);
    ASSERT_FALSE(layout);
    EXPECT_THAT(layout.error().message,
                HasSubstr("variable `der(x)` is a derivative, but ModelStructure lists none"));
    d->co_simulation.emplace();
    EXPECT_TRUE(fmu::layout_of(*d, fmu::Kind::co_simulation));
  }
}

// What a description of 2.0 does not tell of an FMU is not asked of it: it would write where there
// is no room.
TEST(StrictDescription, IndicatorsThatAreNotSaidAreNotAskedFor) {
  const Archive archive;
  archive.copy("bouncing_ball", 2);
  archive.add("modelDescription.xml",
              with(description_of("bouncing_ball", 2), "numberOfEventIndicators=\"1\"", ""));
  const auto loaded = fmu::load(archive.path());
  ASSERT_TRUE(loaded) << loaded.error().message;
  Rig rig(loaded->make(numerics::rk4), [](double) { return 0.0; });
  EXPECT_EQ(rig.run(100).end, exec::End::duration);
  EXPECT_NEAR(rig.plant.states()[0], 1 - 9.80665 * 0.1 * 0.1 / 2, 1e-12);  // it falls
}

TEST(StrictDescription, IndicatorsOfThreeAreAsManyAsTheFmuHas) {
  const Archive archive;
  archive.copy("bouncing_ball", 3);
  archive.add("modelDescription.xml", with(description_of("bouncing_ball", 3),
                                           "<EventIndicator valueReference=\"7\"/>", ""));
  EXPECT_THAT(archive.refusal(),
              HasSubstr("get number of event indicators (it is not that of its description)"));
}

TEST(StrictDescription, StatesOfThreeAreAsManyAsTheFmuHas) {
  const Archive archive;
  archive.copy("bouncing_ball", 3);
  archive.add("modelDescription.xml",
              with(description_of("bouncing_ball", 3),
                   "<ContinuousStateDerivative valueReference=\"3\"/>", ""));
  EXPECT_THAT(archive.refusal(),
              HasSubstr("cannot be initialised: `get number of states (it is not that of its "
                        "description)` fails"));
}

// Booleans, enumerations and whole numbers take whole values within their type.
TEST(StrictDescription, WholeParametersSaySo) {
  const auto kind = [](const std::string& more) {
    const auto d = fmu::parse(
        with(description_of("trouble", 3), "<Int32 name=\"kind\"", more + " name=\"kind\""));
    EXPECT_TRUE(d) << d.error().message;
    return fmu::layout_of(*d, fmu::Kind::model_exchange)->layout.parameters[0];
  };
  const auto is = [&](const char* type, double low, double high) {
    const model::Parameter p = kind(fmt::format("<{}", type));
    EXPECT_EQ(p.low, low) << type;
    EXPECT_EQ(p.high, high) << type;
    EXPECT_EQ(p.whole, std::isfinite(high)) << type;
  };
  is("Float64", -model::unlimited, model::unlimited);
  is("Boolean", 0, 1);
  is("Int8", -128, 127);
  is("UInt16", 0, 65535);
  is("Int32", -0x1p31, 0x1p31 - 1);
  is("UInt32", 0, 0x1p32 - 1);
  is("Int64", -0x1p63, 0x1p63 - 1024);
  is("Enumeration", -0x1p63, 0x1p63 - 1024);
  is("UInt64", 0, 0x1p64 - 2048);
  const model::Parameter within = kind("<UInt8 min=\"1\" max=\"9\"");
  EXPECT_EQ(within.low, 0);  // its default lies beyond
  EXPECT_EQ(within.high, 9);
}

// FMI 3.0: sizes come from structural parameters or constants, which hold before the FMU is there
// to ask.
TEST(StrictDescription, SizesAreOfWhatHoldsBeforehand) {
  EXPECT_EQ(error_of("state_space", 3, "name=\"x\"", "name=\"x\""), "parsed");
  const auto sized_by = [](const std::string& words) {
    return error_of("state_space", 3, "causality=\"structuralParameter\"", words);
  };
  EXPECT_THAT(sized_by("causality=\"parameter\" variability=\"tunable\""),
              HasSubstr("expected a structural parameter or a constant"));
  EXPECT_THAT(sized_by("causality=\"output\""), HasSubstr("`x`: its size is `"));
}

}  // namespace
}  // namespace hild::testing
