// SPDX-License-Identifier: Apache-2.0
/// \file
/// Each fuzzer is given its seeds where nobody fuzzes: so it goes on compiling, and what was found
/// once stays mended. HILD_FUZZERS lists them: F(config) F(exchange) ...
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include "hild/core/whole_file.hpp"

using Fuzzer = int(const std::uint8_t* data, std::size_t size);
#define F(name) extern "C" Fuzzer fuzz_##name;
HILD_FUZZERS
#undef F

namespace hild::test {
namespace {

struct Named {
  const char* name;
  Fuzzer* run;
};

class Seeds : public ::testing::TestWithParam<Named> {};
#define F(name) Named{#name, fuzz_##name},
constexpr Named fuzzers[]{HILD_FUZZERS};
#undef F
INSTANTIATE_TEST_SUITE_P(Fuzzers, Seeds, ::testing::ValuesIn(fuzzers),
                         [](const auto& seeds) { return std::string(seeds.param.name); });

TEST_P(Seeds, AreTaken) {
  const auto [name, run] = GetParam();
  const auto give = [run = run](const std::string& seed) {
    EXPECT_EQ(run(reinterpret_cast<const std::uint8_t*>(seed.data()), seed.size()), 0);
  };
  give("");
  const std::filesystem::path folder =
      std::filesystem::path(HILD_SOURCE_DIR "/tests/fuzz/corpus") / name;
  if (!std::filesystem::exists(folder)) return;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto seed = whole_file(entry.path());
    ASSERT_TRUE(seed) << entry.path();
    give(*seed);
  }
}

}  // namespace
}  // namespace hild::test
