// SPDX-License-Identifier: Apache-2.0
/// \file
/// Branches of recorded runs: one without changes is the record to the bit, wherever it begins and
/// under every method; one with changes is what the change makes of it; each, played again from
/// what was recorded of it, is itself to the bit.
#include "offline/replay/branch.hpp"

#include <gtest/gtest.h>

#include <tuple>

#include "exec/plants.hpp"
#include "exec/steering_rig.hpp"
#include "hild/numerics/catalogue.hpp"
#include "offline/replay/against.hpp"
#include "offline/replay/recorded_run.hpp"

namespace hild::testing {
namespace {

using exec::Sampling;

/// Keeps a branch as a recording of its own does: from the state it begins with.
struct KeptBranch final : replay::BranchListener {
  explicit KeptBranch(const MemorySource& parent) : of(parent) {
    made.frame_layout = of.frame_layout;
    made.keyframes.reserve(1000);
  }
  void begin(const io::FrameHeader& first, const exec::Keyframe* state,
             std::int64_t transactions) override {
    begins = first;
    made.accepted.assign(of.accepted.begin(), of.accepted.begin() + transactions);
    if (state != nullptr) made.keyframes.push_back(*state);
    begins_with_run = state == nullptr;
  }
  void keyframe(const exec::Keyframe& keyframe) override { made.keyframes.push_back(keyframe); }
  void changed(const exec::Transaction& t, const exec::Reply& reply) override {
    made.accepted.push_back(t);
    replies.push_back(reply);
  }
  void step(const io::FrameView& /*was*/, const io::FrameView& is) override {
    auto& bytes = made.records.emplace_back((made.frame_layout.bytes() + 7) / 8);
    std::memcpy(bytes.data(), &is.header(), made.frame_layout.bytes());
  }
  /// For a replay of it, from its first keyframe or a later one.
  void rewind(std::size_t keyframe = 0) {
    made.begin(begins_with_run && keyframe == 0 ? nullptr : &made.keyframes[keyframe]);
  }

