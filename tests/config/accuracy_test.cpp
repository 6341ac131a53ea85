// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "fakes.hpp"

namespace hild::config {
namespace {

using testing::HasSubstr;

Result<Config> with_accuracy(const std::string& accuracy) {
  return fakes::read(
      "frame: {period: 1 ms}\nmodel: {type: test-plant}\nintegrator: {method: rtam-2}\n" +
      accuracy);
}

TEST(Accuracy, IsWatchedAndToldWhereNobodySaysMore) {
  const auto config = with_accuracy("");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->settings.accuracy.limit, 1e-2);
  EXPECT_FALSE(config->settings.accuracy.stop);
}

TEST(Accuracy, MayEndTheRun) {
  const auto config = with_accuracy("accuracy: {limit: 1e-4, then: safe-stop}\n");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_EQ(config->settings.accuracy.limit, 1e-4);
  EXPECT_TRUE(config->settings.accuracy.stop);
}

TEST(Accuracy, MayBeAnything) {
  const auto config = with_accuracy("accuracy: {limit: none}\n");
  ASSERT_TRUE(config) << config.error().message;
  EXPECT_TRUE(std::isinf(config->settings.accuracy.limit));
}

TEST(Accuracy, HasALimitAboveZeroWhereItIsToStop) {
  EXPECT_THAT(fakes::error_of(with_accuracy("accuracy: {limit: 0}\n")),
              HasSubstr("rig.yaml:4: accuracy.limit: found \"0\", expected more than 0, or none"));
  EXPECT_THAT(fakes::error_of(with_accuracy("accuracy: {limit: none, then: safe-stop}\n")),
              HasSubstr("accuracy.then: found \"safe-stop\" beside `limit: none`"));
  EXPECT_THAT(fakes::error_of(with_accuracy("accuracy: {then: freeze}\n")),
              HasSubstr("accuracy.then"));
}

}  // namespace
}  // namespace hild::config
