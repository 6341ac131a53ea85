// SPDX-License-Identifier: Apache-2.0
// Counters and pulse widths, of a card that is not there: counters of 24 bits, widths of 1000
// steps.
#include "tests/drivers/comedi_rig.hpp"

namespace hild::comedi {
namespace {

class ComediTimers : public OnFakeCard {
 protected:
  static Texts counter(Texts more = {}) {
    more.merge(Texts{{"subdevice", "3"}, {"channel", "1"}, {"counter", "true"}});
    return more;
  }
  static Texts width(Texts more = {}) {
    more.merge(Texts{{"subdevice", "4"}, {"channel", "0"}, {"pwm", "100 us"}});
    return more;
  }
};

TEST_F(ComediTimers, ACounterIsANumberWithoutUnit) {
  make();
  const auto channel = input(counter());
  ASSERT_TRUE(channel);
  EXPECT_EQ(channel->unit.view(), "1");
  EXPECT_FALSE(channel->digital);
  EXPECT_EQ(channel->resolution, 1);
  EXPECT_EQ(channel->where.view(), "subdevice 3 channel 1");
}

TEST_F(ComediTimers, ACounterGoesOnWhereItWrapsAround) {
  make();
  ASSERT_TRUE(input(counter()));
  card_->counter[1] = 0xFF'FFF0;  // 16777200
  ASSERT_NO_FATAL_FAILURE(open());
  card_->counter[1] = 0x10;
  ASSERT_TRUE(exchange());
  EXPECT_EQ(inputs_[0], 16777232);
  EXPECT_EQ(device_->counts()[0], 0x10U);
  card_->counter[1] = 0xFF'FFFF;
  ASSERT_TRUE(exchange());
  EXPECT_EQ(inputs_[0], 16777215);
  EXPECT_EQ(card_->resets[1], 0U) << "nobody asked for it";
  EXPECT_EQ(card_->armed[1], -1);
}

TEST_F(ComediTimers, ACounterIsSetUpAsAskedFor) {
  make();
  ASSERT_TRUE(input(counter({{"reset", "true"}, {"mode", "196608"}, {"arm", "0"}})));
  card_->counter[1] = 4711;
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_EQ(card_->resets[1], 1U);
  EXPECT_EQ(card_->mode[1], 196608U);
  EXPECT_EQ(card_->armed[1], 0);
  card_->counter[1] = 0xFF'FFFD;
  ASSERT_TRUE(exchange());
  EXPECT_EQ(inputs_[0], -3);
}

TEST_F(ComediTimers, AModeThatTheCardDoesNotHaveIsRefused) {
  make();
  ASSERT_TRUE(input(counter({{"mode", "99"}})));
  const std::string words = refusal();
  EXPECT_TRUE(holds(words,
                    "subdevice 3 channel 1: cannot set the mode of the counter: Invalid "
                    "argument"))
      << words;
}

TEST_F(ComediTimers, ACounterIsOfItsOwnKindOfSubdevice) {
  make();
  ASSERT_TRUE(input({{"subdevice", "0"}, {"channel", "1"}, {"counter", "true"}}));
  EXPECT_TRUE(holds(refusal(), "expected a subdevice for counter, found one that is analog input"));
  device_.reset();
  make();
  ASSERT_TRUE(output({{"subdevice", "3"}, {"channel", "1"}, {"pwm", "1 ms"}}));
  EXPECT_TRUE(holds(refusal(),
                    "expected a subdevice for pulse width output, found one that is "
                    "counter"));
}

TEST_F(ComediTimers, APulseWidthIsAPartOfItsPeriod) {
  make();
  const auto channel = output(width());
  ASSERT_TRUE(channel);
  EXPECT_EQ(channel->unit.view(), "1");
  EXPECT_EQ(channel->range.low, 0);
  EXPECT_EQ(channel->range.high, 1);
  card_->width[0] = 333;
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_EQ(card_->pwm_period_ns, 100'000U);
  EXPECT_EQ(card_->armed[0], -1);
  EXPECT_EQ(card_->width[0], 333U) << "to open it changes no output";
  for (const auto& [part, steps] :
       {std::pair{0.25, 250U}, {0.0, 0U}, {1.0, 1000U}, {0.1234, 123U}, {1.5, 1000U}, {-0.5, 0U}}) {
    outputs_[0] = part;
    ASSERT_TRUE(exchange());
    EXPECT_EQ(card_->width[0], steps) << part;
  }
  outputs_[0] = 0.75;
  ASSERT_TRUE(exchange());
  std::vector<double> back(1);
  ASSERT_TRUE(device_->read_back(back));
  EXPECT_EQ(back[0], 0.75);
}

TEST_F(ComediTimers, APulseWidthIsArmedWhereAskedFor) {
  make();
  ASSERT_TRUE(output(width({{"arm", "2"}})));
  const int before = card_->armed[0];
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_EQ(card_->armed[0], before) << "who only looks moves nothing";
  device_->start(clock_.now());
  outputs_ = {};
  ASSERT_TRUE(exchange());
  EXPECT_EQ(card_->armed[0], before);
  outputs_ = {0.25};
  ASSERT_TRUE(exchange());
  EXPECT_EQ(card_->armed[0], 2) << "with the width that was written";
}

TEST_F(ComediTimers, APeriodThatTheCardDoesNotMakeIsTold) {
  card_->pwm_step_ns = 30'000;
  make();
  ASSERT_TRUE(output(width()));
  EXPECT_TRUE(holds(refusal(),
                    "subdevice 4 channel 0: asked for a period of 100000 ns, found that "
                    "the card makes one of 120000 ns; write `pwm: 120000 ns`"));
}

TEST_F(ComediTimers, APeriodIsChecked) {
  make();
  EXPECT_THROW(static_cast<void>(output(width({{"pwm", "0 s"}}))), test::Rejected);
}

}  // namespace
}  // namespace hild::comedi
