// SPDX-License-Identifier: Apache-2.0
/// \file
/// FMUs that are refused: what was found, and where.
#include "foreign/fmu/load.hpp"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

#include "foreign/fmu/altered.hpp"
#include "foreign/fmu/archive.hpp"
#include "foreign/fmu/description.hpp"
#include "foreign/fmu/fmus.hpp"
#include "foreign/fmu/layout_of.hpp"

namespace hild::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(LoadFmu, NoArchive) {
  const Archive archive;
  EXPECT_THAT(archive.refusal(), HasSubstr("No such file"));
  archive.write("not a zip");
  EXPECT_THAT(archive.refusal(), AllOf(HasSubstr("x.fmu"), HasSubstr("is no FMU, which is a zip")));
  fs::remove(archive.path());
  archive.add("readme.txt", "hello");
  EXPECT_THAT(archive.refusal(), HasSubstr("it holds no modelDescription.xml"));
}

TEST(LoadFmu, NamesStayInside) {
  for (const char* bad : {"../x", "a/../../x", "/etc/x", "a\\..\\x", "binaries/../../x", ""}) {
    EXPECT_FALSE(fmu::stays_inside(bad)) << bad;
  }
  for (const char* good : {"a", "binaries/linux64/x.so", "resources/..data", "a/", "a/./b"}) {
    EXPECT_TRUE(fmu::stays_inside(good)) << good;
  }
  const Archive archive;
  archive.copy("van_der_pol", 2);
  archive.add("resources/../../escaped", "x");
  EXPECT_THAT(archive.refusal(), HasSubstr("`resources/../../escaped`, which leads out"));
}

// Both versions are told where they are; so is a copy of an FMU that a process bears once.
TEST(LoadFmu, ResourcesAreWhereTheFmuLooks) {
  for (const int version : {2, 3}) {
    const auto loaded = load_fmu("decay", version);
    for (int instance = 0; instance < 2; ++instance) {
      const auto plant = loaded.make(numerics::rk4);
      std::array<double, 1> dx{};
      plant->system().derivatives(0, std::array{2.0}, {}, dx);
      EXPECT_EQ(dx[0], -1.5) << version;  // tests/foreign/fmu/resources/decay/rate.csv holds 0.75
    }
  }
}

TEST(LoadFmu, NoBinaryForThisPlatform) {
  const Archive archive;
  archive.add("modelDescription.xml", description_of("van_der_pol", 3));
  archive.add("binaries/x86_64-windows/van_der_pol.dll", "MZ");
  archive.add("binaries/aarch64-darwin/van_der_pol.dylib", "x");
  EXPECT_THAT(archive.refusal(), AllOf(HasSubstr("holds no binary binaries/"),
                                       HasSubstr("x86_64-windows"), HasSubstr("aarch64-darwin")));
}

TEST(LoadFmu, WrongGuidInTheWordsOfTheFmu) {
  for (const int version : {2, 3}) {
    const Archive archive;
    archive.copy("van_der_pol", version);
    archive.add("modelDescription.xml",
                with(description_of("van_der_pol", version), "{12345678}", "{other}"));
    EXPECT_THAT(archive.refusal(),
                HasSubstr(version == 2 ? "refuses to be instantiated: the guid is {other}"
                                       : "refuses to be instantiated: the token"));
  }
}

TEST(LoadFmu, MissingFunctionsAreNamed) {
  const Archive archive;
  archive.copy("bouncing_ball", 2);
  archive.add("modelDescription.xml",
              with(description_of("bouncing_ball", 2), "<ModelExchange ",
                   "<ModelExchange providesDirectionalDerivative=\"true\" "));
  EXPECT_THAT(archive.refusal(), HasSubstr("lacks fmi2GetDirectionalDerivative"));
}

TEST(LoadFmu, AToolIsNotStarted) {
  const Archive archive;
  for (const int version : {2, 3}) {
    archive.copy("van_der_pol", version);
    archive.add("modelDescription.xml",
                with(description_of("van_der_pol", version), "<ModelExchange ",
                     "<ModelExchange needsExecutionTool=\"true\" "));
    EXPECT_THAT(archive.refusal(), HasSubstr("needs the tool that made it to run: export it with"));
  }
  archive.copy("state_space", 3);  // which offers both kinds
  archive.add("modelDescription.xml", with(description_of("state_space", 3), "<ModelExchange ",
                                           "<ModelExchange needsExecutionTool=\"true\" "));
  EXPECT_THAT(archive.refusal(), HasSubstr("needs the tool that made it to run under model "
                                           "exchange; take `kind: co-simulation`"));
  EXPECT_TRUE(fmu::load(archive.path(), {.kind = fmu::Kind::co_simulation}));
}

