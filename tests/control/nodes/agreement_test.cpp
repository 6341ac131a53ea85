// SPDX-License-Identifier: Apache-2.0
/// \file
/// Members that hear of one another by a network that the test plays: late, out of order, or not at
/// all. Time is counted by the test.
#include "control/nodes/agreement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>

namespace hild::nodes {
namespace {

using namespace std::literals;

using State = Round::State;
using testing::HasSubstr;

constexpr Duration often = 50_ms;
constexpr std::int64_t epoch = 1'800'000'000'000'000'000;  // of TAI, when the test begins
constexpr Duration lease = 3_s;                            // after which a silent node is not here

/// A node, as its run and its gateway have it.
struct Member {
  Name name;
  Agreement agreement;
  Self self{.may_arm = true};
  std::int64_t tai_off = 0;  // of its clock
  bool runs = true;          // else nothing is heard of it
  std::optional<std::int64_t> begin{};
  int armings = 0;
  int disarmings = 0;
};

/// All of them, and what is under way between them.
class Players {
 public:
  explicit Players(const std::vector<Name>& names) {
    for (const Name& name : names) all_.push_back({name, Agreement(name.view(), names)});
  }

  Member& operator[](std::string_view name) {
    return *std::ranges::find_if(all_, [&](const Member& m) { return m.name == name; });
  }
  [[nodiscard]] std::vector<Member>& all() { return all_; }
  [[nodiscard]] Now now_of(const Member& member) const {
    return {now_, epoch + now_.ns + member.tai_off};
  }
  [[nodiscard]] Now now() const { return {now_, epoch + now_.ns}; }

  /// How long what `from` says takes to `to`; none: it is lost.
  using Network = std::function<std::optional<Duration>(const Member& from, const Member& to)>;
  Network network = [](const Member&, const Member&) { return Duration{1'000'000}; };

  /// Each looks once.
  void turn() {
    now_ = now_ + often;
    for (Member& member : all_) {
      if (member.runs) look(member);
    }
  }
  /// Whether it comes true within so many seconds.
  template <class Condition>
  [[nodiscard]] bool within(int seconds, Condition condition) {
    for (int turns = seconds * 20; turns > 0 && !condition(); --turns) turn();
    return condition();
  }
  void pass(int seconds) {
    for (int turns = seconds * 20; turns > 0; --turns) turn();
  }
  [[nodiscard]] bool all_have_begun() {
    return std::ranges::all_of(all_, [](const Member& m) { return m.begin.has_value(); });
  }
  [[nodiscard]] std::size_t armed() {
    return static_cast<std::size_t>(
        std::ranges::count_if(all_, [](const Member& m) { return m.self.armed; }));
  }

 private:
  struct Letter {
    MonoTime comes{};
    io::NodeWords words{};
  };
  struct Wire {
    std::vector<Letter> under_way{};
    io::NodeWords heard{};
    MonoTime at{};
    bool ever = false;
  };

  void look(Member& member) {
    std::vector<io::Peer> peers;
    for (const Member& other : all_) {
      if (&other == &member) continue;
      Wire& wire = wires_[{std::string(other.name.view()), std::string(member.name.view())}];
      for (const Letter& letter : wire.under_way) {
        if (letter.comes > now_) continue;
        wire.heard = letter.words;  // in any order
        wire.at = now_;
        wire.ever = true;
      }
      std::erase_if(wire.under_way, [&](const Letter& letter) { return letter.comes <= now_; });
      if (wire.ever) peers.push_back({other.name, now_ - wire.at < lease, wire.heard});
    }
    const Orders orders = member.agreement.look(member.self, std::move(peers), now_of(member));
    if (orders.begin) member.begin = *orders.begin - member.tai_off;
    EXPECT_FALSE(orders.arm && orders.disarm);
    if (orders.arm) {
      EXPECT_FALSE(orders.why.empty());
      member.self.armed = true;
      ++member.armings;
    }
    if (orders.disarm) {
      member.self.armed = false;
      ++member.disarmings;
    }
    for (const Member& other : all_) {
      if (&other == &member) continue;
      const auto delay = network(member, other);
      if (!delay) continue;
      wires_[{std::string(member.name.view()), std::string(other.name.view())}].under_way.push_back(
          {now_ + *delay, member.agreement.words()});
    }
  }

