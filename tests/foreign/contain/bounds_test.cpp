// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a model's process may answer, word by word.
#include "foreign/remote/bounds.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace hild::remote {
namespace {

constexpr SimTime now{5'000'000};

std::string breached(const ModelReply& r, const Known& known = {}, Call call = Call::pass) {
  const auto found = breach_of(r, {call, now, now + 1_ms}, known);
  return found ? found->word : "";
}

TEST(Bounds, WhatAModelAnswersIsWithinThem) {
  ModelReply r;
  EXPECT_EQ(breached(r), "");
  r.yes = r.starting = r.together = r.failed = 1;
  const std::string_view name = "get derivatives";
  std::ranges::copy(name, r.function.begin());
  r.cap_counts = {.event_iterations = 7, .zero_advance = 8, .step_parts = most_counted};
  const Known known{.starts = true,
                    .together = true,
                    .cap_counts = {.event_iterations = 7, .zero_advance = 2, .step_parts = 0}};
  EXPECT_EQ(breached(r, known), "");
}

TEST(Bounds, ATruthIsZeroOrOne) {
  ModelReply r;
  r.yes = 2;
  EXPECT_EQ(breached(r), "yes");
  r = {};
  r.failed = 0x8000'0000;
  EXPECT_EQ(breached(r), "failed");
  r = {};
  r.starting = 2;
  EXPECT_EQ(breached(r, {.starts = true}), "starting");
}

TEST(Bounds, WhetherAnErrorIsEstimatedIsATruth) {
  ModelReply r;
  r.estimated = 1;
  EXPECT_EQ(breached(r, {}, Call::advance), "");
  r.estimated = 2;
  EXPECT_EQ(breached(r, {}, Call::advance), "estimated");
}

TEST(Bounds, AMethodWithoutAStarterIsNeverStarting) {
  ModelReply r;
  r.starting = 1;
  EXPECT_EQ(breached(r, {.starts = true}), "");
  EXPECT_EQ(breached(r, {.starts = false}), "starting");
}

TEST(Bounds, HowItWasCompiledDoesNotChange) {
  ModelReply r;
  EXPECT_EQ(breached(r, {.together = true}), "together");
  r.together = 1;
  EXPECT_EQ(breached(r, {.together = false}), "together");
}

TEST(Bounds, ANameEndsAndIsReadable) {
  ModelReply r;
  r.failed = 1;
  EXPECT_EQ(breached(r), "");
  r.function.fill('~');
  r.function.back() = '\0';
  EXPECT_EQ(breached(r), "");
  r.function.back() = '~';
  EXPECT_EQ(breached(r), "function");
  for (const char c : {'\n', '\x1f', '\x7f', '\xc3'}) {
    r.function = {'a', c};
    EXPECT_EQ(breached(r), "function");
  }
  r.failed = 0;  // then nobody reads it
  EXPECT_EQ(breached(r), "");
}

TEST(Bounds, WhyAStateCannotBeSavedIsReadable) {
  ModelReply r;
  r.function = {'a', '\n'};
  EXPECT_EQ(breached(r, {}, Call::measure_state), "function");
  EXPECT_EQ(breached(r, {}, Call::save_state), "") << "nobody reads it there";
  r.function = {'a', '\0'};
  EXPECT_EQ(breached(r, {}, Call::measure_state), "");
}

TEST(Bounds, AStateHasNoMoreBytesThanWereMeasured) {
  ModelReply r;
  r.yes = 1;
  r.bytes = most_state_bytes;
  EXPECT_EQ(breached(r, {}, Call::measure_state), "");
  EXPECT_EQ(breached(r, {.state_bytes = 100}, Call::save_state), "bytes");
  r.bytes = 101;
  EXPECT_EQ(breached(r, {.state_bytes = 100}, Call::save_state), "bytes");
  EXPECT_EQ(breached(r, {.state_bytes = 101}, Call::save_state), "");
  r.bytes = most_state_bytes + 1;
  EXPECT_EQ(breached(r, {}, Call::measure_state), "bytes");
  EXPECT_EQ(breached(r, {}, Call::pass), "") << "it is no answer to this";
  r.yes = 0;
  EXPECT_EQ(breached(r, {.state_bytes = 100}, Call::save_state), "");
}

TEST(Bounds, ATimeEventLiesAhead) {
  ModelReply r;
  r.next = now;
  EXPECT_EQ(breached(r, {}, Call::next_time_event), "next");
  EXPECT_EQ(breached(r, {}, Call::outputs), "");
  r.next = now + 1_ns;
  EXPECT_EQ(breached(r, {}, Call::next_time_event), "");
  r.next = model::never;
  EXPECT_EQ(breached(r, {}, Call::next_time_event), "");
}

// After a step it is told of both of its ends, where there are time events.
TEST(Bounds, ATimeEventLiesAheadOfTheEndsOfAStep) {
  for (const Call call : {Call::advance, Call::finish, Call::last_pass}) {
    ModelReply r;
    r.next = now + 1_ms + 1_ns;
    r.next_from_start = now + 1_ns;
    EXPECT_EQ(breached(r, {.timed = true}, call), "");
    r.next = now + 1_ms;
    EXPECT_EQ(breached(r, {.timed = true}, call), "next");
    EXPECT_EQ(breached(r, {.timed = false}, call), "") << "nobody reads it there";
    r.next = model::never;
    r.next_from_start = now;
    EXPECT_EQ(breached(r, {.timed = true}, call), "next_from_start");
    EXPECT_EQ(breached(r, {.timed = false}, call), "");
  }
  EXPECT_EQ(breached({}, {.timed = true}, Call::pass), "");
}

TEST(Bounds, ACountDoesNotFallAndStaysACount) {
  using Count = std::int64_t model::CapCounts::*;
  for (const auto& [word, count] :
       {std::pair<const char*, Count>{"event_iterations", &model::CapCounts::event_iterations},
        {"zero_advance", &model::CapCounts::zero_advance},
        {"step_parts", &model::CapCounts::step_parts},
        {"algebraic_iterations", &model::CapCounts::algebraic_iterations}}) {
    Known known;
    known.cap_counts.*count = 3;
    ModelReply r;
    r.cap_counts = known.cap_counts;
    EXPECT_EQ(breached(r, known), "");
    for (const std::int64_t bad : {std::int64_t{2}, std::int64_t{-1}, most_counted + 1,
                                   std::numeric_limits<std::int64_t>::max()}) {
      r.cap_counts.*count = bad;
      EXPECT_EQ(breached(r, known), word) << bad;
    }
  }
}

}  // namespace
}  // namespace hild::remote
