// SPDX-License-Identifier: Apache-2.0
/// \file
/// Frames of programs with other fields are read by their table.
#include "framelog/frame_table.hpp"

#include <gmock/gmock.h>

#include <boost/json.hpp>

#include "runs.hpp"

namespace hild::framelog {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;

std::span<const std::byte> as_bytes(const std::string& text) { return mcap::bytes_of(text); }

template <class Number>
void put(std::string& record, std::size_t at, Number n) {
  std::memcpy(record.data() + at, &n, sizeof n);
}

TEST(FrameTable, NamesWhatIsWhere) {
  const json::value table = json::parse(frame_table(layout_of_run, signals_of_run));
  EXPECT_EQ(table.at("bytes").to_number<std::size_t>(), layout_of_run.bytes());
  EXPECT_EQ(table.at_pointer("/passes/count"), 2);
  EXPECT_EQ(table.at_pointer("/outputs/signals/0/name"), "speed");
  EXPECT_EQ(table.at_pointer("/outputs/signals/0/unit"), "rad/s");
  // By the table alone, the way another program would.
  Record record(late(header_of(42), 5_us, io::Cause::state_event));
  std::string stored(layout_of_run.bytes(), '\0');
  FrameStore(layout_of_run).store(record.view(), reinterpret_cast<std::byte*>(stored.data()));
  const auto at = [&](std::string_view name) {
    for (const auto& field : table.at("header").as_array()) {
      if (field.at("name").as_string() == name) return field.at("offset").to_number<std::size_t>();
    }
    ADD_FAILURE() << name;
    return std::size_t{0};
  };
  std::int64_t n = 0;
  std::memcpy(&n, stored.data() + at("step"), 8);
  EXPECT_EQ(n, 42);
  std::memcpy(&n, stored.data() + at("lateness"), 8);
  EXPECT_EQ(n, 5000);
  std::memcpy(&n, stored.data() + at("phases") + 8 * 2, 8);
  EXPECT_EQ(n, 3000);
  EXPECT_EQ(stored[at("cause")], 5) << "the place of state_event among the labels";
  double x = 0;
  std::memcpy(&x, stored.data() + table.at_pointer("/states/offset").to_number<std::size_t>(), 8);
  EXPECT_EQ(x, state_of(42));
  const auto stride = table.at_pointer("/passes/stride").to_number<std::size_t>();
  const auto first = table.at_pointer("/passes/offset").to_number<std::size_t>();
  std::memcpy(&x, stored.data() + first + stride + 16 + 8, 8);
  EXPECT_EQ(x, input_of(42, 1)) << "the second input of the second pass";
}

TEST(FrameTable, WhatIsStoredComesBack) {
  auto decoder = FrameDecoder::make(frame_table(layout_of_run, signals_of_run));
  ASSERT_TRUE(decoder) << decoder.error().message;
  Record record(late(header_of(42), 5_us, io::Cause::late_wake));
  std::string stored(layout_of_run.bytes(), '\0');
  FrameStore(layout_of_run).store(record.view(), reinterpret_cast<std::byte*>(stored.data()));
  const std::byte* const decoded = decoder->decode(as_bytes(stored));
  ASSERT_NE(decoded, nullptr);
  const io::FrameView view(decoder->layout(), decoded);
  EXPECT_EQ(view.header().step, 42);
  EXPECT_EQ(view.header().cause, io::Cause::late_wake);
  EXPECT_EQ(view.header().phases, header_of(42).phases);
  EXPECT_EQ(view.sampled(1), record.view().sampled(1));
  EXPECT_EQ(view.cost(0), Duration{77});
  EXPECT_THAT(view.inputs(1), ElementsAre(input_of(42, 0) + 1, input_of(42, 1)));
  EXPECT_THAT(view.states(), ElementsAre(state_of(42)));
}

TEST(FrameTable, RawCountsComeBackWhole) {
  auto decoder = FrameDecoder::make(frame_table(layout_of_run, signals_of_run));
  ASSERT_TRUE(decoder) << decoder.error().message;
  EXPECT_EQ(decoder->signals().counts, signals_of_run.counts);
  Record record(header_of(7));
  std::string stored(layout_of_run.bytes(), '\0');
  FrameStore(layout_of_run).store(record.view(), reinterpret_cast<std::byte*>(stored.data()));
  const std::byte* const decoded = decoder->decode(as_bytes(stored));
  ASSERT_NE(decoded, nullptr);
  const io::FrameView view(decoder->layout(), decoded);
  EXPECT_THAT(view.image_counts(0), ElementsAre(count_of(7)));
  EXPECT_THAT(view.image(0), ElementsAre(input_of(7, 0), input_of(7, 1)));
}

// As of format 1: the images hold values alone.
TEST(FrameTable, ImagesWithoutCountsAreRead) {
  json::value table = json::parse(frame_table(layout_of_run, signals_of_run));
  table.at_pointer("/images/fields").as_array().pop_back();
  auto decoder = FrameDecoder::make(json::serialize(table));
  ASSERT_TRUE(decoder) << decoder.error().message;
  EXPECT_EQ(decoder->layout().counted(), 0U);
  Record record(header_of(7));
  std::string stored(layout_of_run.bytes(), '\0');
  FrameStore(layout_of_run).store(record.view(), reinterpret_cast<std::byte*>(stored.data()));
  const std::byte* const decoded = decoder->decode(as_bytes(stored));
  ASSERT_NE(decoded, nullptr);
  EXPECT_THAT(io::FrameView(decoder->layout(), decoded).image(0),
              ElementsAre(input_of(7, 0), input_of(7, 1)));
}

// Another program's: other places, a narrower number, causes and phases in another order, a field
// it lacks, one that this program does not know.
TEST(FrameTable, AnotherLayoutIsBroughtIntoThisOne) {
  const std::string table = R"({"byte_order": "little", "bytes": 64,
    "header": [
      {"name": "span", "type": "int32", "offset": 0},
      {"name": "temperature", "type": "float32", "offset": 4},
      {"name": "step", "type": "int32", "offset": 8},
      {"name": "cause", "type": "uint8", "offset": 12,
       "labels": ["none", "device", "gremlins"]},
      {"name": "late_wake", "type": "uint8", "offset": 13},
      {"name": "passes", "type": "uint8", "offset": 14},
      {"name": "phases", "type": "int32", "offset": 16, "count": 3,
       "labels": ["idle", "naps", "wake"]}],
    "passes": {"offset": 32, "stride": 8, "count": 1, "fields": [
      {"name": "inputs", "type": "float64", "offset": 0, "signals": [{"name": "u", "unit": "V"}]}]},
    "outputs": {"offset": 40, "type": "float64", "signals": []},
    "states": {"offset": 48, "type": "float64", "signals": [{"name": "x", "unit": "m"}]}})";
  auto decoder = FrameDecoder::make(table);
  ASSERT_TRUE(decoder) << decoder.error().message;
  std::string stored(64, '\x7f');
  put(stored, 0, std::int32_t{3});
  put(stored, 8, std::int32_t{-5});
  stored[12] = 1;
  stored[13] = 9;
  stored[14] = 1;
  put(stored, 16, std::int32_t{100});
  put(stored, 24, std::int32_t{-7});
  put(stored, 32, 1.5);
  put(stored, 48, 2.5);
  const std::byte* decoded = decoder->decode(as_bytes(stored));
  ASSERT_NE(decoded, nullptr);
  const io::FrameView view(decoder->layout(), decoded);
  const io::FrameHeader& h = view.header();
  EXPECT_EQ(h.span, 3);
  EXPECT_EQ(h.step, -5) << "widened with its sign";
  EXPECT_EQ(h.cause, io::Cause::device) << "by name, not by number";
  EXPECT_TRUE(h.late_wake);
  EXPECT_EQ(h.phases[static_cast<std::size_t>(io::Phase::idle)], Duration{100});
  EXPECT_EQ(h.phases[static_cast<std::size_t>(io::Phase::wake)], Duration{-7});
  EXPECT_EQ(h.phases[static_cast<std::size_t>(io::Phase::device)], Duration{});
  EXPECT_EQ(h.mark, 0U) << "absent: the default";
  EXPECT_THAT(view.inputs(0), ElementsAre(1.5));
  EXPECT_THAT(view.states(), ElementsAre(2.5));
  stored[12] = 2;
  decoded = decoder->decode(as_bytes(stored));
  EXPECT_EQ(io::FrameView(decoder->layout(), decoded).header().cause, io::Cause::unknown);
  stored[12] = 77;
  decoded = decoder->decode(as_bytes(stored));
  EXPECT_EQ(io::FrameView(decoder->layout(), decoded).header().cause, io::Cause::unknown);
  EXPECT_EQ(decoder->decode(as_bytes(stored).first(63)), nullptr);
}