  const MemorySource& of;
  MemorySource made;
  io::FrameHeader begins;
  bool begins_with_run = false;
  std::vector<exec::Reply> replies;
};

// The last keyframe at that time or before.
const exec::Keyframe* keyframe_before(const MemorySource& source, SimTime at) {
  const exec::Keyframe* last = nullptr;
  for (const exec::Keyframe& one : source.keyframes) {
    if (one.head.time < at) last = &one;
  }
  return last;
}

struct Branched {
  std::vector<replay::Difference> differences;  ///< from the recorded run
  std::int64_t images_repeated = 0;
};

Branched branch_off(RecordedRun& run, const replay::BranchPlan& plan, KeptBranch& kept,
                    bool from_start = false) {
  run.branch_plan = &plan;
  run.branch_listener = &kept;
  run.compare_from = plan.at;
  run.source.begin(from_start ? nullptr : keyframe_before(run.source, plan.at));
  Branched branched{run.replay_of(run.source), 0};
  branched.images_repeated = run.images_repeated;
  run.branch_plan = nullptr;
  run.branch_listener = nullptr;
  run.compare_from = {};
  return branched;
}

// When its steps were due, began and ended, and what the executive did.
void expect_the_same_header(const io::FrameHeader& was, const io::FrameHeader& is) {
  const auto times = [](const io::FrameHeader& h) {
    return std::tuple(h.step, h.frame, h.t.ns, h.due.ns, h.start.ns, h.end.ns, h.deadline.ns,
                      h.lateness.ns, h.span, h.slipped, h.slept, h.late_wake);
  };
  const auto deeds = [](const io::FrameHeader& h) {
    return std::tuple(h.passes, h.images, h.early, h.frozen, h.limited, h.cause, h.mark,
                      h.state_events, h.external_events);
  };
  ASSERT_EQ(times(is), times(was));
  ASSERT_EQ(deeds(is), deeds(was)) << was.step;
  ASSERT_TRUE(is.phases == was.phases) << was.step;
}

// Those of a branch that begins after so many steps of the run.
void expect_the_same_headers(RecordedRun& run, KeptBranch& kept, std::size_t before) {
  for (std::size_t n = 0; n < kept.made.records.size(); ++n) {
    ASSERT_NO_FATAL_FAILURE(
        expect_the_same_header(run.source.header(before + n), kept.made.header(n)));
  }
}

// After so many steps of the run comes the first that starts then or later.
void expect_first_at(RecordedRun& run, std::size_t before, SimTime at) {
  ASSERT_LT(before, run.source.records.size());
  EXPECT_GE(run.source.header(before).t, at);
  EXPECT_TRUE(before == 0 || run.source.header(before - 1).t < at);
}

// Played again from its own record.
void expect_itself(RecordedRun& run, KeptBranch& kept, std::size_t keyframe = 0) {
  kept.rewind(keyframe);
  const auto differences = run.replay_of(kept.made);
  ASSERT_EQ(run.problem, "");
  ASSERT_TRUE(differences.empty()) << "step " << differences.front().step;
  ASSERT_TRUE(run.states.empty()) << run.states.front().section;
  ASSERT_EQ(kept.made.at, kept.made.records.size()) << "all of it was played";
}

// It goes on with the steps of the run, of which as many come before it.
void expect_the_steps_of_the_run(RecordedRun& run, KeptBranch& kept, SimTime at) {
  const std::size_t before = run.source.records.size() - kept.made.records.size();
  ASSERT_NO_FATAL_FAILURE(expect_first_at(run, before, at));
  ASSERT_NO_FATAL_FAILURE(expect_the_same_headers(run, kept, before));
  ASSERT_EQ(kept.made.accepted.size(), run.source.accepted.size());
}

// From some time on, without changes.
void expect_the_record_of_a_branch(RecordedRun& run, SimTime at) {
  KeptBranch kept(run.source);
  const replay::BranchPlan plan{.at = at, .changes = {}, .keyframes = 20};
  const Branched branched = branch_off(run, plan, kept);
  ASSERT_EQ(run.problem, "");
  ASSERT_TRUE(branched.differences.empty()) << "step " << branched.differences.front().step;
  EXPECT_EQ(branched.images_repeated, 0);
  ASSERT_NO_FATAL_FAILURE(expect_the_steps_of_the_run(run, kept, at));
  const std::size_t times = kept.made.keyframes.size() < 2 ? 1 : 2;
  for (std::size_t keyframe = 0; keyframe < times; ++keyframe) {
    ASSERT_NO_FATAL_FAILURE(expect_itself(run, kept, keyframe));
  }
}

template <class M>
RecordedRun::MakePlant plant(const numerics::Method& method) {
  return [&method] { return model::make_stepper<M>(method); };
}

/// A run that is steered: parameters, an override, a playback, a hold of the plant.
void steer_for_a_branch(RecordedRun& run) {
  static const std::array times{0.0, 0.05, 0.2};
  static const std::array values{0.0, 4.0, -1.0};
  run.post_in = {
      {10, transaction(0, exec::SetParameter{0, 2.5, true})},
      {20, transaction(0, exec::Stimulus{.shape = exec::Shape::playback,
                                         .amplitude = 2,
                                         .table = {times.data(), values.data(), 3}})},
      {30,
       transaction(0, exec::Override{exec::Side::input, 0, exec::OverrideKind::noise, 0.2, 42},
                   exec::Override{exec::Side::output, 0, exec::OverrideKind::gain, 3.0, 0, 37})},
      {50, transaction(0, exec::Freeze{exec::FrozenOutputs::hold})},
      {80, transaction(0, exec::SetParameter{0, 1.5, false})}};
  run.sampler.on_call = [&run](int /*call*/) {
    if (run.running->statistics().frozen_frames.get() == 9) {
      run.post(transaction(0, exec::Resume{}));
    }
  };
}

// ---- without changes ---------------------------------------------------------------------------

TEST(Branch, WithoutChangesIsTheRecordUnderEveryMethod) {
  for (const numerics::Method* method : numerics::catalogue()) {
    for (const Sampling sampling : {Sampling::frame, Sampling::stage}) {
      RecordedRun run(plant<Tracker>(*method), {wobble});
      run.settings.keyframes.every = 16;
      run.settings.sampling = sampling;
      run.cost_of = rough_costs(4);
      run.sampler.cost = 3_us;
      steer_for_a_branch(run);
      run.run(150);
      ASSERT_GT(run.overruns, 2);
      ASSERT_GT(run.held, 5);
      for (const std::int64_t ms : {1, 17, 40, 52, 90}) {
        ASSERT_NO_FATAL_FAILURE(expect_the_record_of_a_branch(run, SimTime{} + 1_ms * ms))
            << method->name << " at " << ms << " ms";
      }
    }
  }
}

TEST(Branch, WithoutChangesIsTheRecordWithStateEvents) {
  for (const numerics::Method* method : {&numerics::rtrk3, &numerics::ab3, &numerics::rk4}) {
    RecordedRun run(plant<Ball>(*method), {});
    run.settings.keyframes.every = 16;
    run.cost_of = rough_costs(9);
    run.run(1500);
    std::int64_t events = 0;
    for (std::size_t n = 0; n < run.source.records.size(); ++n) {
      events += run.source.header(n).state_events;
    }
    ASSERT_GT(events, 0);
    for (const std::int64_t ms : {3, 333, 700, 1200}) {
      ASSERT_NO_FATAL_FAILURE(expect_the_record_of_a_branch(run, SimTime{} + 1_ms * ms))
          << method->name << " at " << ms << " ms";
    }
  }
}

// Of the images before the run, which are in the record of its first step, the branch has all.
TEST(Branch, AtTheStartOfTheRunIsAllOfIt) {
  RecordedRun run(plant<Tracker>(numerics::rtrk4), {wobble});
  run.settings.sampling = Sampling::stage;
  run.settings.images_before = 3;
  run.cost_of = rough_costs(2);
  run.run(60);
  KeptBranch kept(run.source);
  const replay::BranchPlan plan{};
  const Branched branched = branch_off(run, plan, kept, true);
  EXPECT_TRUE(branched.differences.empty());
  EXPECT_TRUE(kept.begins_with_run);
  EXPECT_EQ(kept.made.records.size(), run.source.records.size());
  expect_itself(run, kept);
}

TEST(Branch, BeginsInADoubledStepWithTheNextOne) {
  RecordedRun run(plant<Tracker>(numerics::ab3), {wobble});
  run.settings.keyframes.every = 8;
  run.cost_of = [](std::int64_t step) { return step == 20 ? 2'500_us : 50_us; };
  run.run(60);
  const auto doubled = std::ranges::find_if(run.source.records, [](const auto& bytes) {
    return reinterpret_cast<const io::FrameHeader*>(bytes.data())->span > 1;
  });
  ASSERT_NE(doubled, run.source.records.end());
  const io::FrameHeader was = *reinterpret_cast<const io::FrameHeader*>(doubled->data());
  KeptBranch kept(run.source);
  const replay::BranchPlan plan{.at = was.t + 1_ns};
  EXPECT_TRUE(branch_off(run, plan, kept).differences.empty());
  EXPECT_EQ(kept.begins.frame, was.frame + was.span);
  expect_itself(run, kept);
}

// ---- with changes ------------------------------------------------------------------------------

// x' = gain u: three times the gain, three times the way from where the branch begins.
TEST(Branch, WithAnotherParameterIsWhatItMakesOfTheSameInputs) {
  for (const Sampling sampling : {Sampling::frame, Sampling::stage}) {
    RecordedRun run(plant<Tracker>(numerics::rtam2), {wobble});
    run.settings.keyframes.every = 16;
    run.settings.sampling = sampling;
    run.cost_of = rough_costs(4);
    run.run(150);
    KeptBranch kept(run.source);
    const replay::BranchPlan plan{.at = SimTime{} + 60_ms,
                                  .changes = {transaction(0, exec::SetParameter{0, 3.0})}};
    const Branched branched = branch_off(run, plan, kept);
    ASSERT_EQ(run.problem, "");
    ASSERT_FALSE(branched.differences.empty());
    ASSERT_EQ(kept.replies.size(), 1U);
    EXPECT_EQ(kept.replies[0].frame, kept.begins.frame);
    const std::size_t before = run.source.records.size() - kept.made.records.size();
    const double x0 = run.source.view(before - 1).states()[0];
    for (std::size_t n = 0; n < kept.made.records.size(); ++n) {
      const double was = run.source.view(before + n).states()[0];
      EXPECT_NEAR(kept.made.view(n).states()[0] - x0, 3 * (was - x0), 1e-12) << n;
    }
    expect_itself(run, kept);
  }
}

// A method with history begins anew where a parameter changes: its starter samples within the step,
// where the recorded one did not.
TEST(Branch, ThatReadsMoreThanWasRecordedHasTheNewestImageAgain) {
  RecordedRun run(plant<Tracker>(numerics::ab4), {wobble});
  run.settings.keyframes.every = 16;
  run.settings.sampling = Sampling::stage;
  run.run(100);
  KeptBranch kept(run.source);
  const replay::BranchPlan plan{.at = SimTime{} + 40_ms,
                                .changes = {transaction(0, exec::SetParameter{0, 2.0, true})},
                                .keyframes = 10};
  const Branched branched = branch_off(run, plan, kept);
  ASSERT_EQ(run.problem, "");
  EXPECT_GT(branched.images_repeated, 0);
  EXPECT_EQ(kept.made.records.size(), 60U);
  expect_itself(run, kept);
  expect_itself(run, kept, 2);
}

// What took effect before it is of the run it branches off: the branch is told of its own.
TEST(Branch, IsToldOfChangesFromItsBeginOn) {
  RecordedRun run(plant<Tracker>(numerics::forward_euler), {wobble});
  run.settings.keyframes.every = 64;
  run.post_in = {{10, transaction(0, exec::SetParameter{0, 5.0, false})},
                 {70, transaction(0, exec::SetParameter{0, 2.0, false})}};
  run.run(120);
  KeptBranch kept(run.source);
  const replay::BranchPlan plan{.at = SimTime{} + 40_ms};
  branch_off(run, plan, kept);
  ASSERT_EQ(run.problem, "");
  ASSERT_EQ(kept.replies.size(), 1U);
  EXPECT_EQ(kept.replies[0].frame, run.replies.at(1).frame);
}

// What was recorded later takes effect in the branch as well, behind its own changes.
TEST(Branch, KeepsWhatTookEffectLater) {
  RecordedRun run(plant<Tracker>(numerics::forward_euler), {[](double) { return 1.0; }});
  run.settings.keyframes.every = 16;
  run.settings.sampling = Sampling::frame;
  run.post_in = {{70, transaction(0, exec::SetParameter{0, 5.0, false})}};
  run.run(120);
  const std::int64_t later = run.replies.at(0).frame;
  KeptBranch kept(run.source);
  const replay::BranchPlan plan{.at = SimTime{} + 40_ms,
                                .changes = {transaction(0, exec::SetParameter{0, 2.0, false})}};
  branch_off(run, plan, kept);
  ASSERT_EQ(run.problem, "");
  ASSERT_EQ(kept.made.accepted.size(), 2U);
  // 1 ms a frame, x' = gain.
  const double end = 0.001 * (40 * 1.0 + static_cast<double>(later - 40) * 2.0 +
                              static_cast<double>(120 - later) * 5.0);
  EXPECT_NEAR(kept.made.view(kept.made.records.size() - 1).states()[0], end, 1e-12);
  expect_itself(run, kept);
}

TEST(Branch, OfABranchIsOneToo) {
  RecordedRun run(plant<Tracker>(numerics::ab3), {wobble});
  run.settings.keyframes.every = 16;
  run.cost_of = rough_costs(7);
  steer_for_a_branch(run);
  run.run(200);
  KeptBranch kept(run.source);
  const replay::BranchPlan plan{.at = SimTime{} + 40_ms,
                                .changes = {transaction(0, exec::SetParameter{0, 2.0})}};
  branch_off(run, plan, kept);
  RecordedRun second(plant<Tracker>(numerics::ab3), {wobble});
  second.settings = run.settings;
  second.source.frame_layout = kept.made.frame_layout;
  second.source.records = kept.made.records;
  second.source.accepted = kept.made.accepted;
  second.source.keyframes = kept.made.keyframes;
  ASSERT_NO_FATAL_FAILURE(expect_the_record_of_a_branch(second, SimTime{} + 100_ms));
  KeptBranch twice(second.source);
  const replay::BranchPlan again{.at = SimTime{} + 100_ms,
                                 .changes = {transaction(0, exec::SetParameter{0, -1.0})}};
  EXPECT_FALSE(branch_off(second, again, twice).differences.empty());
  ASSERT_EQ(second.problem, "");
  expect_itself(second, twice);
}

TEST(Branch, WhoseChangeIsRefusedSaysSo) {
  RecordedRun run(plant<Tracker>(numerics::ab3), {wobble});
  run.settings.keyframes.every = 16;
  run.run(60);
  KeptBranch kept(run.source);
  const replay::BranchPlan plan{.at = SimTime{} + 40_ms,
                                .changes = {transaction(0, exec::SetParameter{0, 1e9})}};
  branch_off(run, plan, kept);
  EXPECT_NE(run.problem.find("change 1 of the branch is refused"), std::string::npos)
      << run.problem;
}

// ---- one recording against another -------------------------------------------------------------

TEST(Against, ARunAndItsBranchDifferFromWhereItBegins) {
  RecordedRun run(plant<Tracker>(numerics::forward_euler), {[](double) { return 1.0; }});
  run.settings.keyframes.every = 16;
  run.settings.sampling = Sampling::frame;
  run.run(100);
  KeptBranch kept(run.source);
  const replay::BranchPlan plan{.at = SimTime{} + 40_ms,
                                .changes = {transaction(0, exec::SetParameter{0, 3.0, false})}};
  branch_off(run, plan, kept);
  run.source.begin();
  kept.made.begin();
  const auto found = replay::against(run.source, kept.made);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->only_first, 40);
  EXPECT_EQ(found->only_second, 0);
  EXPECT_EQ(found->compared, 60);
  EXPECT_EQ(found->first_frame, 40);
  EXPECT_EQ(found->last_frame, 99);
  EXPECT_EQ(found->differing_steps, 60);
  ASSERT_TRUE(found->first);
  EXPECT_EQ(found->first->frame, 40);
  EXPECT_NEAR(found->worst_states.at(0), 60 * 0.001 * 2.0, 1e-12) << "at the end";
  run.source.begin();
  MemorySource same;
  same.frame_layout = run.source.frame_layout;
  same.records = run.source.records;
  const auto none = replay::against(run.source, same);
  ASSERT_TRUE(none);
  EXPECT_FALSE(none->first);
  EXPECT_EQ(none->differing_steps, 0);
  EXPECT_EQ(none->compared, 100);
}

TEST(Against, RunsOfAnotherModelOrAnotherTimeAreRefused) {
  RecordedRun run(plant<Tracker>(numerics::ab2), {wobble});
  RecordedRun other(plant<Ball>(numerics::ab2), {});
  run.run(10);
  other.run(10);
  const auto refused = replay::against(run.source, other.source);
  ASSERT_FALSE(refused);
  EXPECT_NE(refused.error().message.find("not of one model"), std::string::npos);
  MemorySource later;
  later.frame_layout = run.source.frame_layout;
  run.source.begin();
  const auto apart = replay::against(run.source, later);
  ASSERT_FALSE(apart);
  EXPECT_NE(apart.error().message.find("no frame in common"), std::string::npos);
}

}  // namespace
}  // namespace hild::testing
