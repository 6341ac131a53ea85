// SPDX-License-Identifier: Apache-2.0
/// \file
/// What hild and a model's process send one another: it arrives as it was, and what is anything
/// else is refused.
#include <gmock/gmock.h>

#include <cstring>
#include <random>

#include "foreign/contain/child.hpp"
#include "foreign/contain/described.hpp"
#include "foreign/contain/task.hpp"
#include "foreign/examine/examination.hpp"
#include "foreign/plugin/load.hpp"
#include "foreign/remote/shared.hpp"
#include "hild/model/registry.hpp"
#include "hild/numerics/methods.hpp"

namespace hild::testing {
namespace {

using contain::Described;
using contain::Recipe;
using contain::Task;
using ::testing::HasSubstr;

Task task() {
  Task t{.work = contain::Work::examine,
         .recipe = {.from = Recipe::From::fmu, .where = "/tmp/a folder"},
         .way = &numerics::rk4,
         .sizes = {.states = 1, .inputs = 2, .outputs = 3, .events = 4, .said = 5},
         .priority = 80,
         .cpu = 1,
         .parameters = {0.1, -2},
         .initial = {3},
         .frame = 250_us,
         .steps = 7};
  t.recipe.options = {.kind = fmu::Kind::co_simulation,
                      .caps = {.step_parts = {3, false}},
                      .differences = true,
                      .structure = {{"n", 4}, {"m", 9}},
                      .step = 0.5};
  t.recipe.found =
      fmu::Found{.states = {model::State{.name = "", .start = 2, .nominal = 4}}, .jacobian = {}};
  return t;
}

TEST(Task, ArrivesAsItWasSent) {
  const Task sent = task();
  const auto came = contain::unpacked(contain::packed(sent));
  ASSERT_TRUE(came) << came.error().message;
  EXPECT_EQ(came->work, sent.work);
  EXPECT_EQ(came->recipe.from, sent.recipe.from);
  EXPECT_EQ(came->recipe.where, sent.recipe.where);
  EXPECT_EQ(came->recipe.options.kind, fmu::Kind::co_simulation);
  EXPECT_EQ(came->recipe.options.caps.step_parts.most, 3);
  EXPECT_FALSE(came->recipe.options.caps.step_parts.stop);
  EXPECT_TRUE(came->recipe.options.differences);
  EXPECT_EQ(came->recipe.options.structure, sent.recipe.options.structure);
  EXPECT_EQ(came->recipe.options.step, 0.5);
  EXPECT_EQ(came->recipe.found->states[0].start, 2);
  EXPECT_EQ(came->recipe.found->states[0].nominal, 4);
  EXPECT_EQ(std::get<const numerics::Method*>(came->way.value())->name, "rk-4");
  EXPECT_EQ(came->sizes, sent.sizes);
  EXPECT_EQ(came->priority, 80);
  EXPECT_EQ(came->cpu, 1);
  EXPECT_EQ(came->parameters, sent.parameters);
  EXPECT_EQ(came->initial, sent.initial);
  EXPECT_EQ(came->frame, sent.frame);
  EXPECT_EQ(came->steps, 7);
}

TEST(Task, KeepsThePartsOfAMultirateMethod) {
  const auto rates = model::by_rates({{&numerics::ab2, 10}, {&numerics::forward_euler, 1}},
                                     model::Interface::extrapolate);
  const auto came = contain::unpacked(contain::packed({.way = rates}));
  ASSERT_TRUE(came) << came.error().message;
  EXPECT_TRUE(model::same(std::get<model::Multirate>(came->way.value()), rates));
}

TEST(Task, ThatBreaksOffOrIsOfAnotherBuildIsRefused) {
  const std::string whole = contain::packed(task());
  for (std::size_t n = 0; n < whole.size(); ++n)
    EXPECT_FALSE(contain::unpacked(whole.substr(0, n)));
  EXPECT_FALSE(contain::unpacked(whole + "x"));
  std::string other = whole;
  other[8] = 'H';  // after the length of it: what it was built from
  const auto came = contain::unpacked(other);
  ASSERT_FALSE(came);
  EXPECT_THAT(came.error().message, ::testing::HasSubstr("another build"));
}

std::string packed(const model::Description& d) {
  contain::Packer to;
  Described::pack(d, to);
  return to.bytes();
}

bool accepted(const std::string& bytes) {
  contain::Unpacker from(bytes);
  return Described::unpack(from) && from.done();
}

TEST(Described, IsAsItWasOfEveryModelThereIs) {
  for (const auto* r : model::models()) {
    const std::string sent = packed(r->description);
    contain::Unpacker from(sent);
    const auto came = Described::unpack(from);
    ASSERT_TRUE(came) << r->description.name << ": " << came.error().message;
    EXPECT_TRUE(from.done());
    EXPECT_EQ(packed((*came)->description()), sent) << r->description.name;
  }
}

TEST(Described, ThatBreaksOffIsRefused) {
  const std::string whole = packed(model::find_model("oscillator-line")->description);
  for (std::size_t n = 0; n < whole.size(); n += n < 200 ? 1 : 17) {
    EXPECT_FALSE(accepted(whole.substr(0, n))) << n;
  }
}

// Bytes as they come: refused or a sound description, within the memory that they take themselves.
TEST(Described, OfAnyBytesIsRefusedOrSound) {
  const std::string whole = packed(model::find_model("bouncing-ball")->description);
  std::minstd_rand random(1);
  for (int n = 0; n < 2000; ++n) {
    std::string bytes = whole;
    for (int k = 0; k < 1 + n % 4; ++k) {
      bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
    }
    static_cast<void>(accepted(bytes));
  }
  std::string huge = whole;
  std::memset(huge.data(), 0xff, 8);  // the length of its name
  EXPECT_FALSE(accepted(huge));
}

// Room is reserved by it.
TEST(Described, OfABandBeyondAllStatesIsRefused) {
  model::Description d = model::find_model("bouncing-ball")->description;
  d.structure = numerics::banded(2, 1);
  EXPECT_TRUE(accepted(packed(d)));
  for (const std::size_t wide : {d.states.size() + 1, ~std::size_t{0}}) {
    d.structure = numerics::banded(wide, 1);
    EXPECT_FALSE(accepted(packed(d)));
    d.structure = numerics::banded(1, wide);
    EXPECT_FALSE(accepted(packed(d)));
  }
}

TEST(Described, KeepsThePatternOfItsStructure) {
  model::Description d = model::find_model("bouncing-ball")->description;
  const numerics::Pattern pattern(d.states.size(), {{1, 0}, {0, 1}});
  d.structure = numerics::sparse(pattern);
  const std::string sent = packed(d);
  contain::Unpacker from(sent);
  const auto came = Described::unpack(from);
  ASSERT_TRUE(came) << came.error().message;
  const numerics::Structure& structure = (*came)->description().structure;
  ASSERT_NE(structure.pattern, nullptr);
  EXPECT_EQ(structure.pattern->places(), pattern.places());
  EXPECT_FALSE(structure.dense);
}

// Elements are numbered by it.
TEST(Described, OfAPatternThatDoesNotFitIsRefused) {
  model::Description d = model::find_model("bouncing-ball")->description;
  const numerics::Pattern beyond(d.states.size(), {{0, d.states.size()}});
  d.structure = numerics::sparse(beyond);
  const auto refused = plugin::check_description(d);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("row 0 and column 2, with 2 states"));
  const numerics::Pattern larger(d.states.size() + 1, {{0, 0}});
  d.structure = numerics::sparse(larger);
  const auto other = plugin::check_description(d);
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("3 rows and columns, with 2 states"));
}