TEST(LoadFmu, WrongSizesAreRefused) {
  const auto refusal = [](const char* model, int version, const fmu::Structure& structure) {
    const auto loaded = fmu::load(fmu_file(model, version), {.structure = structure});
    return loaded ? "loaded" : loaded.error().message;
  };
  EXPECT_THAT(refusal("state_space", 3, {{"m", 3}}),
              HasSubstr("structure: `m` is no structural parameter; there is n"));
  EXPECT_THAT(refusal("state_space", 3, {{"A", 3}}), HasSubstr("`A` is no structural parameter"));
  EXPECT_THAT(refusal("state_space", 3, {{"n", 10}}),
              HasSubstr("structure: `n`: found 10, expected 1 ... 9"));
  EXPECT_THAT(refusal("state_space", 3, {{"n", 5}}),
              HasSubstr("it refuses the values of `structure`"));
  EXPECT_THAT(refusal("van_der_pol", 2, {{"n", 3}}), HasSubstr("there are none"));
}

TEST(LoadFmu, OthersMayNotWriteIt) {
  const Archive archive;
  archive.copy("van_der_pol", 2);
  fs::permissions(archive.path(), fs::perms::others_write, fs::perm_options::add);
  EXPECT_THAT(archive.refusal(), HasSubstr("may be written by anybody"));
}

TEST(LoadFmu, LeavesNoFolderBehind) {
  const auto place = fmu::Folder::make();
  ::setenv("TMPDIR", place->path().c_str(), 1);
  {
    const auto loaded = load_fmu("stairs", 2);
    const auto plant = loaded.make(numerics::rk4);
    EXPECT_FALSE(fs::is_empty(place->path()));
  }
  EXPECT_TRUE(fs::is_empty(place->path()));
  ::unsetenv("TMPDIR");
}

TEST(LoadFmu, NeedsAFolderToUnpackTo) {
  const std::string file = fmu_file("stairs", 2);
  ::setenv("TMPDIR", "/nowhere/at all", 1);
  const auto loaded = fmu::load(file);
  ::unsetenv("TMPDIR");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().code, ExitCode::usage);
  EXPECT_THAT(loaded.error().message,
              HasSubstr("stairs_2.fmu: no folder to unpack to: TMPDIR: found /nowhere/at all, "
                        "expected a folder: "));
}

TEST(ParseFmu, SaysWhatIsWrong) {
  const std::string two = description_of("van_der_pol", 2);
  const std::string three = description_of("van_der_pol", 3);
  ASSERT_EQ(parse_error(two), "parsed");
  EXPECT_THAT(parse_error(two.substr(0, two.size() / 2)),
              HasSubstr("modelDescription.xml: at byte"));
  EXPECT_THAT(parse_error("<x/>"), HasSubstr("no element fmiModelDescription"));
  EXPECT_THAT(parse_error(with(two, "fmiVersion=\"2.0\"", "fmiVersion=\"1.0\"")),
              HasSubstr("is of FMI version `1.0`, expected 2.0 or 3.0"));
  EXPECT_THAT(parse_error(with(three, "<ModelExchange", "<ScheduledExecution")),
              HasSubstr("scheduled execution only"));
  EXPECT_THAT(parse_error(with(two, "Unknown index=\"3\"", "Unknown index=\"30\"")),
              HasSubstr("derivative with index=\"30\", which is no variable"));
  EXPECT_THAT(parse_error(with(two, "Unknown index=\"3\"", "Unknown index=\"1\"")),
              HasSubstr("`x` is listed as a derivative, but of no variable"));
  EXPECT_THAT(parse_error(with(three, "derivative=\"1\"", "derivative=\"77\"")),
              HasSubstr("`der(v)`: derivative=\"77\", which is no value reference"));
  EXPECT_THAT(parse_error(with(two, "name=\"v\"", "name=\"x\"")),
              HasSubstr("variable `x` is there twice"));
  EXPECT_THAT(parse_error(with(two, "start=\"2\"", "start=\"two\"")),
              HasSubstr("variable `x`: start: found `two`, expected a number"));
  EXPECT_THAT(parse_error(with(two, "modelIdentifier=\"van_der_pol\"", "modelIdentifier=\"../x\"")),
              HasSubstr("modelIdentifier=\"../x\" is no name of a binary"));
}

// `derivative` counts variables from 1 in 2.0, and is a value reference in 3.0.
TEST(ParseFmu, DerivativesOfBothVersions) {
  for (const int version : {2, 3}) {
    const auto d = fmu::parse(description_of("van_der_pol", version));
    ASSERT_TRUE(d);
    ASSERT_EQ(d->states.size(), 2U);
    EXPECT_EQ(d->variables[d->states[0]].name, "x");
    EXPECT_EQ(d->variables[d->states[1]].name, "v");
    EXPECT_EQ(d->variables[d->derivatives[1]].name, "der(v)");
  }
}

