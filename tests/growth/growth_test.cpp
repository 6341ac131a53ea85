// SPDX-License-Identifier: Apache-2.0
/// \file
/// Reading a description takes work in proportion to its length: branches taken are counted at two
/// lengths, so that no machine is too slow for these tests.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "foreign/fmu/layout_of.hpp"

namespace {
std::int64_t branches = 0;
}  // namespace

/// Called by the sources of src/foreign/fmu, which are compiled so for this program alone.
extern "C" void __sanitizer_cov_trace_pc() { ++branches; }  // NOLINT: a name of the compiler's

namespace hild::fmu {
namespace {

/// One kind of length: what is there `n` times.
struct Long {
  const char* name;
  int version;
  std::string types, variables, structure;  // each n times, {0} its number from 0, {1} from
                                            // 1 on, {2} of the odd ones, {3} of the even ones
  Kind kind = Kind::model_exchange;
};

std::string repeated(const std::string& pattern, int n, int from) {
  std::string text;
  for (int k = 0; k < n; ++k) {
    fmt::format_to(std::back_inserter(text), fmt::runtime(pattern), k, k + from, 2 * k + from,
                   2 * k + from + 1);
  }
  return text;
}

std::string description(const Long& what, int n) {
  const bool two = what.version == 2;
  return fmt::format(
      R"(<fmiModelDescription fmiVersion="{0}" modelName="long" {1}="t">
           <{2} modelIdentifier="long"/>
           <TypeDefinitions>{3}</TypeDefinitions>
           <ModelVariables>{4}</ModelVariables>
           <ModelStructure>{5}</ModelStructure>
         </fmiModelDescription>)",
      two ? "2.0" : "3.0", two ? "guid" : "instantiationToken",
      what.kind == Kind::model_exchange ? "ModelExchange" : "CoSimulation",
      repeated(what.types, n, 1), repeated(what.variables, n, 1),
      what.structure.empty() ? ""
      : two ? fmt::format(fmt::runtime(what.structure.substr(0, what.structure.find('|'))),
                          repeated(what.structure.substr(what.structure.find('|') + 1), n, 1))
            : repeated(what.structure, n, 1));
}

std::int64_t work(const Long& what, int n) {
  const std::string xml = description(what, n);
  branches = 0;
  const auto read = parse(xml);
  EXPECT_TRUE(read) << read.error().message;
  if (!read) return 0;
  const auto made = layout_of(*read, what.kind);
  EXPECT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->layout.outputs.size(), static_cast<std::size_t>(n));
  return branches;
}

class Growth : public ::testing::TestWithParam<Long> {};

// Four times as much takes four times the work, and a little more where it is sorted; were it
// quadratic, sixteen times.
TEST_P(Growth, IsInProportion) {
  const std::int64_t some = work(GetParam(), 1'000);
  const std::int64_t more = work(GetParam(), 4'000);
  EXPECT_GT(some, 10'000) << "nothing is counted";
  EXPECT_LT(more, 6 * some);
}

INSTANTIATE_TEST_SUITE_P(
    Descriptions, Growth,
    ::testing::Values(
        Long{
            "Outputs2", 2, "",
            R"(<ScalarVariable name="y{0}" valueReference="{0}" causality="output"><Real/></ScalarVariable>)",
            R"(<Outputs>{}</Outputs>|<Unknown index="{1}" dependencies=""/>)"},
        Long{
            "OutputsUnlisted2", 2, "",
            R"(<ScalarVariable name="y{0}" valueReference="{0}" causality="output"><Real/></ScalarVariable>)",
            "", Kind::co_simulation},
        Long{
            "States2", 2, "",
            R"(<ScalarVariable name="x{0}" valueReference="{1}" causality="output"><Real/></ScalarVariable>
                <ScalarVariable name="dx{0}" valueReference="9{1}"><Real derivative="{2}"/></ScalarVariable>)",
            R"(<Derivatives>{}</Derivatives>|<Unknown index="{3}" dependencies=""/>)"},
        Long{
            "Types2", 2, R"(<SimpleType name="T{0}"><Real unit="m" max="{1}"/></SimpleType>)",
            R"(<ScalarVariable name="y{0}" valueReference="{0}" causality="output"><Real declaredType="T{0}"/></ScalarVariable>)",
            ""},
        Long{"Outputs3", 3, "", R"(<Float64 name="y{0}" valueReference="{0}" causality="output"/>)",
             R"(<Output valueReference="{0}" dependencies=""/>)"},
        Long{
            "Arrays3", 3, "",
            R"(<UInt64 name="n{0}" valueReference="1{0}" causality="structuralParameter" start="1"/>
                <Float64 name="y{0}" valueReference="2{1}0" causality="output"><Dimension valueReference="1{0}"/></Float64>)",
            R"(<Output valueReference="2{1}0"/>)"}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace hild::fmu
