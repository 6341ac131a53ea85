// SPDX-License-Identifier: Apache-2.0
/// \file
/// Transactions on their way, with the loop on this thread and on the virtual clock: what the
/// server does falls between the parts of a frame, always between the same ones.
#include "control/server/transactions.hpp"

#include <gtest/gtest.h>

#include <boost/asio/io_context.hpp>
#include <functional>
#include <map>

#include "control/server/clients.hpp"
#include "control/server/rig.hpp"

namespace hild::testing {
namespace {

/// Only somebody who asks.
class Asker final : public server::Client {
 public:
  void answer(std::string /*text*/) override {}
  void finish() override {}
  void close() override {}
};

/// Looks for replies while inputs are sampled, and again within the step.
struct LoopAndServer {
  LoopAndServer() {
    sampler.on_call = [this](int call) {
      if (const auto found = at.find(call - 1); found != at.end()) found->second();
      transactions.poll();
    };
    plant.extra_of = [this](std::int64_t) {
      transactions.poll();
      return Duration{};
    };
  }

  static exec::Settings settings() {
    exec::Settings s;
    s.snapshot_every = 1;
    s.overrun.startup_grace = 0;
    return s;
  }

  void run_frames(std::int64_t frames) {
    EXPECT_EQ(loop.run(Rig::start, frames, stop).end, exec::End::duration);
  }

  void submit(const exec::Change& change, exec::When when = {},
              std::unique_ptr<server::Table> table = nullptr) {
    server::Changes changes;
    changes.when = when;
    changes.add(change, {}, std::move(table));
    transactions.submit(std::move(changes), asker, [this](const auto& verdict) {
      verdicts.push_back(verdict);
      images.push_back(server::newest_image(run));
    });
  }

