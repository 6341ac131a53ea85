// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run on the virtual clock that is recorded as a frame log records it, with scripted costs,
/// samples and changes; and the same run played again.
#pragma once

#include <map>

#include "exec/fakes.hpp"
#include "offline/replay/player.hpp"
#include "support/memory_source.hpp"

namespace hild::testing {

/// What a run left: its records, and what took effect.
struct MemorySource final : replay::StepSource {
  const io::FrameLayout& layout() const noexcept override { return frame_layout; }
  const std::byte* next() noexcept override {
    return at < records.size() ? reinterpret_cast<const std::byte*>(records[at++].data()) : nullptr;
  }
  const exec::Transaction* next_accepted() noexcept override {
    return taken < accepted.size() ? &accepted[taken++] : nullptr;
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
  std::size_t at = 0;
  std::size_t taken = 0;
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
    const exec::Outcome outcome = loop.run(start, frames, stop);
    while (const std::byte* slot = ring.front()) {
      auto& bytes = source.records.emplace_back((source.frame_layout.bytes() + 7) / 8);
      std::memcpy(bytes.data(), slot, source.frame_layout.bytes());
      ring.release();
    }
    while (const auto reply = events.next_reply()) {
      if (reply->kind == exec::Reply::Kind::accepted) source.accepted.push_back(posted_[reply->id]);
    }
    overruns = loop.statistics().overruns.get();
    return outcome;
  }

  /// The run again, from what was recorded; the differences.
  std::vector<replay::Difference> replay(double tolerance = 0) {
    source.at = source.taken = 0;
    replay::Player player(source, first_frame);
    std::vector<replay::Difference> differences;
    player.tolerance = tolerance;
    player.on_difference = [&](const replay::Difference& d) { differences.push_back(d); };
    const auto from = player.start(settings.grid);
    if (!from) {
      problem = from.error().message;
      return differences;
    }
    const auto again = make();
    rt::VirtualClock still;
    exec::Parts p = parts(still, player, *again, player.events(), player.records());
    p.replay = &player;
    exec::FrameLoop loop(settings, p);
    loop.run(*from, INT64_MAX / 4, stop);
    player.finish();
    problem = player.problem();
    replayed = player.steps();
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
  std::int64_t first_frame = 0;  ///< counters start here
  rt::Flag stop;
  MemorySource source;
  std::int64_t overruns = 0;
  std::int64_t replayed = 0;
  std::string problem;

 private:
  exec::Parts parts(rt::Clock& c, io::Sampler& s, model::Stepper& p, exec::ExternalEvents& e,
                    rt::SlotRing& ring) const {
    const std::size_t n = p.description().inputs.size();
    return {.clock = c,
            .sampler = s,
            .plant = p,
            .inputs = plain_inputs(n, jumps),
            .start_inputs = std::vector<double>(n),
            .events = &e,
            .records = &ring,
            .first_frame = first_frame};
  }
  std::map<std::uint64_t, exec::Transaction> posted_;
};

}  // namespace hild::testing
