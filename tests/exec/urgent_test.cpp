// SPDX-License-Identifier: Apache-2.0
/// A freeze goes before everything else that was asked for.
#include <gtest/gtest.h>

#include <algorithm>

#include "exec/steering_rig.hpp"

namespace hild::testing {
namespace {

using exec::EventClass;
using exec::Freeze;
using exec::Refusal;
using exec::SetParameter;

constexpr std::uint64_t the_freeze = 1'000'000;

const exec::Reply& reply_to(std::uint64_t id, const SteeringRig& rig) {
  const auto found = std::ranges::find(rig.replies, id, &exec::Reply::id);
  EXPECT_NE(found, rig.replies.end()) << "no reply to " << id;
  static const exec::Reply none{};
  return found == rig.replies.end() ? none : *found;
}

// One change fits a frame: the queue takes as many frames as it has places.
TEST(Urgent, AFreezeGoesBeforeAFullQueue) {
  SteeringRig rig;
  rig.events.seed(EventClass::parameter, {.prepare = 0_us, .commit = 600_us});
  rig.at[3] = [&] {
    for (std::uint64_t id = 1; id <= exec::ExternalEvents::capacity; ++id) {
      rig.post(transaction(id, SetParameter{0, 2.0}));
    }
    EXPECT_EQ(rig.events.submit(transaction(9, exec::Mark{1})), Refusal::queue_full);
    rig.post(transaction(the_freeze, Freeze{}));
  };
  rig.run(20);
  EXPECT_EQ(reply_to(the_freeze, rig).kind, exec::Reply::Kind::accepted);
  EXPECT_EQ(reply_to(the_freeze, rig).frame, 4);
  EXPECT_EQ(rig.loop->statistics().frozen_frames.get(), 16);
}

// What goes with other changes, or waits for its frame, queues with the others.
TEST(Urgent, IsAFreezeAtOnceAlone) {
  using exec::ExternalEvents;
  EXPECT_TRUE(ExternalEvents::is_urgent(transaction(1, Freeze{})));
  EXPECT_TRUE(ExternalEvents::is_urgent(transaction(1, exec::DeclareOutput{0, 1.0}, Freeze{})));
  EXPECT_FALSE(ExternalEvents::is_urgent(transaction(1, exec::DeclareOutput{0, 1.0})));
  EXPECT_FALSE(ExternalEvents::is_urgent(transaction(1, exec::Resume{})));
  EXPECT_FALSE(ExternalEvents::is_urgent(transaction(1, SetParameter{0, 1.0}, Freeze{})));
  EXPECT_FALSE(ExternalEvents::is_urgent(exec::Transaction{}));
  exec::Transaction later = transaction(1, Freeze{});
  later.when = exec::When::at_frame(5);
  EXPECT_FALSE(ExternalEvents::is_urgent(later));
}

// Freezes beyond those places queue with the others, and all are answered.
TEST(Urgent, ManyFreezesAreAllTaken) {
  SteeringRig rig;
  constexpr std::uint64_t many = 3 * exec::ExternalEvents::capacity_urgent;
  rig.at[0] = [&] {
    for (std::uint64_t id = 1; id <= many; ++id) rig.post(transaction(id, Freeze{}));
  };
  rig.run(20);
  ASSERT_EQ(rig.replies.size(), many);
  for (const exec::Reply& r : rig.replies) EXPECT_EQ(r.kind, exec::Reply::Kind::accepted);
}

// 1 us of slack is less than the guard wants: nothing is ever admitted, but the freeze is, when it
// has waited as long as it may.
TEST(Urgent, AFreezeDoesNotWaitLongForSlack) {
  SteeringRig rig;
  rig.plant.pass_cost = 999_us;
  rig.at[3] = [&] {
    rig.post(transaction(1, exec::Mark{1}));
    rig.post(transaction(the_freeze, Freeze{}));
  };
  rig.run(3 + exec::ExternalEvents::urgent_patience + 2);
  EXPECT_EQ(reply_to(the_freeze, rig).kind, exec::Reply::Kind::accepted);
  EXPECT_EQ(reply_to(the_freeze, rig).frame, 3 + exec::ExternalEvents::urgent_patience + 1);
  EXPECT_EQ(rig.loop->statistics().overruns.get(), 0);
}

// Who floods the run and does not read its replies stops the usual changes, not a freeze.
TEST(Urgent, AFreezeHasRoomForItsReply) {
  SteeringRig rig;
  std::uint64_t id = 0;
  bool freezing = false;
  rig.every_step = [&](std::int64_t step) {
    while (rig.events.submit(transaction(id + 1, exec::Mark{1})) == Refusal::none) ++id;
    if (step != 60 || freezing) return;
    freezing = true;
    rig.post(transaction(the_freeze, Freeze{}));
  };
  rig.run(80);
  EXPECT_EQ(reply_to(the_freeze, rig).kind, exec::Reply::Kind::accepted);
  EXPECT_EQ(reply_to(the_freeze, rig).frame, 61);
  EXPECT_LT(rig.replies.size(), id) << "it was a flood that stopped";
}

TEST(Urgent, PlacesAmongThePreparedAreKept) {
  exec::PendingChanges pending;
  while (!pending.full_of_usual()) pending.add(transaction(1, exec::Mark{1}), {}, 0);
  EXPECT_EQ(pending.size(), exec::PendingChanges::capacity_usual);
  EXPECT_FALSE(pending.full());
  while (!pending.full()) pending.add(transaction(1, Freeze{}), {}, 0);
  EXPECT_EQ(pending.size(), exec::PendingChanges::capacity);
  EXPECT_TRUE(pending.full_of_usual());
}

}  // namespace
}  // namespace hild::testing