TEST(ParseFmu, Units) {
  const auto d = fmu::parse(description_of("van_der_pol", 2));
  ASSERT_TRUE(d);
  EXPECT_EQ(fmu::unit_of(*d, "m/s2"), "m/s2");
  EXPECT_EQ(fmu::unit_of(*d, "per second"), "s-1");
  EXPECT_EQ(fmu::unit_of(*d, ""), "1");
  EXPECT_EQ(fmu::unit_of(*d, "no such unit"), "1");
}

TEST(ParseFmu, ElementsOfArrays) {
  fmu::Variable v;
  v.name = "a";
  EXPECT_EQ(v.element(0), "a");
  v.dimensions = {2, 3};
  EXPECT_EQ(v.size(), 6U);
  EXPECT_EQ(v.element(0), "a[1,1]");
  EXPECT_EQ(v.element(5), "a[2,3]");
  EXPECT_EQ(v.element(3), "a[2,1]");
}

// Outputs that are states depend on no input at once; others on what is listed, and where nothing
// is, on all.
std::vector<std::string> feedthrough_of(int version, const std::string& model,
                                        const std::string& structure) {
  const auto xml =
      with(description_of(model, version), "<ModelStructure>", "<ModelStructure>" + structure);
  const auto d = fmu::parse(xml);
  EXPECT_TRUE(d) << d.error().message;
  const auto made = fmu::layout_of(*d, fmu::Kind::model_exchange);
  EXPECT_TRUE(made);
  if (!made->layout.description.feedthrough) return {"not said"};
  std::vector<std::string> pairs;
  for (const auto& [output, input] : *made->layout.description.feedthrough) {
    pairs.push_back(fmt::format("{} by {}", output, input));
  }
  return pairs;
}

TEST(LoadFmu, OutputsSayWhichInputsTheyDependOnAtOnce) {
  using ::testing::Contains;
  for (const int version : {2, 3}) {
    EXPECT_THAT(feedthrough_of(version, "van_der_pol", ""), ::testing::IsEmpty());
    EXPECT_THAT(feedthrough_of(version, "feedthrough", ""), ::testing::ElementsAre("not said"));
    const auto pairs = feedthrough_of(
        version, "feedthrough",
        version == 2 ? R"(<Outputs><Unknown index="2" dependencies="1 3"/></Outputs>)"
                     : R"(<Output valueReference="1" dependencies="0 2"/>)");
    EXPECT_THAT(pairs, Contains("real out by real in"));
    EXPECT_THAT(pairs, Contains("real out by step in"));
    EXPECT_THAT(pairs, ::testing::Not(Contains("real out by UInt16 in")));
    EXPECT_THAT(pairs, Contains("events by bool in"));  // of which nothing is said
  }
}

// x' = v; v' depends on both as it is, or is said to depend on x alone: then one colour does.
TEST(LayoutOf, DependenciesColourTheStates) {
  const auto colours = [](int version, const char* of_x, const char* of_v) {
    std::string xml = description_of("van_der_pol", version);
    const bool two = version == 2;
    xml =
        with(xml, two ? "<Unknown index=\"3\"" : "<ContinuousStateDerivative valueReference=\"2\"",
             fmt::format(
                 "{}{}",
                 two ? "<Unknown index=\"3\" " : "<ContinuousStateDerivative valueReference=\"2\" ",
                 of_x));
    xml =
        with(xml, two ? "<Unknown index=\"4\"" : "<ContinuousStateDerivative valueReference=\"3\"",
             fmt::format(
                 "{}{}",
                 two ? "<Unknown index=\"4\" " : "<ContinuousStateDerivative valueReference=\"3\" ",
                 of_v));
    const auto d = fmu::parse(xml);
    EXPECT_TRUE(d) << d.error().message;
    return fmu::layout_of(*d, fmu::Kind::model_exchange)->layout.dependencies().colours(2);
  };
  EXPECT_EQ(colours(2, "", ""), 2U);
  EXPECT_EQ(colours(2, "dependencies=\"2\"", "dependencies=\"1 2 6\""), 2U);
  EXPECT_EQ(colours(2, "dependencies=\"2\"", "dependencies=\"1 6\""), 1U);
  EXPECT_EQ(colours(2, "dependencies=\"2\"", "dependencies=\"1 x\""), 2U);  // no list: all
  EXPECT_EQ(colours(3, "dependencies=\"1\"", "dependencies=\"0 1 5\""), 2U);
  EXPECT_EQ(colours(3, "dependencies=\"1\"", "dependencies=\"0 5\""), 1U);
}

}  // namespace
}  // namespace hild::testing
