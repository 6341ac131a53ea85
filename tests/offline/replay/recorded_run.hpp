// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run on the virtual clock that is recorded as a frame log records it, with scripted costs,
/// samples and changes; and the same run played again.
#pragma once

#include <cmath>
#include <map>
#include <random>

#include "core/archive_problem.hpp"
#include "exec/fakes.hpp"
#include "offline/replay/player.hpp"
#include "support/memory_source.hpp"

namespace hild::testing {

inline double wobble(double t) { return std::sin(40 * t) + 0.3 * std::cos(171 * t); }

/// Costs that overrun now and then, by up to three frames; the same for the same seed.
inline std::function<Duration(std::int64_t)> rough_costs(unsigned seed) {
  return [rng = std::mt19937(seed)](std::int64_t) mutable {
    const auto draw = rng() % 100;
    if (draw < 4) return Duration(1_ms) * (1 + rng() % 3);
    return Duration(1_us) * (rng() % 900);
  };
}

/// What a run left: its records, and what took effect.
struct MemorySource final : replay::StepSource {
  const io::FrameLayout& layout() const noexcept override { return frame_layout; }
  const std::byte* next() noexcept override {
    return at < records.size() ? reinterpret_cast<const std::byte*>(records[at++].data()) : nullptr;
  }
  const exec::Transaction* next_accepted() noexcept override {
    return taken < accepted.size() ? &accepted[taken++] : nullptr;
  }
  const exec::Keyframe* begins_at() const noexcept override { return first; }
  const exec::Keyframe* keyframe_before(MonoTime due) noexcept override {
    const exec::Keyframe* last = nullptr;
    for (; passed < keyframes.size() && keyframes[passed].head.tick <= due; ++passed) {
      last = &keyframes[passed];
    }
    return last == first ? nullptr : last;
  }
  const exec::PlaybackTable* find(std::uint64_t id, std::uint32_t change,
                                  SimTime /*start*/) noexcept override {
    for (const exec::Transaction& t : accepted) {
      if (t.id == id) return &std::get<exec::Stimulus>(t.change[change]).table;
    }
    return nullptr;
  }
  /// From its start, or from a keyframe.
  void begin(const exec::Keyframe* keyframe = nullptr) {
    first = keyframe;
    at = taken = passed = 0;
    if (keyframe == nullptr) return;
    while (at < records.size() && view(at).header().due < keyframe->head.tick) ++at;
    taken = static_cast<std::size_t>(keyframe->head.transactions);
    while (&keyframes[passed] != keyframe) ++passed;
  }
  [[nodiscard]] io::FrameView view(std::size_t i) const {
    return {frame_layout, reinterpret_cast<const std::byte*>(records[i].data())};
  }
  [[nodiscard]] io::FrameHeader& header(std::size_t i) {
    return *reinterpret_cast<io::FrameHeader*>(records[i].data());
  }

  io::FrameLayout frame_layout;
  std::vector<std::vector<std::uint64_t>> records;
  std::vector<exec::Transaction> accepted;
  std::vector<exec::Keyframe> keyframes;
  const exec::Keyframe* first = nullptr;  ///< where it begins
  std::size_t at = 0;
  std::size_t taken = 0;
  std::size_t passed = 0;
};

struct RecordedRun {
  using MakePlant = std::function<std::unique_ptr<model::Stepper>()>;
  static constexpr MonoTime start = Rig::start;

  RecordedRun(MakePlant maker, std::vector<FakeSampler::Input> inputs)
      : make(std::move(maker)), sampler(clock, std::move(inputs)), plant(clock, make()) {
    settings.overrun.startup_grace = 0;
    sampler.origin = start;
    plant.extra_of = [this](std::int64_t step) {
      if (const auto found = post_in.find(step); found != post_in.end()) post(found->second);
      return cost_of ? cost_of(step) : Duration{};
    };
  }

  /// In the pass of this step; takes effect at a later one.
  std::map<std::int64_t, exec::Transaction> post_in;
  std::function<Duration(std::int64_t)> cost_of;

  exec::Outcome run(std::int64_t frames) {
    source.frame_layout = exec::FrameLoop::layout(plant);
    rt::SlotRing ring(source.frame_layout.bytes(), static_cast<std::size_t>(2 * frames + 8));
    exec::FrameLoop loop(settings, parts(clock, sampler, plant, events, ring));
    running = &loop;
    const exec::Outcome outcome = loop.run(start, frames, stop);
    running = nullptr;
    while (const std::byte* slot = ring.front()) {
      auto& bytes = source.records.emplace_back((source.frame_layout.bytes() + 7) / 8);
      std::memcpy(bytes.data(), slot, source.frame_layout.bytes());
      ring.release();
    }
    while (const std::byte* slot = loop.keyframes() ? loop.keyframes()->front() : nullptr) {
      source.keyframes.emplace_back(exec::KeyframeView::in(slot));
      loop.keyframes()->release();
    }
    keyframes_left_out = loop.statistics().keyframes_left_out.get();
    while (const auto reply = events.next_reply()) {
      if (reply->kind != exec::Reply::Kind::accepted) continue;
      source.accepted.push_back(posted_[reply->id]);
      replies.push_back(*reply);
    }
    overruns = loop.statistics().overruns.get();
    held = loop.statistics().frozen_frames.get();
    return outcome;
  }