  rt::VirtualClock clock;
  FakeSampler sampler{clock, {nothing(), nothing()}};
  CostlyPlant plant{clock, model::make_stepper<Bench>(numerics::forward_euler)};
  exec::ExternalEvents events;
  exec::FrameLoop loop{settings(),
                       {clock, sampler, plant, plain_inputs(2), {0.0, 0.0}, &events, nullptr}};
  rt::Flag stop;
  rt::Flag ended;
  server::Run run{.model = "bench",
                  .method = "forward-euler",
                  .version = "1.2.3",
                  .settings = settings(),
                  .layout = {},
                  .description = plant.description(),
                  .start_parameters = {0, 0.01, 1},
                  .inputs = {{}, {}},
                  .outputs = {{}, {}, {}},
                  .loop = loop,
                  .events = events,
                  .stop = stop,
                  .ended = ended};
  std::map<std::int64_t, std::function<void()>> at;  ///< what comes while that frame is sampled
  Asker asker;
  std::vector<server::Transactions::Verdict> verdicts;  ///< in the order they were told
  std::vector<exec::Image> images;                      ///< the newest when each was told
  boost::asio::io_context io;
  server::ActiveChanges active;
  server::Transactions transactions{io, run, active};
};

TEST(Transactions, AVerdictIsToldOnceTheImageOfItsStepCanBeRead) {
  LoopAndServer s;
  for (const std::int64_t frame : {3, 8}) {
    s.at[frame] = [&s] { s.submit(exec::SetParameter{.parameter = 0, .value = 7}); };
  }
  s.run_frames(20);
  ASSERT_EQ(s.verdicts.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) {
    ASSERT_TRUE(s.verdicts[i]);
    EXPECT_EQ(s.verdicts[i]->frame, i == 0 ? 4 : 9) << "the step after it was submitted";
    EXPECT_GE(s.images[i].frame, s.verdicts[i]->frame);
    EXPECT_EQ(s.images[i].parameters[0], 7);
  }
}

// Nobody will look at what it did, but it was asked for, and at once.
TEST(Transactions, WhatIsToTakeEffectAtOnceDoesThoughItsAskerGoes) {
  LoopAndServer s;
  s.at[3] = [&s] {
    s.submit(exec::SetParameter{.parameter = 0, .value = 7});
    s.transactions.forget(s.asker);
  };
  s.run_frames(20);
  ASSERT_EQ(s.verdicts.size(), 1U);
  ASSERT_TRUE(s.verdicts[0]) << s.verdicts[0].error().message;
  EXPECT_EQ(s.verdicts[0]->frame, 4);
}

// What takes it back waits for room, and goes with a later look for replies.
TEST(Transactions, WhatWasAskedForAheadIsWithdrawnThoughTheQueueWasFull) {
  LoopAndServer s;
  s.at[3] = [&s] { s.submit(exec::Mark{}, exec::When::at_frame(1'000'000)); };
  s.at[6] = [&s] {
    EXPECT_EQ(s.transactions.pending(), 1U);
    while (s.events.submit(transaction(0, exec::Mark{})) == exec::Refusal::none) {
    }
    s.transactions.forget(s.asker);
  };
  s.at[90] = [&s] {
    EXPECT_EQ(s.transactions.pending(), 0U);
    EXPECT_EQ(s.verdicts.size(), 1U);
  };
  s.run_frames(100);
  EXPECT_EQ(s.loop.statistics().events_served.get(), std::int64_t{exec::ExternalEvents::capacity});
  EXPECT_EQ(s.loop.statistics().events_refused.get(), 1);
}

TEST(Transactions, ATableIsKeptUntilItIsReleasedAndNoLonger) {
  LoopAndServer s;
  s.at[3] = [&s] {
    auto table = std::make_unique<server::Table>(server::Table{{0, 1}, {2, 2}});
    exec::Stimulus playback{.input = 0, .shape = exec::Shape::playback, .amplitude = 1};
    playback.table = {table->times.data(), table->values.data(), table->times.size()};
    s.submit(playback, {}, std::move(table));
  };
  s.at[10] = [&s] {
    EXPECT_EQ(s.verdicts.size(), 1U);
    EXPECT_EQ(s.transactions.pending(), 1U) << "it is being played";
    s.submit(exec::StopStimulus{.input = 0});
  };
  s.at[20] = [&s] { EXPECT_EQ(s.transactions.pending(), 0U); };
  s.run_frames(30);
  ASSERT_EQ(s.verdicts.size(), 2U);
  EXPECT_TRUE(s.verdicts[0] && s.verdicts[1]);
}

// What it still names is none that is given anew: with a table of that number let go of here too,
// the loop would read what is no more.
TEST(Transactions, NumbersGoOnFromThoseOfTheRunBefore) {
  LoopAndServer s;
  std::vector<std::uint64_t> numbers;
  s.run.accepted = [&](const exec::Transaction& t, const exec::Reply& /*reply*/,
                       server::Run::Texts /*texts*/) { numbers.push_back(t.id); };
  for (const std::uint64_t earlier : {5U, 9U, 2U}) s.transactions.number_after(earlier);
  s.at[3] = [&s] { s.submit(exec::Mark{}); };
  s.at[6] = [&s] { s.submit(exec::Mark{}); };
  s.run_frames(10);
  EXPECT_EQ(numbers, (std::vector<std::uint64_t>{10, 11}));
}

// Submitted when the loop had looked for the last time.
TEST(Transactions, WhatTheLoopNeverSawIsAnsweredWhenTheRunHasEnded) {
  LoopAndServer s;
  s.run_frames(5);
  s.submit(exec::Mark{});
  s.transactions.poll();
  EXPECT_TRUE(s.verdicts.empty());
  s.ended.raise();
  s.transactions.poll();
  ASSERT_EQ(s.verdicts.size(), 1U);
  ASSERT_FALSE(s.verdicts[0]);
  EXPECT_EQ(s.verdicts[0].error().code, rpc::Code::run_ended);
}

// Nobody takes them any more: with room for only so many, the next would be told to try again.
TEST(Transactions, AfterTheEndOfTheRunEveryOneIsToldOfIt) {
  LoopAndServer s;
  s.run_frames(5);
  s.ended.raise();
  for (std::size_t i = 0; i <= exec::ExternalEvents::capacity; ++i) {
    try {
      s.submit(exec::Mark{});
      FAIL() << "taken, though nobody will ever look at it: " << i;
    } catch (const server::Refused& refused) {
      ASSERT_EQ(refused.error.code, rpc::Code::run_ended) << i;
    }
  }
  EXPECT_EQ(s.transactions.pending(), 0U);
}

}  // namespace
}  // namespace hild::testing
