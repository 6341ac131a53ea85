// SPDX-License-Identifier: Apache-2.0
/// A system of several nodes in one file: the configuration of each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "config/config.hpp"

namespace hild::config {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// A file of its own for each test.
class Nodes : public ::testing::Test {
 protected:
  Nodes()
      : file_(testing::TempDir() + "hild-" +
              testing::UnitTest::GetInstance()->current_test_info()->name() + ".yaml") {}
  ~Nodes() override { std::remove(file_.c_str()); }

  void write(const std::string& text) { std::ofstream(file_) << text; }
  std::string problem(std::string_view node, const std::vector<Setting>& settings = {}) {
    const auto read = load(file_, settings, node);
    return read ? "" : read.error().message;
  }

  std::string file_;
};

constexpr const char* two_nodes =
    "frame: {rate: 1 kHz, priority: 50}\n"
    "integrator: {method: rk-4}\n"
    "nodes:\n"
    "  slow:\n"
    "    frame: {rate: 100 Hz}\n"
    "    model: {type: pendulum}\n"
    "  fast:\n"
    "    model: {type: dc-motor}\n"
    "    integrator: {method: rtam-2}\n";

TEST_F(Nodes, HaveWhatIsSaidOfAllAndGoBeforeIt) {
  write(two_nodes);
  const auto names = nodes_in(file_);
  ASSERT_TRUE(names);
  EXPECT_THAT(*names, ElementsAre("slow", "fast"));
  const auto slow = load(file_, {}, "slow");
  ASSERT_TRUE(slow) << slow.error().message;
  EXPECT_EQ(slow->model.type, "pendulum");
  EXPECT_EQ(slow->method, "rk-4");
  EXPECT_EQ(slow->settings.grid.rate_hz(), 100);
  EXPECT_EQ(slow->frame.priority, 50);
  const auto fast = load(file_, {}, "fast");
  ASSERT_TRUE(fast) << fast.error().message;
  EXPECT_EQ(fast->method, "rtam-2");
  EXPECT_EQ(fast->settings.grid.rate_hz(), 1000);
}

// What a run is recorded with is its own configuration, which needs no --node.
TEST_F(Nodes, AreEachAConfigurationOfItsOwnWhenResolved) {
  write(two_nodes);
  const auto fast = load(file_, {{"frame.rate", "2 kHz"}}, "fast");
  ASSERT_TRUE(fast) << fast.error().message;
  EXPECT_EQ(fast->settings.grid.rate_hz(), 2000) << "settings are of the node";
  EXPECT_THAT(fast->resolved, Not(HasSubstr("nodes")));
  const auto again = load_text(fast->resolved, "recorded");
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->model.type, "dc-motor");
  EXPECT_EQ(again->settings.grid.rate_hz(), 2000);
}

TEST_F(Nodes, AreChosenByName) {
  write(two_nodes);
  EXPECT_THAT(problem(""), AllOf(HasSubstr(file_ + ":3: nodes: "),
                                 HasSubstr("2 nodes, expected one of them: --node slow, --node "
                                           "fast")));
  EXPECT_THAT(problem("fats"), AllOf(HasSubstr(":3: nodes: "), HasSubstr("no node \"fats\""),
                                     HasSubstr("did you mean \"fast\"?")));
  write("model: {type: pendulum}\n");
  EXPECT_THAT(problem("fast"),
              HasSubstr("found one node, and --node fast asks for one of several"));
  EXPECT_THAT(nodes_in(file_).value(), IsEmpty());
}

TEST_F(Nodes, AreMaps) {
  write("nodes: {slow: 3, fast: {}}\n");
  EXPECT_THAT(problem("slow"), AllOf(HasSubstr("nodes.slow: found \"3\""),
                                     HasSubstr("expected the sections of a node")));
  write("nodes: [slow, fast]\n");
  EXPECT_THAT(problem("slow"),
              AllOf(HasSubstr(":1: nodes: "), HasSubstr("a map of nodes by name")));
  EXPECT_FALSE(nodes_in(file_));
  EXPECT_THAT(nodes_in(file_ + ".none").error().message, HasSubstr("No such file"));
}

// An error in the section of a node has the line where it stands.
TEST_F(Nodes, KeepTheirPlaces) {
  write(std::string(two_nodes) + "    outputs: {sped: {}}\n");
  EXPECT_THAT(problem("fast"), HasSubstr(file_ + ":10: outputs"));
  EXPECT_EQ(problem("slow"), "");
}

}  // namespace
}  // namespace hild::config
