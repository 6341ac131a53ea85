// SPDX-License-Identifier: Apache-2.0
/// \file
/// Files, includes and settings; text that is no configuration.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "config/parse.hpp"
#include "fakes.hpp"

namespace hild::config {
namespace {

using fakes::error_of;
using fakes::read;

bool starts(const std::string& text, const std::string& words) { return text.rfind(words, 0) == 0; }
bool contains(const std::string& text, const std::string& words) {
  return text.find(words) != std::string::npos;
}

TEST(Text, ThatIsNoConfiguration) {
  for (const auto& [text, words] : std::vector<std::pair<std::string, std::string>>{
           {"", "rig.yaml:1: found nothing, expected a map"},
           {"# nothing\n", "rig.yaml:1: found nothing, expected a map"},
           {"just words", "rig.yaml:1: found \"just words\", expected a map"},
           {"- a\n- b\n", "rig.yaml:1: found a list, expected a map"},
           {"frame: {period: 1 ms\nmodel: x\n", "rig.yaml:2: not valid YAML at column"},
           {"a: \"unfinished\n", "rig.yaml:1: not valid YAML"},
           {"a: \"unfinished\nb: 1\n\n", "rig.yaml:2: not valid YAML"},
           {"frame:\n\tperiod: 1 ms\n", "rig.yaml:2: found a tab"},
           {"frame: {}\nmodel: {}\nframe: {}\n",
            "rig.yaml:3: frame: found twice, expected once (first at rig.yaml:1)"},
           {"frame:\n  cpu: 1\n  cpu: 1\n", "rig.yaml:3: frame.cpu: found twice"},
           {"? {a: b}\n: c\n", "rig.yaml:1: found a map as a key"},
           {"a: !!int 3\n", "rig.yaml:1: a: found the tag"},
           {"a: 1\n---\nb: 2\n", "rig.yaml:2: found a second document"},
           {"a: &a [*a]\n", "rig.yaml:1: a: found an alias of what it is part of"},
           {"a: 1\nb: \xff\n", "rig.yaml:2: found byte 0xff, expected UTF-8 text"},
           {std::string("a\0b", 3), "rig.yaml:1: found byte 0x00, expected UTF-8 text"},
           {"\x7f"
            "ELF",
            "rig.yaml:1: found byte 0x7f, expected UTF-8 text"},
           {"a: \xc0\xaf\n", "rig.yaml:1: found byte 0xc0"},
           {"include: x.yaml\n", "rig.yaml:1: include: a text in memory"}}) {
    EXPECT_TRUE(starts(error_of(read(text)), words)) << error_of(read(text)) << "\nfor " << text;
  }
}

TEST(Text, ThatWouldTakeTheMachineDown) {
  EXPECT_TRUE(contains(error_of(read(std::string(max_text + 1, ' '))), "longer than"));
  const std::string deep = "a: " + std::string(10'000, '[');
  EXPECT_TRUE(contains(error_of(read(deep)), "nested deeper than"));
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 9; ++i) {
    laughs += fmt::format("a{}: &a{} [", i, i);
    for (int k = 0; k < 9; ++k) laughs += fmt::format("*a{}, ", i - 1);
    laughs += "x]\n";
  }
  EXPECT_TRUE(contains(error_of(read(laughs)), "aliases written out")) << error_of(read(laughs));
}

TEST(Settings, WinAndNameThemselves) {
  const auto config = read(fakes::head, {{"frame.period", "2 ms"}, {"overrun.limit.percent", "3"}});
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->settings.grid.period(), 2_ms);
  EXPECT_EQ(config->settings.overrun.limit_percent, 3);

  const auto error = [](const char* key, const char* value) {
    return error_of(read(fakes::head, {{key, value}}));
  };
  EXPECT_TRUE(starts(error("frame.period", "2"), "--set frame.period: frame.period: found \"2\""));
  EXPECT_TRUE(starts(error("frame", "{cpu: x}"), "--set frame: frame.period: found nothing"));
  EXPECT_TRUE(starts(error("frme.cpu", "1"), "--set frme.cpu: frme: found an unknown key"));
  EXPECT_TRUE(starts(error("frame.period.x", "1"), "--set frame.period.x: found \"1 ms\""));
  EXPECT_TRUE(starts(error("frame..x", "1"), "--set frame..x: found an empty key"));
  EXPECT_TRUE(starts(error("", "1"), "--set : found an empty key"));
  EXPECT_TRUE(starts(error("frame.cpu", "[1"), "--set frame.cpu: not valid YAML"));
  EXPECT_TRUE(starts(error("frame.cpu", ""), "--set frame.cpu: frame.cpu: found nothing"));
}

class Files : public testing::Test {
 protected:
  void SetUp() override {
    directory_ = testing::TempDir() + fmt::format("hild-config-{}", getpid());
    std::filesystem::create_directories(directory_ + "/sub");
  }
  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream(directory_ + "/" + name) << text;
    return directory_ + "/" + name;
  }
  [[nodiscard]] std::string error(const std::string& file) const {
    const std::string words = error_of(load(file, {}));
    return starts(words, directory_) ? words.substr(directory_.size() + 1) : words;
  }