TEST(FrameTable, RefusesTablesThatContradictThemselves) {
  json::value good = json::parse(frame_table(layout_of_run, signals_of_run));
  const auto error = [&](const char* pointer, json::value value) {
    json::value bad = good;
    bad.at_pointer(pointer) = std::move(value);
    const auto made = FrameDecoder::make(json::serialize(bad));
    return made ? std::string("accepted") : made.error().message;
  };
  EXPECT_THAT(error("/byte_order", "big"), HasSubstr("little-endian"));
  EXPECT_THAT(error("/bytes", 16), HasSubstr("behind the end"));
  EXPECT_THAT(error("/bytes", -1), HasSubstr("\"bytes\" is no number"));
  EXPECT_THAT(error("/header/0/type", "int128"), HasSubstr("\"int128\" is no type"));
  EXPECT_THAT(error("/header/0/offset", 1 << 25), HasSubstr("behind the end"));
  EXPECT_THAT(error("/header", 1), HasSubstr("\"header\" is no list"));
  EXPECT_THAT(error("/passes/count", 100'000), HasSubstr("too many passes"));
  EXPECT_THAT(error("/passes/stride", 1 << 25), HasSubstr("behind the end"));
  EXPECT_THAT(error("/images/fields/3/type", "int8"), HasSubstr("not of type uint32"));
  EXPECT_THAT(error("/outputs/signals/0", "x"), HasSubstr("a signal is no object"));
  EXPECT_THAT(error("/outputs/offset", 1 << 25), HasSubstr("behind the end"));
  EXPECT_THAT(FrameDecoder::make("{").error().message, HasSubstr("not JSON"));
  EXPECT_THAT(FrameDecoder::make("{}").error().message, HasSubstr("there is no \"byte_order\""));
}

TEST(FrameTable, TimesThatCannotBeAreNoFrame) {
  auto decoder = FrameDecoder::make(frame_table(layout_of_run, signals_of_run));
  ASSERT_TRUE(decoder);
  io::FrameHeader h = header_of(0);
  h.deadline.ns = INT64_MAX;
  Record record(h);
  std::string stored(layout_of_run.bytes(), '\0');
  FrameStore(layout_of_run).store(record.view(), reinterpret_cast<std::byte*>(stored.data()));
  EXPECT_EQ(decoder->decode(as_bytes(stored)), nullptr);
}

}  // namespace
}  // namespace hild::framelog
