// SPDX-License-Identifier: Apache-2.0
/// The order in which coupled models are evaluated, and the loops that have none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model/coupled/couple.hpp"

namespace hild::coupled {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::array in{model::Input{"u"}, model::Input{"v"}};
constexpr std::array out{model::Output{"y"}, model::Output{"z"}};
constexpr std::array<model::Feedthrough, 1> y_by_u{model::Feedthrough{"y", "u"}};
constexpr std::array<model::Feedthrough, 2> both{model::Feedthrough{"y", "u"},
                                                 model::Feedthrough{"z", "v"}};

// A model with inputs u, v (2 m, 2 m + 1) and outputs y, z of the same numbers.
model::Description some(std::optional<std::span<const model::Feedthrough>> feedthrough) {
  model::Description d{.name = "some", .summary = ""};
  d.inputs = in;
  d.outputs = out;
  d.feedthrough = feedthrough;
  return d;
}
const model::Description states_only = some(std::span<const model::Feedthrough>{});
const model::Description direct = some(y_by_u);
const model::Description two_ways = some(both);
const model::Description silent = some(std::nullopt);

Ordered order(std::vector<const model::Description*> models, std::vector<Connection> connections) {
  return order_of(models, connections);
}

TEST(Wiring, ModelsFollowWhatFeedsThem) {
  // y2 -> u1, y1 -> u0: all at once, so 2 comes first.
  const auto o = order({&direct, &direct, &direct}, {{.from = 4, .to = 2}, {.from = 2, .to = 0}});
  EXPECT_THAT(o.loop, IsEmpty());
  EXPECT_THAT(o.sources, ElementsAre(2, 1));
  EXPECT_THAT(o.all, ElementsAre(2, 1, 0));
}

TEST(Wiring, StatesMakeNoLoop) {
  const auto o = order({&states_only, &direct}, {{.from = 0, .to = 2}, {.from = 2, .to = 0}});
  EXPECT_THAT(o.loop, IsEmpty());
  EXPECT_THAT(o.sources, ElementsAre(0, 1));
}

// z0 follows from states: y1 = f(z0) and y0 = g(y1) can be found by looking at 0 twice.
TEST(Wiring, AModelMayBeEvaluatedTwice) {
  const auto o = order({&direct, &direct}, {{.from = 1, .to = 2}, {.from = 2, .to = 0}});
  EXPECT_THAT(o.loop, IsEmpty());
  EXPECT_THAT(o.all, ElementsAre(0, 1, 0));
}

TEST(Wiring, TwoWaysThroughAModelAreNoLoop) {
  // y0 -> v0 within one model: z0 depends on y0, which depends on an outer input.
  const auto o = order({&two_ways}, {{.from = 0, .to = 1}});
  EXPECT_THAT(o.loop, IsEmpty());
  EXPECT_THAT(o.all, ElementsAre(0, 0));
}

TEST(Wiring, ALoopNamesItsConnectionsInTheirOrder) {
  // 0 -> 1 -> 2 -> 1: connection 0 leads there and is not in it.
  const auto o = order({&direct, &silent, &direct},
                       {{.from = 0, .to = 2}, {.from = 3, .to = 4}, {.from = 4, .to = 3}});
  ASSERT_EQ(o.loop.size(), 2U);
  EXPECT_THAT(o.loop, ::testing::UnorderedElementsAre(1, 2));
}

// However they are named: the way of 0 -> 2 -> 1 -> 3 -> 0.
TEST(Wiring, ALoopIsNamedWithTheFlow) {
  const std::vector<Connection> connections{
      {.from = 2, .to = 6}, {.from = 6, .to = 0}, {.from = 0, .to = 4}, {.from = 4, .to = 2}};
  const auto loop = order({&direct, &direct, &direct, &direct}, connections).loop;
  ASSERT_THAT(loop, ::testing::UnorderedElementsAre(0, 1, 2, 3));
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t before = loop[(i + 3) % 4];
    EXPECT_EQ(connections[loop[i]].from / 2, connections[before].to / 2) << i;  // a model's number
  }
}

TEST(Wiring, WhatIsNotSaidIsTakenToDepend) {
  EXPECT_THAT(order({&silent, &direct}, {{.from = 0, .to = 2}, {.from = 2, .to = 1}}).loop,
              ::testing::SizeIs(2));
  EXPECT_THAT(order({&direct, &direct}, {{.from = 0, .to = 2}, {.from = 2, .to = 1}}).loop,
              IsEmpty());
}

TEST(Wiring, AModelCanFeedItself) {
  EXPECT_THAT(order({&direct}, {{.from = 0, .to = 0}}).loop, ElementsAre(0));
  EXPECT_THAT(order({&direct}, {{.from = 1, .to = 0}}).loop, IsEmpty());
}

TEST(Wiring, ADelayBreaksALoop) {
  for (const std::size_t delayed : {0U, 1U}) {
    std::vector<Connection> connections{{.from = 0, .to = 2}, {.from = 2, .to = 0}};
    EXPECT_THAT(order({&direct, &direct}, connections).loop, ::testing::SizeIs(2));
    connections[delayed].delayed = true;
    const auto o = order({&direct, &direct}, connections);
    EXPECT_THAT(o.loop, IsEmpty());
    EXPECT_THAT(o.all, delayed == 0 ? ElementsAre(1, 0) : ElementsAre(0, 1));
  }
}

}  // namespace
}  // namespace hild::coupled
