// SPDX-License-Identifier: Apache-2.0
/// \file
/// The message of a step: what goes in comes out, and little goes in.
#include <gmock/gmock.h>

#include <boost/json.hpp>
#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>

#include "recording/framelog/encoder.hpp"
#include "recording/framelog/step_decoder.hpp"
#include "recording/framelog/step_fields.hpp"
#include "runs.hpp"

namespace hild::framelog {
namespace {

namespace json = boost::json;
using protozero::pbf_writer;
using testing::ElementsAre;
using testing::HasSubstr;

const ClockBase clock_of_run = description_of_run().clock;

StepShape shape_of_run(const config::Record& settings = everything()) {
  return shape_of(layout_of_run, signals_of_run, {}, settings);
}

/// The message of a record, and when it stands.
struct Message {
  Message(const io::FrameView& record, const io::FrameLayout& layout, const Signals& signals,
          const Wanted& wanted = {}, const config::Record& settings = everything()) {
    Description description = description_of_run();
    description.signals = signals;
    Encoder encoder(description, layout, settings);
    Block block;
    encoder.step(record, wanted, block);
    const std::string_view records = block.steps.records();
    bytes = records.substr(records.size() < 31 ? records.size() : 31);  // behind the head
    time = block.steps.end();
  }
  std::string bytes;
  std::uint64_t time = 0;
};

/// A record of four passes, three images of two groups and five values, the plant's two the first.
class Busy {
 public:
  Busy() : memory_(layout.bytes() / 8 + 1, 0xABABABABU) {
    io::FrameSlot slot(layout, place());
    slot.begin();
    slot.header() = header_of(7);
    slot.header().passes = 4;
    image(3_us, true, {1.25, 3, 10, 11, 12});  // what the pass used was falsified
    pass(0, 0_us, {1.5, -0.0});
    pass(1, 3_us, {1.5, -0.0});
    image(500_us, false, {2.5, 4, 20, 21, 22});
    pass(2, 500_us, {2.5, 4});
    pass(3, 777_us, {std::numeric_limits<double>::quiet_NaN(), 5});
    image(900_us, true, {9, 9, 30, 31, 32});  // nobody used it
    slot.outputs(std::array{-1.0});
    slot.states(std::array{1e-300, 2.0}, std::array<io::Interval, 2>{});
    const std::int64_t step = slot.header().step;
    slot.run(step, {.start = -5_us, .took = INT32_MAX, .model = 65535, .worker = -1});
    slot.run(step, {.start = 400_us, .took = 1, .model = 0, .worker = 511});
    std::ranges::copy(std::array{0.1, -0.0}, slot.write(header_of(7).due + 3_us).begin());
    std::ranges::copy(std::array{1e300, 7.0}, slot.write(header_of(7).due - 1_ms).begin());
  }
  [[nodiscard]] io::FrameView view() { return {layout, place()}; }
  io::FrameHeader& header() { return io::FrameSlot(layout, place()).header(); }
  void pass(std::size_t p, Duration after, const std::array<double, 2>& u) {
    io::FrameSlot(layout, place())
        .pass(p, header_of(7).due + after, Duration{70 + static_cast<std::int64_t>(p)}, u);
  }
  void image(Duration after, bool waited, const std::array<double, 5>& u) {
    io::FrameSlot(layout, place())
        .image(std::array{header_of(7).due + after, header_of(7).due - 2_ms}, waited, u,
               std::array{4'000'000'000U, 7U});
  }

  const io::FrameLayout layout{4, 2, 1, 2, 3, 5, 2, 2, 3, 2};
  const Signals signals{
      {{"a", "V"}, {"b", ""}}, {{"y", ""}}, {{"x", ""}, {"v", ""}}, {{"a", ""}, {"b", ""}}};

 private:
  std::byte* place() { return reinterpret_cast<std::byte*>(memory_.data()); }
  std::vector<std::uint64_t> memory_;
};

void expect_same_bits(std::span<const double> got, std::span<const double> expected,
                      std::string_view what) {
  ASSERT_EQ(got.size(), expected.size()) << what;
  EXPECT_EQ(std::memcmp(got.data(), expected.data(), expected.size_bytes()), 0) << what;
}

void expect_same_passes(const io::FrameView& got, const io::FrameView& expected) {
  ASSERT_EQ(got.header().passes, expected.header().passes);
  for (std::size_t p = 0; p < static_cast<std::size_t>(expected.header().passes); ++p) {
    EXPECT_EQ(got.nominal(p), expected.nominal(p)) << p;
    EXPECT_EQ(got.images_before(p), expected.images_before(p)) << p;
    EXPECT_EQ(got.cost(p), expected.cost(p)) << p;
    expect_same_bits(got.inputs(p), expected.inputs(p), fmt::format("inputs of pass {}", p));
  }
}

void expect_same_images(const io::FrameView& got, const io::FrameView& expected) {
  ASSERT_EQ(got.header().images, expected.header().images);
  for (std::size_t i = 0; i < static_cast<std::size_t>(expected.header().images); ++i) {
    EXPECT_TRUE(std::ranges::equal(got.instants(i), expected.instants(i))) << i;
    EXPECT_EQ(got.image_waited(i), expected.image_waited(i)) << i;
    expect_same_bits(got.image(i), expected.image(i), fmt::format("image {}", i));
    EXPECT_TRUE(std::ranges::equal(got.image_counts(i), expected.image_counts(i))) << i;
  }
}

void expect_same_runs(std::span<const io::ModelRun> got, std::span<const io::ModelRun> expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    EXPECT_EQ(std::memcmp(&got[i], &expected[i], sizeof got[i]), 0) << i;
  }
}

void expect_same_writes(const io::FrameView& got, const io::FrameView& expected) {
  ASSERT_EQ(got.writes(), expected.writes());
  for (std::size_t w = 0; w < expected.writes(); ++w) {
    EXPECT_EQ(got.written_at(w), expected.written_at(w)) << w;
    expect_same_bits(got.written(w), expected.written(w), fmt::format("write {}", w));
  }
}

void expect_same(const io::FrameView& got, const io::FrameView& expected) {
  EXPECT_EQ(std::memcmp(&got.header().step, &expected.header().step, 64), 0) << "all times";
  EXPECT_EQ(got.header().phases, expected.header().phases);
  expect_same_passes(got, expected);
  expect_same_images(got, expected);
  expect_same_bits(got.outputs(), expected.outputs(), "outputs");
  expect_same_bits(got.states(), expected.states(), "states");
  expect_same_runs(got.runs(), expected.runs());
  expect_same_writes(got, expected);
}

bool has_field(std::string_view message, std::uint32_t number) {
  protozero::pbf_reader in(message.data(), message.size());
  return in.next(number);
}

/// Of a message: how many passes tell their inputs.
int passes_with_inputs(std::string_view message) {
  int n = 0;
  for (protozero::pbf_reader in(message.data(), message.size()); in.next(step_field::passes);) {
    const protozero::data_view pass = in.get_view();
    n += has_field({pass.data(), pass.size()}, step_field::pass::inputs) ? 1 : 0;
  }
  return n;
}

TEST(Step, ComesBackBitForBit) {
  Busy busy;
  ASSERT_EQ(busy.view().runs().size(), 2U);
  ASSERT_EQ(busy.view().writes(), 2U);
  const Message message(busy.view(), busy.layout, busy.signals);
  StepDecoder decoder(shape_of(busy.layout, busy.signals, {}, everything()), clock_of_run);
  const auto step = decoder.decode(mcap::bytes_of(message.bytes), message.time);
  ASSERT_TRUE(step);
  EXPECT_TRUE(step->whole);
  expect_same(step->record, busy.view());
}

// An image that nobody used stands by itself, whatever the slot of a pass that did not run holds.
TEST(Step, ImagesThatNobodyUsedComeBack) {
  Busy busy;
  busy.pass(3, 900_us, {9, 9});
  busy.header().passes = 3;
  const Message message(busy.view(), busy.layout, busy.signals);
  StepDecoder decoder(shape_of(busy.layout, busy.signals, {}, everything()), clock_of_run);
  const auto step = decoder.decode(mcap::bytes_of(message.bytes), message.time);
  ASSERT_TRUE(step);
  expect_same(step->record, busy.view());
}

// Each by itself, as large as it comes: no two of them share a place.
TEST(Step, EveryNumberOfTheHeaderComesBack) {
  for (const HeaderField& field : header_fields) {
    io::FrameHeader h = header_of(7);
    const bool flag = field.type == proto::Type::boolean;
    const std::int64_t n = flag                                                ? 1
                           : field.type == proto::Type::enumeration            ? 11
                           : field.name == "capped"                            ? 0x3f
                           : field.name == "frame"                             ? 7'000'000'000
                           : field.type == proto::Type::sfixed64               ? -123'456
                           : field.name == "error_ppb"                         ? 15 << 20
                           : field.name == "mark" || field.name == "capped_by" ? 4'000'000'001
                                                                               : 2'000'000'001;
    if (field.name == "extra_frames") {
      h.step = h.frame - n;
    } else {
      field.set(h, n);
    }
    if (field.name == "frozen") h.passes = 0;
    Record record(h);
    const Message message(record.view(), layout_of_run, signals_of_run);
    StepDecoder decoder(shape_of_run(), clock_of_run);
    const auto step = decoder.decode(mcap::bytes_of(message.bytes), message.time);
    ASSERT_TRUE(step) << field.name;
    EXPECT_EQ(field.get(step->record.header()), n) << field.name;
    for (const HeaderField& other : header_fields) {
      EXPECT_EQ(other.get(step->record.header()), other.get(record.view().header()))
          << other.name << " beside " << field.name;
    }
    EXPECT_EQ(step->record.header().t, h.t) << field.name;
    EXPECT_EQ(step->record.header().end, h.end) << field.name;
  }
}

TEST(Step, NumbersAreGivenOnce) {
  std::vector<std::uint32_t> taken{
      step_field::states,        step_field::outputs,     step_field::inputs,
      step_field::images,        step_field::passes,      step_field::phases,
      step_field::brief,         step_field::t,           step_field::end,
      step_field::passes_run,    step_field::images_read, step_field::images_begin,
      step_field::other_outputs, step_field::other_states};
  for (const HeaderField& field : header_fields) taken.push_back(field.number);
  std::ranges::sort(taken);
  EXPECT_EQ(std::ranges::adjacent_find(taken), taken.end());
}

// A time off the grid, an end that is not deadline and lateness, more passes and images than there
// was room for: nothing of it is taken for granted.
TEST(Step, WhatUsuallyFollowsFromTheRestComesBackWhereItDoesNot) {
  io::FrameHeader h = header_of(7);
  h.t.ns += 3;
  h.end.ns += 5;
  Record record(h);
  io::FrameHeader& kept = const_cast<io::FrameHeader&>(record.view().header());
  kept.images = 9;
  const Message message(record.view(), layout_of_run, signals_of_run);
  StepDecoder decoder(shape_of_run(), clock_of_run);
  const auto step = decoder.decode(mcap::bytes_of(message.bytes), message.time);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->record.header().t, h.t);
  EXPECT_EQ(step->record.header().end, h.end);
  EXPECT_EQ(step->record.header().images, 9);
  EXPECT_EQ(step->record.instants(0)[0], record.view().instants(0)[0]);
}

TEST(Step, GridsThatAreNoWholeNanosecondsAreExact) {
  ClockBase clock = clock_of_run;
  clock.grid = Grid::of_rate_hz(3000);
  for (const std::int64_t frame : {0L, 1L, 2L, 3L, 900'000'001L}) {
    io::FrameHeader h = header_of(frame);
    h.t = SimTime{frame * 1'000'000'000 / 3000};
    Description description = description_of_run();
    description.clock = clock;
    Encoder encoder(description, layout_of_run, everything());
    Block block;
    Record record(h);
    encoder.step(record.view(), {}, block);
    StepDecoder decoder(shape_of_run(), clock);
    const auto step =
        decoder.decode(mcap::bytes_of(block.steps.records().substr(31)), block.steps.end());
    ASSERT_TRUE(step);
    EXPECT_EQ(step->record.header().t, h.t) << frame;
    EXPECT_FALSE(has_field(block.steps.records().substr(31), step_field::t)) << "it follows";
  }
}

/// A run of one input at 1 kHz, of which two passes a step have what follows from its images, which
/// come a little late.
struct Following {
  static constexpr std::size_t steps = 12;
  static double input(MonoTime t) {
    return std::sin(1e-6 * static_cast<double>(t.ns % 100'000'000));
  }

  Following() {
    for (std::size_t i = 0; i < steps; ++i) {
      const auto step = static_cast<std::int64_t>(i);
      auto& memory = memories.emplace_back(layout.bytes() / 8 + 1);
      auto* const place = reinterpret_cast<std::byte*>(memory.data());
      io::FrameSlot slot(layout, place);
      slot.begin();
      slot.header() = header_of(step);
      for (std::size_t p = 0; p < 2; ++p) {
        const MonoTime nominal = header_of(step).due + 500_us * static_cast<std::int64_t>(p);
        const MonoTime sampled = nominal + 7_us + Duration{step * 100};
        live.instants()[0] = sampled;
        live.incoming()[0] = input(sampled);
        slot.image(std::array{sampled}, true, live.incoming());
        live.accept();
        std::array<double, 1> u{};
        live.at(nominal, rules.rule.degrees, u);
        slot.pass(p, nominal, 70_us, u);
      }
      slot.header().passes = 2;
    }
    description.signals = {{{"u", ""}}, {}, {}};
    description.images = rules;
  }
  [[nodiscard]] io::FrameView view(std::size_t i) const {
    return {layout, reinterpret_cast<const std::byte*>(memories[i].data())};
  }
  [[nodiscard]] io::FrameSlot slot(std::size_t i) {
    return {layout, reinterpret_cast<std::byte*>(memories[i].data())};
  }
  /// The messages of all steps, of one block.
  std::vector<std::string> encode() {
    Encoder encoder(description, layout, everything());
    Block block;
    std::vector<std::string> all;
    std::size_t before = 0;
    for (std::size_t i = 0; i < steps; ++i) {
      encoder.step(view(i), {}, block);
      all.emplace_back(block.steps.records().substr(before + 31));
      before = block.steps.records().size();
    }
    return all;
  }
  [[nodiscard]] std::optional<StoredStep> decode(StepDecoder& decoder, const std::string& message,
                                                 std::size_t i) const {
    return decoder.decode(mcap::bytes_of(message),
                          description.clock.log_time(view(i).header().due));
  }
  [[nodiscard]] StepDecoder decoder(const StepParts& asked = {.whole = true}) const {
    return {shape_of(layout, description.signals, rules, everything()), description.clock, asked};
  }

  const io::FrameLayout layout{2, 1, 0, 0, 2, 1, 0};
  ImageRules rules{.inputs = {{}}, .rule = {.degrees = {.within = 3}, .spacing = 60_us}};
  io::ImageHistory live{rules.inputs, 1, rules.rule.spacing};
  std::vector<std::vector<std::uint64_t>> memories;
  Description description = description_of_run();
};

// The record does not say what a reader can work out, and is the same to the last bit.
TEST(FollowingInputs, AreNotStoredAndComeBackBitForBit) {
  Following run;
  const auto messages = run.encode();
  StepDecoder decoder = run.decoder();
  for (std::size_t i = 0; i < Following::steps; ++i) {
    const auto step = run.decode(decoder, messages[i], i);
    ASSERT_TRUE(step) << i;
    EXPECT_TRUE(step->inputs);
    expect_same_passes(step->record, run.view(i));
    expect_same_images(step->record, run.view(i));
    EXPECT_EQ(passes_with_inputs(messages[i]), 0) << i;
    EXPECT_EQ(has_field(messages[i], step_field::images_begin), i == 0);
  }
}

// The images are followed where nobody asks for them.
TEST(FollowingInputs, AloneComeBackBitForBit) {
  Following run;
  const auto messages = run.encode();
  StepDecoder decoder = run.decoder({.inputs = true});
  for (std::size_t i = 0; i < Following::steps; ++i) {
    const auto step = run.decode(decoder, messages[i], i);
    ASSERT_TRUE(step) << i;
    expect_same_bits(step->record.inputs(0), run.view(i).inputs(0), fmt::format("step {}", i));
  }
  EXPECT_FALSE(run.decode(decoder, messages[2], 2)) << "they do not follow on this one";
  StepDecoder timing = run.decoder({.timing = true});
  EXPECT_TRUE(run.decode(timing, messages[2], 2)) << "that does not matter here";
}

// One that was falsified, of a single bit even, stands by itself.
TEST(FollowingInputs, ThatDoNotFollowAreStored) {
  Following run;
  run.slot(5).pass(0, run.view(5).nominal(0), 70_us,
                   std::array{std::nextafter(run.view(5).inputs(0)[0], 10.0)});
  run.slot(6).pass(1, run.view(6).nominal(1), 70_us, std::array{4.5});
  const auto messages = run.encode();
  StepDecoder decoder = run.decoder();
  for (std::size_t i = 0; i < Following::steps; ++i) {
    const auto step = run.decode(decoder, messages[i], i);
    ASSERT_TRUE(step) << i;
    expect_same_passes(step->record, run.view(i));
    EXPECT_EQ(passes_with_inputs(messages[i]), i == 5 || i == 6 ? 1 : 0) << i;
  }
}

// Each block can be read by itself: its first steps tell what does not follow from it alone.
TEST(FollowingInputs, BeginAnewWithEveryBlock) {
  Following run;
  Encoder encoder(run.description, run.layout, everything());
  Block block;
  for (std::size_t i = 0; i < 6; ++i) encoder.step(run.view(i), {}, block);
  block.clear();
  encoder.step(run.view(6), {}, block);
  const std::string message(block.steps.records().substr(31));
  EXPECT_TRUE(has_field(message, step_field::images_begin));
  EXPECT_EQ(passes_with_inputs(message), 2);
  StepDecoder decoder = run.decoder();
  const auto step = run.decode(decoder, message, 6);
  ASSERT_TRUE(step);
  expect_same_passes(step->record, run.view(6));
}

// Steps that are missing, and those in brief, break the history for writer and reader alike.
TEST(FollowingInputs, BeginAnewBehindAGap) {
  Following run;
  Encoder encoder(run.description, run.layout, everything());
  StepDecoder decoder = run.decoder();
  Block block;
  std::size_t before = 0;
  for (const std::size_t i : {0UL, 1UL, 2UL, 5UL, 6UL, 7UL, 8UL}) {
    encoder.step(run.view(i), {.whole = i != 6}, block);
    const std::string message(block.steps.records().substr(before + 31));
    before = block.steps.records().size();
    EXPECT_EQ(has_field(message, step_field::images_begin), i == 0 || i == 5 || i == 7) << i;
    const auto step = run.decode(decoder, message, i);
    ASSERT_TRUE(step) << i;
    if (i != 6) expect_same_passes(step->record, run.view(i));
  }
}

// What cannot be worked out is not made up.
TEST(FollowingInputs, ThatCannotBeWorkedOutAreNotTold) {
  Following run;
  const auto messages = run.encode();
  StepDecoder decoder = run.decoder();
  ASSERT_TRUE(run.decode(decoder, messages[0], 0));
  EXPECT_FALSE(run.decode(decoder, messages[2], 2)) << "the step before it was not read";
  EXPECT_FALSE(run.decode(decoder, messages[3], 3)) << "nor do those after it begin anew";
  StepDecoder other = run.decoder();
  EXPECT_FALSE(run.decode(other, messages[1], 1));
}

TEST(Step, InBriefOnlyWhatWasSelected) {
  config::Record settings = everything();
  settings.inputs = {false, true};
  settings.states = {false};
  Record record(late(header_of(42), 5_us, io::Cause::device));
  StepDecoder decoder(shape_of_run(settings), clock_of_run);
  const Message start(record.view(), layout_of_run, signals_of_run,
                      {.whole = false, .inputs = true, .results = false}, settings);
  auto step = decoder.decode(mcap::bytes_of(start.bytes), start.time);
  ASSERT_TRUE(step);
  EXPECT_FALSE(step->whole);
  EXPECT_TRUE(step->inputs && step->counts && step->timing);
  EXPECT_FALSE(step->results);
  EXPECT_THAT(step->record.inputs(0), ElementsAre(0, input_of(42, 1)));
  EXPECT_THAT(step->record.image_counts(0), ElementsAre(count_of(42)));
  EXPECT_EQ(step->record.header().step, 42);
  EXPECT_EQ(step->record.header().lateness, 5_us);
  EXPECT_EQ(step->record.header().cause, io::Cause::device);
  EXPECT_EQ(step->record.header().passes, 2);
  const Message end(record.view(), layout_of_run, signals_of_run,
                    {.whole = false, .inputs = false, .results = true}, settings);
  step = decoder.decode(mcap::bytes_of(end.bytes), end.time);
  ASSERT_TRUE(step);
  EXPECT_FALSE(step->inputs || step->counts || step->timing);
  EXPECT_TRUE(step->results);
  EXPECT_THAT(step->record.outputs(), ElementsAre(output_of(42, 0), output_of(42, 1)));
  EXPECT_THAT(step->record.states(), ElementsAre(0)) << "not selected";
  EXPECT_EQ(step->record.header().step, 42);
  EXPECT_LT(end.bytes.size() + start.bytes.size(),
            Message(record.view(), layout_of_run, signals_of_run).bytes.size());
  const Message none(record.view(), layout_of_run, signals_of_run,
                     {.whole = false, .inputs = false, .results = false}, settings);
  EXPECT_EQ(none.bytes, "");
}

// Each part alone is the same as within the whole.
TEST(Step, PartsThatAreAskedForComeBack) {
  Busy busy;
  const Message message(busy.view(), busy.layout, busy.signals);
  const StepShape shape = shape_of(busy.layout, busy.signals, {}, everything());
  const auto bytes = mcap::bytes_of(message.bytes);
  StepDecoder inputs(shape, clock_of_run, {.inputs = true});
  StepDecoder counts(shape, clock_of_run, {.counts = true});
  StepDecoder timing(shape, clock_of_run, {.timing = true});
  StepDecoder results(shape, clock_of_run, {.results = true});
  for (StepDecoder* of : {&inputs, &counts, &timing, &results}) {
    const auto step = of->decode(bytes, message.time);
    ASSERT_TRUE(step);
    EXPECT_TRUE(step->whole && step->inputs && step->counts && step->timing && step->results)
        << "that it has them is told";
    EXPECT_EQ(step->record.header().step, 7);
    EXPECT_EQ(step->record.header().t, header_of(7).t);
    EXPECT_EQ(step->record.header().passes, 4);
  }
  expect_same_bits(inputs.decode(bytes, message.time)->record.inputs(0), busy.view().inputs(0),
                   "inputs");
  const auto counted = counts.decode(bytes, message.time);
  EXPECT_THAT(counted->record.image_counts(counted->record.tick_image()),
              ElementsAre(4'000'000'000U, 7U));
  const auto timed = timing.decode(bytes, message.time);
  EXPECT_EQ(timed->record.header().phases, header_of(7).phases);
  EXPECT_EQ(timed->record.header().lateness, header_of(7).lateness);
  const auto ended = results.decode(bytes, message.time);
  expect_same_bits(ended->record.outputs(), busy.view().outputs(), "outputs");
  expect_same_bits(ended->record.states(), busy.view().states(), "states");
  // Of the others nothing is left from a step before.
  EXPECT_THAT(ended->record.inputs(0), ElementsAre(0, 0));
  EXPECT_THAT(timed->record.states(), ElementsAre(0, 0));
  EXPECT_EQ(ended->record.header().phases, io::FrameHeader{}.phases);
}

TEST(Step, PartsThatAreNotAskedForAreNotLookedAt) {
  Busy busy;
  Message message(busy.view(), busy.layout, busy.signals);
  pbf_writer out(message.bytes);
  out.add_string(step_field::phases, "\x09\x01");  // cut
  out.add_string(step_field::images, "\x09\x01");
  out.add_double(13, 1);  // a lateness of another type
  const StepShape shape = shape_of(busy.layout, busy.signals, {}, everything());
  const auto read = [&](const StepParts& asked) {
    StepDecoder decoder(shape, clock_of_run, asked);
    return decoder.decode(mcap::bytes_of(message.bytes), message.time).has_value();
  };
  EXPECT_TRUE(read({.inputs = true, .results = true}));
  EXPECT_TRUE(read({}));
  EXPECT_FALSE(read({.whole = true}));
  EXPECT_FALSE(read({.timing = true}));
}

TEST(Step, SignalsOfAnotherOrderComeBack) {
  Record record(header_of(3));
  const Message usual(record.view(), layout_of_run, signals_of_run);
  StepDecoder decoder(shape_of_run(), clock_of_run);
  const auto read = [&](std::uint32_t first, std::uint32_t second) {
    std::string bytes = usual.bytes;
    pbf_writer out(bytes);
    {
      pbf_writer outputs(out, step_field::outputs);  // as long as usual
      outputs.add_double(first, 10);
      outputs.add_double(second, 20);
    }
    const auto step = decoder.decode(mcap::bytes_of(bytes), usual.time);
    return step ? std::vector<double>(step->record.outputs().begin(), step->record.outputs().end())
                : std::vector<double>{};
  };
  EXPECT_THAT(read(1, 2), ElementsAre(10, 20));
  EXPECT_THAT(read(2, 1), ElementsAre(20, 10));
  EXPECT_THAT(read(1, 3), ElementsAre(10, 0)) << "there is no third";
  EXPECT_THAT(read(4, 2), ElementsAre(0, 20));
}

// By a program that knows more causes, more phases, more fields, and writes them in another order.
TEST(Step, WhatIsNotKnownIsLeftAlone) {
  Record record(header_of(3));
  const Message usual(record.view(), layout_of_run, signals_of_run);
  std::string other;
  pbf_writer out(other);
  out.add_int64(16, 99);        // a cause of the future
  out.add_string(900, "news");  // a field of it
  out.add_sfixed64(901, -1);
  other += usual.bytes;
  {
    pbf_writer phases(out, step_field::phases);
    phases.add_sfixed64(60, 17);
  }
  StepDecoder decoder(shape_of_run(), clock_of_run);
  const auto step = decoder.decode(mcap::bytes_of(other), usual.time);
  ASSERT_TRUE(step);
  io::FrameHeader expected = header_of(3);
  EXPECT_EQ(step->record.header().cause, io::Cause::unknown);
  EXPECT_EQ(step->record.header().phases, expected.phases);
  EXPECT_THAT(step->record.states(), ElementsAre(state_of(3)));
}

TEST(Step, BytesThatAreNoStepAreRefused) {
  Record record(header_of(3));
  const Message good(record.view(), layout_of_run, signals_of_run);
  StepDecoder decoder(shape_of_run(), clock_of_run);
  ASSERT_TRUE(decoder.decode(mcap::bytes_of(good.bytes), good.time));
  // Cut within a field it is none; cut between two it is a step that lacks some.
  std::size_t refused = 0;
  for (std::size_t cut = 1; cut < good.bytes.size(); ++cut) {
    refused += decoder.decode(mcap::bytes_of(good.bytes).first(cut), good.time) ? 0U : 1U;
  }
  EXPECT_GT(refused, good.bytes.size() / 2);
  const auto with = [&](auto write) {
    std::string bytes = good.bytes;
    pbf_writer out(bytes);
    write(out);
    return decoder.decode(mcap::bytes_of(bytes), good.time).has_value();
  };
  EXPECT_TRUE(with([](pbf_writer&) {}));
  EXPECT_FALSE(with([](pbf_writer& out) { out.add_sfixed64(4, INT64_MAX); })) << "a time";
  EXPECT_FALSE(with([](pbf_writer& out) { out.add_sfixed64(1, INT64_MIN); })) << "a frame";
  EXPECT_FALSE(with([](pbf_writer& out) { out.add_double(3, 1); })) << "a span of another type";
  EXPECT_FALSE(with([](pbf_writer& out) { out.add_string(step_field::phases, "\x09\x01"); }));
  EXPECT_FALSE(with([](pbf_writer& out) { out.add_string(step_field::states, "\x0b"); }));
  EXPECT_FALSE(decoder.decode(mcap::bytes_of(good.bytes), UINT64_MAX / 2)) << "due when?";
  EXPECT_TRUE(with([](pbf_writer& out) { out.add_string(step_field::states, "\x08\x05"); }))
      << "a state of another type is not known";
}

// A log may say that no step has a pass, and bring inputs all the same.
TEST(Step, InputsWithoutAPassAreNone) {
  Record record(header_of(3));
  const Message good(record.view(), layout_of_run, signals_of_run);
  StepShape shape = shape_of_run();
  shape.passes = 0;
  StepDecoder decoder(shape, clock_of_run);
  const auto step = decoder.decode(mcap::bytes_of(good.bytes), good.time);
  ASSERT_TRUE(step);
  EXPECT_FALSE(step->inputs);
  EXPECT_EQ(step->record.header().passes, 0);
}

TEST(Step, ManySignalsPassByTheNumbersThatNobodyMayUse) {
  for (const std::size_t i : {0UL, 18'998UL, 18'999UL, 60'000UL}) {
    const std::uint32_t number = step_field::number_of(i);
    EXPECT_TRUE(number < 19'000 || number > 19'999) << i;
    EXPECT_EQ(step_field::index_of(number), i);
  }
}

TEST(Step, OneThatDoesNotSayWhichItIsIsNone) {
  Record record(header_of(3));
  const Message good(record.view(), layout_of_run, signals_of_run);
  StepDecoder decoder(shape_of_run(), clock_of_run);
  EXPECT_FALSE(decoder.decode({}, good.time));
  const auto without_frame = mcap::bytes_of(good.bytes).subspan(9);
  EXPECT_FALSE(decoder.decode(without_frame, good.time));
}

// Of shapes without passes or images: nothing beside the record is touched.
TEST(Step, MoreThanTheShapeHasRoomForIsNotLookedAt) {
  Busy busy;
  const Message message(busy.view(), busy.layout, busy.signals);
  for (const std::size_t passes : {0UL, 1UL}) {
    for (const std::size_t images : {0UL, 1UL}) {
      StepShape shape = shape_of(busy.layout, busy.signals, {}, everything());
      shape.passes = passes;
      shape.images = images;
      StepDecoder decoder(shape, clock_of_run);
      const auto step = decoder.decode(mcap::bytes_of(message.bytes), message.time);
      ASSERT_TRUE(step);
      EXPECT_EQ(step->inputs, passes > 0);
      EXPECT_EQ(step->counts, images > 0);
      expect_same_bits(step->record.states(), busy.view().states(), "states");
    }
  }
}

TEST(Step, MoreOfAnythingThanThereIsRoomForIsLeftOut) {
  Record record(header_of(3));
  const Message good(record.view(), layout_of_run, signals_of_run);
  std::string bytes = good.bytes;
  pbf_writer out(bytes);
  for (int i = 0; i < 20; ++i) {
    out.add_string(step_field::passes, "");
    out.add_string(step_field::images, "");
  }
  std::string wide;
  pbf_writer(wide).add_double(3, 17);  // there are two outputs
  out.add_string(step_field::outputs, wide);
  StepDecoder decoder(shape_of_run(), clock_of_run);
  const auto step = decoder.decode(mcap::bytes_of(bytes), good.time);
  ASSERT_TRUE(step);
  EXPECT_EQ(step->record.header().passes, 2);
  EXPECT_EQ(step->record.header().images, 21) << "that it has only one of them is its layout's";
  EXPECT_THAT(step->record.inputs(1), ElementsAre(input_of(3, 0) + 1, input_of(3, 1)));
}

TEST(StepShape, ComesBack) {
  config::Record settings = everything();
  settings.outputs = {true, false};
  const StepShape shape = shape_of_run(settings);
  const auto read = shape_from_json(to_json(shape));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->passes, 2U);
  EXPECT_EQ(read->images, 1U);
  EXPECT_EQ(read->sampled, 2U);
  EXPECT_EQ(read->outputs.signals, signals_of_run.outputs);
  EXPECT_THAT(read->outputs.fields, ElementsAre("speed", "_2nd_odd"));
  EXPECT_THAT(read->outputs.selected, ElementsAre(true, false));
  EXPECT_EQ(read->counts.signals, signals_of_run.counts);
  EXPECT_EQ(read->layout().bytes(), layout_of_run.bytes());
}

TEST(StepShape, RefusesWhatCannotBe) {
  const json::value good = json::parse(to_json(shape_of_run()));
  const auto error = [&](const char* key, json::value value) {
    json::object bad = good.as_object();
    bad[key] = std::move(value);
    const auto read = shape_from_json(json::serialize(bad));
    return read ? std::string("accepted") : read.error().message;
  };
  EXPECT_EQ(error("more", 1), "accepted");
  EXPECT_THAT(error("passes", 100'000), HasSubstr("\"passes\""));
  EXPECT_THAT(error("images", -1), HasSubstr("\"images\""));
  EXPECT_THAT(error("sampled", "2"), HasSubstr("\"sampled\""));
  EXPECT_THAT(error("sampled", 1), HasSubstr("fewer values are read"));
  EXPECT_THAT(error("inputs", 1), HasSubstr("\"inputs\""));
  EXPECT_THAT(error("outputs", json::array{1}), HasSubstr("\"outputs\""));
  EXPECT_THAT(error("states", json::array{json::object{{"name", 1}}}), HasSubstr("\"states\""));
  EXPECT_THAT(error("sampled", 60'000'000), HasSubstr("values are read for 2 inputs"));
  EXPECT_THAT(shape_from_json("{").error().message, HasSubstr("not JSON"));
  EXPECT_THAT(shape_from_json("[]").error().message, HasSubstr("not JSON"));
}

}  // namespace
}  // namespace hild::framelog
