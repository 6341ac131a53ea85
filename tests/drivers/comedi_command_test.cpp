// SPDX-License-Identifier: Apache-2.0
// Inputs that a card samples by its own clock, of a card that is not there. Counts of 16 bits over
// +-10 V are -10 V + 20 V n / 65535, by hand.
#include "tests/drivers/comedi_rig.hpp"

namespace hild::comedi {
namespace {

constexpr double volts(double count) { return -10 + 20 * count / 65535; }

class ComediCommand : public OnFakeCard {
 protected:
  /// One of the channels 0 and 1, a scan each millisecond.
  void make_two(Texts keys = {}) {
    keys.emplace("command.rate", "1 kHz");
    make(std::move(keys));
    ASSERT_TRUE(input({{"subdevice", "0"}, {"channel", "0"}}));
    ASSERT_TRUE(input({{"subdevice", "0"}, {"channel", "1"}}));
  }
  void start_two(Texts keys = {}) {
    ASSERT_NO_FATAL_FAILURE(make_two(std::move(keys)));
    ASSERT_NO_FATAL_FAILURE(open());
    device_->start(clock_.now());
  }
  /// A scan of the counts.
  void scan(lsampl_t first, lsampl_t second) {
    card_->analog_in = {first, second, 0, 0};
    card_.scan();
  }
  std::string failure_of_call() {
    EXPECT_FALSE(exchange());
    EXPECT_FALSE(exchange()) << "not latched";
    return std::string(device_->failure());
  }
};

TEST_F(ComediCommand, StartsWithTheRunAndEndsWithIt) {
  ASSERT_NO_FATAL_FAILURE(make_two());
  EXPECT_TRUE(device_->has_ticks());
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_EQ(card_->starts, 0);
  device_->start(clock_.now());
  EXPECT_EQ(card_->starts, 1);
  EXPECT_EQ(card_->command.stop_src, static_cast<unsigned>(TRIG_NONE));
  EXPECT_EQ(card_->command.scan_begin_arg, 1'000'000U);
  EXPECT_NE(card_->command.flags & TRIG_WAKE_EOS, 0U);
  device_->stop();
  device_->stop();
  EXPECT_EQ(card_->cancels, 1);
  make();
  EXPECT_FALSE(device_->has_ticks());
  EXPECT_TRUE(device_->counters().empty());
}

// The library has the two conversions of a scan 0.5 ms apart here: their middle is 0.25 ms before
// the end of the scan, which is 1 ms after the start.
TEST_F(ComediCommand, AScanIsAnImageOfItsOwnTime) {
  ASSERT_NO_FATAL_FAILURE(make_two());
  card_->analog_in = {100, 200, 0, 0};
  ASSERT_NO_FATAL_FAILURE(open());
  card_->analog_in = {1000, 2000, 0, 0};
  device_->start(clock_.now());
  clock_.set(1'000'200'000);
  ASSERT_TRUE(exchange());
  EXPECT_NEAR(inputs_[0], volts(1000), 1e-12) << "as it was when the run began";
  EXPECT_NEAR(inputs_[1], volts(2000), 1e-12);
  EXPECT_EQ(sampled_[0].ns, 1'000'000'000);

  scan(30000, 65535);
  clock_.set(1'001'300'000);
  ASSERT_TRUE(exchange());
  EXPECT_EQ(card_->command.convert_arg, 500'000U);
  EXPECT_NEAR(inputs_[0], volts(30000), 1e-12);
  EXPECT_NEAR(inputs_[1], 10, 1e-12);
  EXPECT_EQ(device_->counts()[0], 30000U);
  EXPECT_EQ(device_->counts()[1], 65535U);
  EXPECT_EQ(sampled_[0].ns, 1'000'750'000);

  clock_.set(1'001'500'000);
  ASSERT_TRUE(exchange());
  EXPECT_NEAR(inputs_[0], volts(30000), 1e-12) << "nothing new";
  EXPECT_EQ(sampled_[0].ns, 1'000'750'000);
  EXPECT_EQ(counted("scans"), 1);
}

TEST_F(ComediCommand, ConversionsAreAsFarApartAsAskedFor) {
  ASSERT_NO_FATAL_FAILURE(start_two({{"command.convert", "10 us"}}));
  EXPECT_EQ(card_->command.convert_arg, 10'000U);
  EXPECT_EQ(card_->command.scan_begin_arg, 1'000'000U);
  scan(1, 2);
  clock_.set(1'001'300'000);
  ASSERT_TRUE(exchange());
  EXPECT_EQ(sampled_[0].ns, 1'000'995'000);
}

TEST_F(ComediCommand, IsConvertedAsAnInstructionIs) {
  const std::array<lsampl_t, 5> counts{0, 1, 32767, 40000, 65535};
  std::vector<double> asked;
  make();
  ASSERT_TRUE(input({{"subdevice", "0"}, {"channel", "0"}, {"range", "-5 V..5 V"}}));
  ASSERT_NO_FATAL_FAILURE(open());
  for (const lsampl_t count : counts) {
    card_->analog_in[0] = count;
    ASSERT_TRUE(exchange());
    asked.push_back(inputs_[0]);
  }
  device_.reset();
  inputs_.clear();
  make({{"command.period", "1 ms"}});
  ASSERT_TRUE(input({{"subdevice", "0"}, {"channel", "0"}, {"range", "-5 V..5 V"}}));
  ASSERT_NO_FATAL_FAILURE(open());
  device_->start(clock_.now());
  EXPECT_EQ(CR_RANGE(card_->channels[0]), 1U);
  for (std::size_t i = 0; i < counts.size(); ++i) {
    scan(counts[i], 0);
    ASSERT_TRUE(exchange());
    EXPECT_EQ(inputs_[0], asked[i]) << counts[i];
  }
}

TEST_F(ComediCommand, TheNewestWholeScanWins) {
  ASSERT_NO_FATAL_FAILURE(start_two());
  scan(1, 2);
  scan(3, 4);
  scan(5, 6);
  card_->analog_in = {7, 8, 0, 0};
  card_.begin_scan(2);
  ASSERT_TRUE(exchange());
  EXPECT_EQ(device_->counts()[0], 5U);
  EXPECT_EQ(device_->counts()[1], 6U);
  EXPECT_EQ(counted("scans"), 3);
  EXPECT_EQ(counted("skipped"), 2);
  card_.finish_scan(2);
  ASSERT_TRUE(exchange());
  EXPECT_EQ(device_->counts()[0], 7U);
  EXPECT_EQ(device_->counts()[1], 8U);
  EXPECT_EQ(counted("scans"), 4);
  EXPECT_EQ(counted("full"), 0);
}

TEST_F(ComediCommand, ACallReadsNoMoreScansThanItMay) {
  ASSERT_NO_FATAL_FAILURE(start_two({{"command.scans", "2"}}));
  for (const unsigned n : {1U, 2U, 3U, 4U, 5U}) scan(n, n);
  for (const unsigned newest : {2U, 4U, 5U, 5U}) {
    ASSERT_TRUE(exchange());
    EXPECT_EQ(device_->counts()[0], newest);
  }
  EXPECT_EQ(counted("full"), 2);
  EXPECT_EQ(counted("scans"), 5);
}

TEST_F(ComediCommand, SamplesOfThirtyTwoBits) {
  card_->wide = true;
  ASSERT_NO_FATAL_FAILURE(start_two());
  scan(30001, 65535);
  ASSERT_TRUE(exchange());
  EXPECT_EQ(device_->counts()[0], 30001U);
  EXPECT_EQ(device_->counts()[1], 65535U);
}

TEST_F(ComediCommand, ACardThatWaitsForATriggerGetsIt) {
  card_->by_trigger = true;
  ASSERT_NO_FATAL_FAILURE(start_two());
  EXPECT_TRUE(card_->running);
}

TEST_F(ComediCommand, OutputsAndLinesAreStillWrittenAndReadWhenTheFrameAsks) {
  ASSERT_NO_FATAL_FAILURE(make_two());
  const auto line = input({{"subdevice", "2"}, {"channel", "0"}, {"digital", "true"}});
  ASSERT_TRUE(line);
  EXPECT_EQ(line->group, 1U);
  ASSERT_TRUE(output({{"subdevice", "1"}, {"channel", "1"}}));
  ASSERT_NO_FATAL_FAILURE(open());
  device_->start(clock_.now());
  const int instructions = card_->instructions;
  card_->bits = 1;
  outputs_[0] = 10;
  clock_.set(1'000'400'000);
  ASSERT_TRUE(exchange());
  EXPECT_EQ(card_->analog_out[1], 65535U);
  EXPECT_EQ(inputs_[2], 1);
  EXPECT_EQ(sampled_[0].ns, 1'000'000'000);
  EXPECT_GE(sampled_[1].ns, 1'000'400'000);
  EXPECT_EQ(card_->instructions, instructions) << "what is sampled is not read as well";
}

// Conversions of the two are 0.5 ms apart, so that their middle is 0.25 ms before the scan is
// there.
TEST_F(ComediCommand, AScanCanBeWaitedFor) {
  ASSERT_NO_FATAL_FAILURE(make_two());
  EXPECT_TRUE(device_->wakes());
  ASSERT_NO_FATAL_FAILURE(open());
  device_->start(clock_.now());
  EXPECT_EQ(device_->delivery(), 250_us);
  // The first half of the scan wakes, too.
  card_.on_wait = [&](int n) {
    clock_.set(1'001'100'000 + 1'000 * n);
    card_->analog_in = {30000, 65535, 0, 0};
    if (n == 0) return card_.begin_scan(2);
    card_.finish_scan(2);
  };
  device_->await_image(clock_.now() + 1_us, clock_.now() + 60_s);
  ASSERT_TRUE(exchange());
  EXPECT_NEAR(inputs_[0], volts(30000), 1e-12);
  EXPECT_EQ(sampled_[0].ns, 1'000'851'000) << "of when it was there, and not a period later";
  EXPECT_EQ(counted("scans"), 1);
}

TEST_F(ComediCommand, AScanThatIsThereIsNotWaitedFor) {
  ASSERT_NO_FATAL_FAILURE(start_two());
  clock_.set(1'001'100'000);
  scan(1, 2);
  device_->await_image({1'000'900'000}, {61'000'000'000});
  ASSERT_TRUE(exchange());
  EXPECT_EQ(device_->counts()[0], 1U);
  device_->await_image({1'000'900'000}, {61'000'000'000});
  EXPECT_EQ(clock_.now().ns, 1'001'100'000) << "nor one that was read before";
}

// Taken for that of this tick, it would be one behind for ever.
TEST_F(ComediCommand, AScanOfAnEarlierTickIsNotWhatIsWaitedFor) {
  ASSERT_NO_FATAL_FAILURE(start_two());
  clock_.set(1'001'600'000);
  scan(1, 2);
  card_.on_wait = [&](int) {
    clock_.set(1'002'100'000);
    scan(3, 4);
  };
  device_->await_image({1'001'500'000}, {61'000'000'000});
  ASSERT_TRUE(exchange());
  EXPECT_EQ(device_->counts()[0], 3U);
}

TEST_F(ComediCommand, AScanThatDoesNotComeIsWaitedForNoLongerThanAskedFor) {
  ASSERT_NO_FATAL_FAILURE(start_two());
  const MonoTime until = clock_.now() + 20_us;
  card_.on_wait = [&](int n) { clock_.set(1'000'000'000 + 5'000 * (n + 1)); };
  device_->await_image(clock_.now() + 1_us, until);
  EXPECT_EQ(clock_.now(), until);
  ASSERT_TRUE(exchange());
  EXPECT_EQ(counted("scans"), 0);
}

TEST_F(ComediCommand, ACardThatFailsIsNotWaitedFor) {
  ASSERT_NO_FATAL_FAILURE(start_two());
  card_.end(false);
  device_->await_image(clock_.now() + 1_us, clock_.now() + 60_s);
  EXPECT_TRUE(holds(failure_of_call(), "ended"));
  device_->await_image(clock_.now() + 1_us, clock_.now() + 60_s);
}

TEST_F(ComediCommand, WithoutACommandThereIsNothingToWaitFor) {
  make();
  ASSERT_TRUE(input({{"subdevice", "0"}, {"channel", "0"}}));
  ASSERT_NO_FATAL_FAILURE(open());
  EXPECT_FALSE(device_->wakes());
  device_->await_image(clock_.now() + 1_us, clock_.now() + 60_s);
}

// Without a start, as in a forked copy, and once it is over.
TEST_F(ComediCommand, WithoutItsCommandItIsReadWhenItIsAsked) {
  ASSERT_NO_FATAL_FAILURE(make_two());
  ASSERT_NO_FATAL_FAILURE(open());
  card_->analog_in[0] = 4711;
  ASSERT_TRUE(exchange());
  EXPECT_EQ(device_->counts()[0], 4711U);
  device_->start(clock_.now());
  device_->stop();
  card_->analog_in[0] = 4712;
  ASSERT_TRUE(exchange());
  EXPECT_EQ(device_->counts()[0], 4712U);
}

TEST_F(ComediCommand, ABufferThatRanOverIsAFailure) {
  ASSERT_NO_FATAL_FAILURE(start_two());
  for (unsigned n = 0; n < 1025; ++n) scan(n, n);  // 4096 bytes hold 1024 scans of 4
  for (int n = 0; n < 16; ++n) ASSERT_TRUE(exchange());
  EXPECT_EQ(device_->counts()[0], 1023U);
  const std::string words = failure_of_call();
  EXPECT_TRUE(holds(words, card_.path() + ": the command was stopped after 1024 scans")) << words;
  EXPECT_TRUE(holds(words, "buffer was full")) << words;
  EXPECT_TRUE(holds(words, "raise `scans`")) << words;
}

// Nobody samples any more, but the card is there.
TEST_F(ComediCommand, OutputsCanBeMadeSafeWhenTheCommandHasEnded) {
  ASSERT_NO_FATAL_FAILURE(make_two());
  ASSERT_TRUE(output({{"subdevice", "1"}, {"channel", "1"}}));
  ASSERT_NO_FATAL_FAILURE(open());
  device_->start(clock_.now());
  outputs_ = {5};
  ASSERT_TRUE(exchange());
  const lsampl_t driven = card_->analog_out[1];
  card_.end(false);
  outputs_ = {0};
  EXPECT_FALSE(exchange());
  const lsampl_t before = card_->analog_out[1];
  EXPECT_FALSE(exchange());
  EXPECT_TRUE(device_->exchange(std::array{-5.0}, {}, {}));
  EXPECT_LT(card_->analog_out[1], before);
  EXPECT_LT(card_->analog_out[1], driven);
  card_->gone = true;
  EXPECT_FALSE(device_->exchange(std::array{0.0}, {}, {}));
  EXPECT_TRUE(holds(device_->failure(), "ended its command")) << device_->failure();
}

TEST_F(ComediCommand, AnErrorOfTheCardIsAFailure) {
  ASSERT_NO_FATAL_FAILURE(start_two());
  scan(1, 2);
  card_.end(true);
  ASSERT_TRUE(exchange());
  EXPECT_EQ(device_->counts()[1], 2U) << "what was sampled before is taken";
  inputs_ = {0.5, 0.5};
  const std::string words = failure_of_call();
  EXPECT_EQ(inputs_, (std::vector{0.5, 0.5}));
  EXPECT_TRUE(holds(words, "stopped its command after 1 scans by an error of its own")) << words;
}

TEST_F(ComediCommand, ACommandThatEndsIsAFailure) {
  ASSERT_NO_FATAL_FAILURE(start_two());
  scan(1, 2);
  scan(1, 2);
  ASSERT_TRUE(exchange());
  card_.end(false);
  const std::string words = failure_of_call();
  EXPECT_TRUE(holds(words, "ended its command after 2 scans")) << words;
}

TEST_F(ComediCommand, ACardThatIsGoneIsAFailure) {
  ASSERT_NO_FATAL_FAILURE(start_two());
  card_->gone = true;
  const std::string words = failure_of_call();
  EXPECT_TRUE(holds(words, "cannot read scans, after 0 of them: No such device")) << words;
  EXPECT_TRUE(holds(words, "comedi_config")) << words;
}

TEST_F(ComediCommand, ACommandThatIsNotBegunIsAFailure) {
  card_->refuses = EBUSY;
  ASSERT_NO_FATAL_FAILURE(start_two());
  const std::string words = failure_of_call();
  EXPECT_TRUE(holds(words, "did not begin its command: Device or resource busy")) << words;
  EXPECT_TRUE(holds(words, "end the program that uses it")) << words;
}

TEST_F(ComediCommand, ACardWithoutCommandsIsRefused) {
  card_->commands = false;
  ASSERT_NO_FATAL_FAILURE(make_two());
  const std::string words = refusal();
  EXPECT_TRUE(holds(words, "subdevice 0 of this card cannot be sampled by a clock")) << words;
  EXPECT_TRUE(holds(words, "leave `command` out")) << words;
}

TEST_F(ComediCommand, ACardThatMakesAnotherRateTellsIt) {
  card_->step_ns = 300'000;  // conversions of 0.5 ms become such of 0.6 ms, two a scan
  ASSERT_NO_FATAL_FAILURE(make_two());
  EXPECT_TRUE(holds(refusal(),
                    "asked for a scan each 1000000 ns, found that the card would make one each "
                    "1200000 ns; write `period: 1200000 ns`"));
  device_.reset();
  inputs_.clear();
  make({{"command.period", "1200000 ns"}});
  ASSERT_TRUE(input({{"subdevice", "0"}, {"channel", "0"}}));
  ASSERT_TRUE(input({{"subdevice", "0"}, {"channel", "1"}}));
  open();
}

TEST_F(ComediCommand, ACardThatConvertsAtAnotherRateTellsIt) {
  card_->step_ns = 20'000;
  ASSERT_NO_FATAL_FAILURE(make_two({{"command.convert", "10 us"}}));
  EXPECT_TRUE(holds(refusal(),
                    "asked for a conversion each 10000 ns, found that the card would "
                    "make one each 20000 ns; write `convert: 20000 ns`"));
}

TEST_F(ComediCommand, ACardWhoseCommandsEndIsRefused) {
  card_->endless = false;
  ASSERT_NO_FATAL_FAILURE(make_two());
  EXPECT_TRUE(holds(refusal(), "scans by a timer that go on without end"));
}

TEST_F(ComediCommand, ChannelsThatCannotBeScannedAreRefused) {
  card_->in_order = true;
  make({{"command.rate", "1 kHz"}});
  ASSERT_TRUE(input({{"subdevice", "0"}, {"channel", "1"}}));
  ASSERT_TRUE(input({{"subdevice", "0"}, {"channel", "0"}}));
  EXPECT_TRUE(holds(refusal(), "cannot scan these channels in this order"));
}

TEST_F(ComediCommand, NeedsAnAnalogInput) {
  make({{"command.rate", "1 kHz"}});
  ASSERT_TRUE(input({{"subdevice", "2"}, {"channel", "0"}, {"digital", "true"}}));
  EXPECT_TRUE(holds(refusal(), "found no analog input on the device"));
}

TEST_F(ComediCommand, HasTheInputsOfOneSubdevice) {
  make({{"command.rate", "1 kHz"}});
  ASSERT_TRUE(input({{"subdevice", "0"}, {"channel", "0"}}));
  const auto other = input({{"subdevice", "5"}, {"channel", "0"}});
  ASSERT_FALSE(other);
  EXPECT_TRUE(holds(other.error().message,
                    "subdevice 5 channel 0: the command of the device is "
                    "on subdevice 0"))
      << other.error().message;
}

TEST_F(ComediCommand, SamplesAtTimesOfItsOwn) {
  make({{"command.rate", "1 kHz"}});
  const auto timed = input({{"subdevice", "0"}, {"channel", "0"}, {"conversion", "5 us"}});
  ASSERT_FALSE(timed);
  EXPECT_TRUE(holds(timed.error().message, "leave `conversion` out")) << timed.error().message;
}

TEST_F(ComediCommand, ItsTimesAreChecked) {
  EXPECT_THROW(make({{"command.rate", "1 kHz"}, {"command.period", "1 ms"}}), test::Rejected);
  EXPECT_THROW(make({{"command.scans", "2"}}), test::Rejected);
  EXPECT_THROW(make({{"command.period", "5 s"}}), test::Rejected);
  EXPECT_THROW(make({{"command.rate", "0.1 Hz"}}), test::Rejected);
  EXPECT_THROW(make({{"command.period", "1 ms"}, {"command.convert", "2 ms"}}), test::Rejected);
  EXPECT_THROW(make({{"command.period", "1 ms"}, {"command.scans", "0"}}), test::Rejected);
}

}  // namespace
}  // namespace hild::comedi