// Its names go to terminals and into logs.
TEST(Described, WithControlCharactersIsRefused) {
  model::Description d = model::find_model("bouncing-ball")->description;
  EXPECT_TRUE(accepted(packed(d)));
  d.summary = "red: \x1b[31m";
  EXPECT_FALSE(accepted(packed(d)));
  d.summary =
      "c1: \xc2\x9b"
      "31m";
  EXPECT_FALSE(accepted(packed(d)));
}

TEST(Plain, HasNoControlCharactersAndABound) {
  EXPECT_EQ(contain::plain("a\x1b[1m\rb\nc"), "a [1m b\nc");
  EXPECT_EQ(contain::plain(std::string(10'000, 'x')).size(), 2000U);
}

// ---- what an examined model's process leaves ----------------------------------------------------

using examine::Examination;
using Left = std::array<std::byte, sizeof(Examination)>;

TEST(Examination, OfAnHonestProcessIsWhatItLeft) {
  Examination seen;
  seen.seen[2].calls = 12;
  seen.seen[2].not_finite = 1;
  seen.seen[2].heap_late = true;
  seen.seen[2].where = Name("speed");
  seen.chattering = Name("bounce");
  seen.worst_passes = 3_us;
  seen.end = examine::End::exited;
  seen.last = examine::Function::on_event;
  seen.heap_observed = true;
  std::ranges::copy(std::string_view("fmi3DoStep"), seen.failed.begin());
  Left left{};
  std::memcpy(left.data(), &seen, sizeof seen);
  const Examination e = examine::within_bounds(left);
  EXPECT_EQ(e.seen[2].calls, 12);
  EXPECT_TRUE(e.seen[2].heap_late);
  EXPECT_EQ(e.seen[2].where.view(), "speed");
  EXPECT_EQ(e.chattering.view(), "bounce");
  EXPECT_EQ(e.worst_passes, 3_us);
  EXPECT_EQ(e.end, examine::End::exited);
  EXPECT_EQ(e.last, examine::Function::on_event);
  EXPECT_TRUE(e.heap_observed);
  EXPECT_FALSE(e.system_observed);
  EXPECT_STREQ(e.failed.data(), "fmi3DoStep");
}

TEST(Examination, OfAnyBytesIsWithinItsBounds) {
  std::minstd_rand random(7);
  for (int n = 0; n < 1000; ++n) {
    Left left{};
    for (std::byte& b : left) b = static_cast<std::byte>(n == 0 ? 0xff : random() % 256);
    const Examination e = examine::within_bounds(left);
    EXPECT_LE(e.end, examine::End::hung);
    EXPECT_LT(static_cast<std::size_t>(e.last), examine::functions);
    EXPECT_EQ(e.failed.back(), '\0');
    for (const examine::Seen& s : e.seen) {
      EXPECT_GE(s.calls, 0);
      EXPECT_GE(s.worst.ns, 0);
      for (const char c : s.where.view()) EXPECT_TRUE(c >= ' ' && c <= '~');
    }
    static_cast<void>(examine::findings(e));  // and can be told
  }
}

TEST(Examination, OfSeveralIsWhatTheyDoInAll) {
  Examination one;
  one.seen[0].calls = 3;
  one.seen[0].worst = 5_us;
  one.seen[0].heap = 1;
  one.worst_passes = 10_us;
  Examination other;
  other.seen[0].calls = 4;
  other.seen[0].worst = 7_us;
  other.worst_passes = 1_us;
  other.events_in_a_row = 60;
  other.chattering = Name("bounce");
  const std::array both{examine::Examined{&one, 1}, examine::Examined{&other, 4}};
  const Examination all = examine::together(both);
  EXPECT_EQ(all.seen[0].calls, 7);
  EXPECT_EQ(all.seen[0].worst, 7_us);
  EXPECT_EQ(all.seen[0].heap, 1);
  EXPECT_EQ(all.worst_passes, 14_us);
  EXPECT_EQ(all.chattering.view(), "bounce");
}

// Its memory is shared by the places that a structure has, and of very many states by none.
TEST(Wire, HasNoRoomForADenseJacobianOfTooManyStates) {
  const std::vector<model::State> states(4097, model::State{"x"});
  model::Description d;
  d.states = std::span(states).first(4096);
  EXPECT_EQ(remote::sizes_of(d).jacobian, std::size_t{4096} * 4096);
  d.states = states;
  EXPECT_EQ(remote::sizes_of(d).jacobian, 0U);
  d.structure = numerics::tridiagonal;
  EXPECT_EQ(remote::sizes_of(d).jacobian, 3U * 4097);
}

}  // namespace
}  // namespace hild::testing