  std::string directory_;
};

TEST_F(Files, NearerWins) {
  write("sub/first.yaml", "include: below.yaml\nframe: {period: 2 ms, priority: 20}\n");
  write("sub/below.yaml", fakes::head + "budget: {utilisation: 10 %}\n");
  write("second.yaml", "frame: {priority: 30, late_wake: 30 us}\n");
  const auto file = write("top.yaml",
                          "include: [sub/first.yaml, second.yaml]\n"
                          "frame: {late_wake: 40 us}\n");
  const auto config = load(file, {{"budget.with_time_events", "5 %"}});
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->file, file);
  EXPECT_EQ(config->settings.grid.period(), 2_ms) << "an included file wins over what it includes";
  EXPECT_EQ(config->frame.priority, 30) << "later includes win";
  EXPECT_EQ(config->settings.late_wake, 40_us) << "the file wins over its includes";
  EXPECT_DOUBLE_EQ(config->settings.budget.utilisation, 0.1) << "maps are merged";
  EXPECT_DOUBLE_EQ(config->settings.budget.with_time_events, 0.05) << "settings win over all";
}

TEST_F(Files, ErrorsNameTheFileTheyAreIn) {
  write("base.yaml", "model: {type: test-plant}\nintegrator:\n  method: nonsense\n");
  const auto file = write("top.yaml", "include: base.yaml\nframe: {period: 1 ms}\n");
  EXPECT_TRUE(starts(error(file), "base.yaml:3: integrator.method: found \"nonsense\""))
      << error(file);
}

TEST_F(Files, IncludesThatCannotBe) {
  write("a.yaml", "include: b.yaml\n");
  write("b.yaml", "frame: {}\ninclude: [sub/../a.yaml]\n");
  EXPECT_TRUE(starts(error(directory_ + "/a.yaml"), "b.yaml:2: include: ")) << "a circle";
  EXPECT_TRUE(contains(error(directory_ + "/a.yaml"), "circle"));
  EXPECT_TRUE(starts(error(write("c.yaml", "include: none.yaml\n")), "c.yaml:1: include: cannot"));
  EXPECT_TRUE(
      starts(error(write("d.yaml", "include: {a: b}\n")), "d.yaml:1: include: found a map"));
  EXPECT_TRUE(starts(error(write("e.yaml", "include:\n")), "e.yaml:1: include: found nothing"));
  EXPECT_TRUE(starts(error(write("f.yaml", "include: [[]]\n")), "f.yaml:1: include: found a list"));
  for (int i = 0; i < 8; ++i) {
    const std::string next = fmt::format("{}.yaml", i + 1);
    write(fmt::format("{}.yaml", i), fmt::format("include: [{0}, {0}, {0}, {0}]\n", next));
  }
  write("8.yaml", "frame: {}\n");
  EXPECT_TRUE(contains(error(directory_ + "/0.yaml"), "more than 64 files")) << "they multiply";
}

TEST_F(Files, ThatCannotBeRead) {
  EXPECT_TRUE(contains(error_of(load(directory_ + "/none.yaml", {})), "No such file"));
  EXPECT_TRUE(contains(error_of(load(directory_, {})), "it is a directory"));
  EXPECT_TRUE(contains(error_of(load("/dev/zero", {})), "/dev/zero:1: longer than"));
  EXPECT_TRUE(contains(error_of(load("", {})), "cannot read"));
}

// From which nothing may ever come.
TEST_F(Files, ThatAreNoneAreNotIncluded) {
  ASSERT_EQ(::mkfifo((directory_ + "/pipe").c_str(), 0600), 0);
  EXPECT_TRUE(contains(error(write("g.yaml", "include: pipe\n")),
                       "pipe: it is a pipe or a device, expected a file"));
  EXPECT_TRUE(contains(error(write("h.yaml", "include: /dev/zero\n")), "it is a pipe or a device"));
}

}  // namespace
}  // namespace hild::config