  MonoTime now_{1'000'000'000};
  std::vector<Member> all_;
  std::map<std::pair<std::string, std::string>, Wire> wires_;
};

const std::vector<Name> names_of_three{"motor"sv, "load"sv, "controller"sv};

Players three() { return Players(names_of_three); }

Players three_that_run() {
  Players players = three();
  EXPECT_TRUE(players.within(10, [&] { return players.all_have_begun(); }));
  players.pass(2);
  return players;
}

// ---- beginning ---------------------------------------------------------------------------------

TEST(Beginning, IsAtOneTickThatIsAheadOfAll) {
  Players players = three();
  ASSERT_TRUE(players.within(10, [&] { return players.all_have_begun(); }));
  const std::int64_t tick = *players["motor"].begin;
  EXPECT_EQ(*players["load"].begin, tick);
  EXPECT_EQ(*players["controller"].begin, tick);
  EXPECT_GT(tick, players.now().tai);
  EXPECT_TRUE(players["load"].agreement.words().waits);
  players.pass(2);
  EXPECT_FALSE(players["load"].agreement.words().waits);
}

TEST(Beginning, WaitsForThoseThatAreNotThere) {
  Players players = three();
  players["load"].runs = false;
  players.pass(30);
  EXPECT_FALSE(players["motor"].begin);
  EXPECT_EQ(players["motor"].agreement.missing(), "load");
  players["load"].runs = true;
  ASSERT_TRUE(players.within(10, [&] { return players.all_have_begun(); }));
  EXPECT_EQ(*players["load"].begin, *players["motor"].begin);
}

TEST(Beginning, OfOneThatFindsOthersRunningIsAtOnce) {
  Players players = three_that_run();
  Member& load = players["load"];
  load.agreement = Agreement("load", names_of_three);
  load.begin.reset();
  ASSERT_TRUE(players.within(1, [&] { return load.begin.has_value(); }));
  EXPECT_LE(*load.begin, players.now().tai);
  EXPECT_GT(*load.begin, *players["motor"].begin) << "the tick of the others is none of its own";
  EXPECT_FALSE(load.agreement.words().waits);
}

// Also of the one that proposed the tick.
TEST(Beginning, OfTheFirstThatFindsOthersRunningIsAtOnce) {
  Players players = three_that_run();
  Member& first = players["controller"];
  first.agreement = Agreement("controller", names_of_three);
  first.begin.reset();
  ASSERT_TRUE(players.within(1, [&] { return first.begin.has_value(); }));
  EXPECT_LE(*first.begin, players.now().tai);
}

// By then the others run, and it has still agreed to their tick.
TEST(Beginning, OfOneThatHearsTooLateThatAllHaveAgreedIsAtTheTickOfAll) {
  Players players = three();
  const auto well = players.network;
  ASSERT_TRUE(players.within(2, [&] { return players["load"].agreement.words().first_tick != 0; }));
  players.network = [](const Member&, const Member& to) -> std::optional<Duration> {
    return to.name == "load" ? std::optional<Duration>() : Duration{1'000'000};
  };
  players.pass(2);
  EXPECT_FALSE(players["load"].begin);
  players.network = well;
  ASSERT_TRUE(players.within(1, [&] { return players.all_have_begun(); }));
  EXPECT_EQ(*players["load"].begin, *players["motor"].begin);
  EXPECT_FALSE(players["load"].agreement.words().waits);
}

TEST(Beginning, IsNotBeforeAllHaveTakenTheTickUp) {
  Players players = three();
  players.network = [](const Member& from, const Member& to) -> std::optional<Duration> {
    const bool from_first = from.name == "controller" && to.name == "load";
    return from_first ? std::optional<Duration>() : Duration{1'000'000};
  };
  players.pass(5);
  for (const Member& m : players.all()) EXPECT_FALSE(m.begin) << m.name.view();
}

TEST(Beginning, AtATickThatNotAllHaveTakenUpInTimeIsAtALaterOne) {
  Players players = three();
  const auto well = players.network;
  ASSERT_TRUE(
      players.within(2, [&] { return players["controller"].agreement.words().first_tick != 0; }));
  const std::int64_t proposed = players["controller"].agreement.words().first_tick;
  players.network = [](const Member&, const Member&) { return std::optional<Duration>(); };
  players.pass(2);
  EXPECT_LT(proposed, players.now().tai);
  players.network = well;
  ASSERT_TRUE(players.within(5, [&] { return players.all_have_begun(); }));
  for (const Member& m : players.all()) EXPECT_GT(*m.begin, players.now().tai) << m.name.view();
}

TEST(Beginning, OfANodeWithoutMembersIsAtOnce) {
  Agreement alone("motor", {});
  const Orders orders = alone.look({}, {}, {{5}, 7});
  EXPECT_EQ(orders.begin, 7);
}

// Whatever the network does, no two of them begin at different ticks, but for one that heard of it
// too late, which then begins late and not early.
TEST(Beginning, OverAnyNetworkIsNeverBeforeTheOthers) {
  for (unsigned seed = 0; seed < 100; ++seed) {
    Players players = three();
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> of_hundred(0, 99);
    std::uniform_int_distribution<std::int64_t> delay(0, 800'000'000);
    players.network = [&](const Member&, const Member&) -> std::optional<Duration> {
      if (of_hundred(random) < 40) return {};
      return Duration{delay(random)};
    };
    ASSERT_TRUE(players.within(600, [&] { return players.all_have_begun(); })) << seed;
    std::int64_t first = INT64_MAX;
    for (const Member& m : players.all()) first = std::min(first, *m.begin);
    // The first of them has agreed with all, so that nobody else may still have another tick.
    for (const Member& m : players.all()) {
      if (m.name == "controller") {  // who proposes
        EXPECT_EQ(*m.begin, first) << seed;
      }
    }
  }
}

// ---- arming ------------------------------------------------------------------------------------

TEST(Arming, IsOfAll) {
  Players players = three_that_run();
  Member& motor = players["motor"];
  ASSERT_TRUE(motor.agreement.arm_all(players.now()));
  EXPECT_EQ(motor.agreement.round().state, State::under_way);
  ASSERT_TRUE(players.within(3, [&] { return motor.agreement.round().state == State::done; }));
  EXPECT_EQ(players.armed(), 3U);
  EXPECT_EQ(motor.agreement.round().words, "all 3 members are armed");
  players.pass(20);
  EXPECT_EQ(players.armed(), 3U);
  for (const Member& m : players.all()) EXPECT_EQ(m.armings, 1) << m.name.view();
}

TEST(Arming, IsOfNoneWhereOneCannot) {
  Players players = three_that_run();
  players["load"].self.may_arm = false;
  Member& motor = players["motor"];
  ASSERT_TRUE(motor.agreement.arm_all(players.now()));
  ASSERT_TRUE(players.within(3, [&] { return motor.agreement.round().state == State::refused; }));
  EXPECT_EQ(motor.agreement.round().words, "load cannot be armed");
  EXPECT_EQ(motor.agreement.words().ask, io::Ask::revoke);
  players.pass(20);
  for (const Member& m : players.all()) EXPECT_EQ(m.armings, 0) << m.name.view();
}

TEST(Arming, IsOfNoneWhereTheOneThatWasAskedCannot) {
  Players players = three_that_run();
  Member& motor = players["motor"];
  motor.self.may_arm = false;
  ASSERT_TRUE(motor.agreement.arm_all(players.now()));
  ASSERT_TRUE(players.within(3, [&] { return motor.agreement.round().state == State::refused; }));
  EXPECT_EQ(motor.agreement.round().words, "motor, this node, cannot be armed");
  players.pass(5);
  EXPECT_EQ(players.armed(), 0U);
}

TEST(Arming, IsRefusedAtOnceWhereOneIsNotThere) {
  Players players = three_that_run();
  players["load"].runs = false;
  players.pass(4);
  const auto begun = players["motor"].agreement.arm_all(players.now());
  ASSERT_FALSE(begun);
  EXPECT_THAT(begun.error().message, HasSubstr("nothing is heard of load"));
}

TEST(Arming, IsTakenBackWhereOneEndsMeanwhile) {
  Players players = three_that_run();
  Member& motor = players["motor"];
  ASSERT_TRUE(motor.agreement.arm_all(players.now()));
  // It has answered that it can, and is gone before it is told to.
  ASSERT_TRUE(players.within(2, [&] { return players["load"].agreement.words().yes; }));
  players["load"].runs = false;
  ASSERT_TRUE(players.within(10, [&] { return motor.agreement.round().state == State::refused; }));
  players.pass(10);
  EXPECT_EQ(players.armed(), 0U);
  EXPECT_EQ(players["controller"].armings, players["controller"].disarmings);
}

TEST(Arming, IsTakenBackWhereTheOneThatWasAskedEnds) {
  Players players = three_that_run();
  ASSERT_TRUE(players["motor"].agreement.arm_all(players.now()));
  ASSERT_TRUE(players.within(2, [&] { return players["load"].self.armed; }));
  players["motor"].runs = false;  // before it has said that it stands
  players["motor"].self.armed = false;
  // As soon as it is known to have ended.
  EXPECT_TRUE(players.within(4, [&] { return players.armed() == 0; }));
}

// It has said that it can, and cannot any more when it is told to.
TEST(Arming, IsOfNoneWhereOneHasChangedItsMind) {
  Players players = three_that_run();
  Member& motor = players["motor"];
  Member& load = players["load"];
  ASSERT_TRUE(motor.agreement.arm_all(players.now()));
  ASSERT_TRUE(players.within(2, [&] { return motor.agreement.words().ask == io::Ask::commit; }));
  // What it says from here on is not heard until it has been told.
  players.network = [](const Member& from, const Member& to) -> std::optional<Duration> {
    const bool kept = from.name == "load" && to.name == "motor";
    return kept ? std::optional<Duration>() : Duration{1'000'000};
  };
  load.self.may_arm = false;
  players.pass(2);
  EXPECT_EQ(load.armings, 0);
  EXPECT_FALSE(load.agreement.words().yes);
  players.pass(10);
  EXPECT_EQ(players.armed(), 0U);
}

// One that does not hear in time that it stands is safe, and the others follow it.
TEST(Arming, IsTakenBackWhereOneDoesNotHearThatItStands) {
  Players players = three_that_run();
  Member& motor = players["motor"];
  ASSERT_TRUE(motor.agreement.arm_all(players.now()));
  ASSERT_TRUE(players.within(2, [&] { return players["load"].self.armed; }));
  // What it is told last is heard again and again, so that it knows that others are there.
  players.network = [](const Member& from, const Member& to) -> std::optional<Duration> {
    const bool lost = to.name == "load" && from.name == "motor";
    return lost ? std::optional<Duration>() : Duration{1'000'000};
  };
  ASSERT_TRUE(players.within(2, [&] { return motor.agreement.round().state == State::done; }));
  EXPECT_TRUE(players.within(8, [&] { return players.armed() == 0; }));
  EXPECT_THAT(motor.agreement.round().words, HasSubstr("load did not stay armed"));
}

// Told to arm by one and to disarm by another at once, it is safe.
TEST(Arming, GivesWayToADisarmingThatComesWithIt) {
  Players players = three_that_run();
  Member& first = players["controller"];
  ASSERT_TRUE(first.agreement.arm_all(players.now()));
  // It has the answers at its next look, and what both say then is heard at the one after.
  ASSERT_TRUE(players.within(2, [&] {
    return players["load"].agreement.words().yes && players["motor"].agreement.words().yes;
  }));
  players["motor"].agreement.disarm_all(players.now());
  players["motor"].self.armed = false;
  players.pass(10);
  EXPECT_EQ(players.armed(), 0U);
  EXPECT_EQ(players["load"].armings, 0);
}

TEST(Arming, ByTwoAtOnceIsOfNone) {
  Players players = three_that_run();
  ASSERT_TRUE(players["motor"].agreement.arm_all(players.now()));
  ASSERT_TRUE(players["load"].agreement.arm_all(players.now()));
  players.pass(20);
  EXPECT_EQ(players.armed(), 0U) << "who asks does not answer";
  EXPECT_EQ(players["motor"].agreement.round().state, State::refused);
  EXPECT_EQ(players["load"].agreement.round().state, State::refused);
}

TEST(Arming, OfOneThatWasAskedTwiceIsRefusedTheSecondTime) {
  Players players = three_that_run();
  ASSERT_TRUE(players["motor"].agreement.arm_all(players.now()));
  EXPECT_FALSE(players["motor"].agreement.arm_all(players.now()));
  players.turn();
  players.turn();
  const auto other = players["load"].agreement.arm_all(players.now());
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("node motor is arming all"));
}

TEST(Arming, IsNothingWithoutMembers) {
  Agreement alone("motor", {});
  static_cast<void>(alone.look({}, {}, {{5}, 7}));
  const auto begun = alone.arm_all({{5}, 7});
  ASSERT_FALSE(begun);
  EXPECT_THAT(begun.error().message, HasSubstr("`members`"));
}

TEST(Arming, WaitsForABeginning) {
  Players players = three();
  ASSERT_TRUE(players.within(2, [&] { return players.all_have_begun(); }));
  const auto begun = players["motor"].agreement.arm_all(players.now());
  ASSERT_FALSE(begun) << "its tick has not come";
  EXPECT_THAT(begun.error().message, HasSubstr("not begun"));
}

// Where all still hear of one another in the end, all are armed or none is; over any network,
// whoever is asked, whatever cannot be armed meanwhile, with clocks that differ by a little.
TEST(Arming, OverAnyNetworkIsOfAllOrNone) {
  int done = 0;
  int refused = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    Players players = three_that_run();
    std::mt19937 random(seed);
    const auto below = [&](int n) { return std::uniform_int_distribution<int>(0, n - 1)(random); };
    const int loss = below(80);
    const std::int64_t most_delay = 1'000'000 * (1 + below(2000));
    players.network = [&](const Member&, const Member&) -> std::optional<Duration> {
      if (below(100) < loss) return {};
      return Duration{std::uniform_int_distribution<std::int64_t>(0, most_delay)(random)};
    };
    for (Member& m : players.all()) m.tai_off = below(2'000'000) - 1'000'000;
    Member& asked = players.all()[static_cast<std::size_t>(below(3))];
    const int fails_at = below(400);  // half of them do not
    Member& fails = players.all()[static_cast<std::size_t>(below(3))];
    if (!asked.agreement.arm_all(players.now_of(asked))) continue;
    for (int turn = 0; turn < 200; ++turn) {
      // As on_loss: disarm does: its outputs are safe, and may not be armed.
      if (turn == fails_at) fails.self = {.armed = false, .may_arm = false};
      players.turn();
    }
    players.network = [](const Member&, const Member&) { return Duration{1'000'000}; };
    players.pass(10);
    const State ended = asked.agreement.round().state;
    EXPECT_NE(ended, State::under_way) << seed;
    (ended == State::done ? done : refused)++;
    // The one that has lost an input later is disarmed by its own rule.
    for (const Member& m : players.all()) {
      if (&m == &fails) continue;
      EXPECT_EQ(m.self.armed, ended == State::done) << seed << " " << m.name.view();
    }
    if (ended == State::refused) {
      EXPECT_FALSE(fails.self.armed) << seed;
    }
  }
  EXPECT_GT(done, 40);
  EXPECT_GT(refused, 40);
}

// ---- disarming ---------------------------------------------------------------------------------

TEST(Disarming, IsOfAllAndNeedsNoConsent) {
  Players players = three_that_run();
  ASSERT_TRUE(players["motor"].agreement.arm_all(players.now()));
  ASSERT_TRUE(players.within(3, [&] { return players.armed() == 3; }));
  players.pass(1);
  players["load"].agreement.disarm_all(players.now());
  players["load"].self.armed = false;
  ASSERT_TRUE(players.within(1, [&] { return players.armed() == 0; }));
  // Later on each may be armed by itself.
  players["motor"].self.armed = true;
  players.pass(20);
  EXPECT_EQ(players["motor"].self.armed, true);
  EXPECT_EQ(players["motor"].disarmings, 1);
}

TEST(Disarming, EndsAnArmingThatIsUnderWay) {
  Players players = three_that_run();
  ASSERT_TRUE(players["motor"].agreement.arm_all(players.now()));
  players["load"].agreement.disarm_all(players.now());
  players.pass(10);
  EXPECT_EQ(players.armed(), 0U);
  EXPECT_EQ(players["motor"].agreement.round().state, State::refused);
}

TEST(Disarming, OfLongAgoIsNotDoneByOneThatHearsOfItLate) {
  Players players = three_that_run();
  players["load"].agreement.disarm_all(players.now());
  players["motor"].runs = false;
  players.pass(100);
  players["motor"].self.armed = true;
  players["motor"].runs = true;
  players.pass(5);
  EXPECT_EQ(players["motor"].disarmings, 0);
  EXPECT_TRUE(players["motor"].self.armed);
}

}  // namespace
}  // namespace hild::nodes
