// SPDX-License-Identifier: Apache-2.0
/// \file
/// Each fuzzer is given its seeds where nobody fuzzes: so it goes on compiling, and what was found
/// once stays mended. HILD_FUZZERS lists them: F(config) F(exchange) ...
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

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

std::string whole(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

class Seeds : public ::testing::TestWithParam<Named> {};
#define F(name) Named{#name, fuzz_##name},
INSTANTIATE_TEST_SUITE_P(Fuzzers, Seeds, ::testing::Values(HILD_FUZZERS Named{"", nullptr}),
                         [](const auto& seeds) { return std::string(seeds.param.name) + "_"; });
#undef F

TEST_P(Seeds, AreTaken) {
  const auto [name, run] = GetParam();
  if (run == nullptr) return;  // the end of the list
  const auto give = [run = run](const std::string& seed) {
    EXPECT_EQ(run(reinterpret_cast<const std::uint8_t*>(seed.data()), seed.size()), 0);
  };
  give("");
  const std::filesystem::path folder =
      std::filesystem::path(HILD_SOURCE_DIR "/tests/fuzz/corpus") / name;
  if (!std::filesystem::exists(folder)) return;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) give(whole(entry.path()));
}

}  // namespace
}  // namespace hild::test