  /// The run again, from what was recorded, from its start or from one of its keyframes; the
  /// differences. Its state is compared at each keyframe that is passed.
  std::vector<replay::Difference> replay(double tolerance = 0,
                                         const exec::Keyframe* keyframe = nullptr) {
    source.begin(keyframe);
    return replay_of(source, tolerance);
  }

  /// The state of the loop between two steps, by way of `room`; nothing where it cannot be saved.
  static std::optional<exec::Keyframe> keyframe_of(exec::FrameLoop& loop,
                                                   std::span<std::byte> room) {
    const Archive saved = loop.save(room);
    if (!saved.good()) return std::nullopt;
    exec::Keyframe here;
    here.head = loop.place();
    here.head.bytes = saved.bytes();
    here.state.assign(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(saved.bytes()));
    return here;
  }

  /// The run again, from what any source has of it.
  std::vector<replay::Difference> replay_of(replay::StepSource& from_source, double tolerance = 0) {
    const exec::Keyframe* const keyframe = from_source.begins_at();
    replay::Player player(from_source, first_frame);
    player.compare_from = compare_from;
    std::vector<replay::Difference> differences;
    player.tolerance = tolerance;
    player.on_difference = [&](const replay::Difference& d) { differences.push_back(d); };
    problem.clear();
    const auto from = player.start(settings.grid);
    if (!from) {
      problem = from.error().message;
      return differences;
    }
    std::optional<replay::Branch> branch;
    if (branch_plan != nullptr) {
      branch.emplace(*branch_plan, *branch_listener, from_source.layout());
      player.branch = &*branch;
    }
    const auto again = make();
    rt::VirtualClock still;
    exec::Parts p = parts(still, player, *again, player.events(), player.records());
    p.replay = &player;
    exec::FrameLoop loop(settings, p);
    std::vector<std::byte> state(loop.most_state_bytes());
    states.clear();
    if (branch) branch->save = [&] { return keyframe_of(loop, state); };
    player.on_keyframe = [&](const exec::Keyframe& passed) {
      const Archive saved = loop.save(state);
      EXPECT_TRUE(saved.good()) << words_for(saved.problem());
      ++keyframes_compared;
      for (auto& d : replay::compare(passed, std::span(state).first(saved.bytes())))
        states.push_back(d);
    };
    if (keyframe != nullptr) {
      Archive::Problem wrong;
      loop.run_from({.keyframe = keyframe->view(), .tick = *from, .tables = &from_source},
                    INT64_MAX / 4, stop, wrong);
      problem = words_for(wrong);
    } else {
      loop.run(*from, INT64_MAX / 4, stop);
    }
    player.finish();
    if (problem.empty()) problem = player.problem();
    images_repeated = branch ? branch->images_repeated() : 0;
    replayed = player.steps();
    compared = player.compared();
    return differences;
  }

  void post(exec::Transaction t) {
    t.id = posted_.size() + 1;
    posted_[t.id] = t;
    EXPECT_EQ(events.submit(t), exec::Refusal::none);
  }

  MakePlant make;
  rt::VirtualClock clock;
  FakeSampler sampler;
  CostlyPlant plant;
  exec::Settings settings;
  exec::ExternalEvents events;
  std::vector<double> jumps;
  std::vector<io::LossRule> losses;
  std::vector<exec::Alarm> alarms;
  const exec::FrameLoop* running = nullptr;  ///< while run() lasts
  std::int64_t first_frame = 0;              ///< counters start here
  rt::Flag stop;
  MemorySource source;
  std::vector<exec::Reply> replies;  ///< to the transactions that took effect
  std::int64_t overruns = 0;
  std::int64_t held = 0;  ///< frames
  std::int64_t replayed = 0;
  std::int64_t compared = 0;  ///< of the steps replayed
  SimTime compare_from{};
  const replay::BranchPlan* branch_plan = nullptr;  ///< of replays, which go on as this
  replay::BranchListener* branch_listener = nullptr;
  std::int64_t images_repeated = 0;
  std::string problem;
  std::int64_t keyframes_left_out = 0;
  std::int64_t keyframes_compared = 0;
  std::vector<replay::StateDifference> states;  ///< of the last replay, at all keyframes

 private:
  exec::Parts parts(rt::Clock& c, io::Sampler& s, model::Stepper& p, exec::ExternalEvents& e,
                    rt::SlotRing& ring) const {
    const std::size_t n = p.description().inputs.size();
    return {.clock = c,
            .sampler = s,
            .plant = p,
            .inputs = plain_inputs(n, jumps, losses),
            .start_inputs = std::vector<double>(n),
            .events = &e,
            .records = &ring,
            .alarms = alarms,
            .first_frame = first_frame};
  }
  std::map<std::uint64_t, exec::Transaction> posted_;
};

}  // namespace hild::testing
