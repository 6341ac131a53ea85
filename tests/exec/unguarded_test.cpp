// SPDX-License-Identifier: Apache-2.0
/// \file
/// A run whose guard dies: it ends in the next frame, and nothing is put out in that. A thread that
/// ends stands for the guard: the kernel marks both alike.
#include <gtest/gtest.h>

#include <semaphore>
#include <thread>

#include "exec/fakes.hpp"

namespace hild::testing {
namespace {

using exec::End;

class Watcher {
 public:
  explicit Watcher(rt::Lifeline& line)
      : thread_([this, &line] {
          EXPECT_TRUE(line.hold());
          holds_.release();
          end_.acquire();
        }) {
    holds_.acquire();
  }
  ~Watcher() { end(); }
  void end() {
    if (!thread_.joinable()) return;
    end_.release();
    thread_.join();
  }

 private:
  std::binary_semaphore holds_{0};
  std::binary_semaphore end_{0};
  std::thread thread_;
};

struct Guarded : Rig {
  Guarded() { heartbeat = &shared; }
  rt::Heartbeat shared;
  Watcher guard{shared.watcher};
};

TEST(Unguarded, EndsInTheNextFrame) {
  Guarded rig;
  rig.sampler.on_call = [&](int call) {
    if (call == 6) rig.guard.end();  // in frame 5
  };
  const auto outcome = rig.run(30);
  EXPECT_EQ(outcome.end, End::guard_lost);
  EXPECT_EQ(outcome.frame, 6);
  EXPECT_EQ(rig.records.size(), 6U);
  EXPECT_EQ(rig.sampler.calls, 6) << "nothing is put out, nor read, after it";
  EXPECT_EQ(rig.sampler.safe_calls, 1);
  EXPECT_EQ(MonoTime{rig.shared.beat.get()}, frame_time(6));
}

TEST(Unguarded, PutsNothingOutWhereTheGuardNeverLived) {
  Guarded rig;
  rig.guard.end();
  EXPECT_EQ(rig.run(30).end, End::guard_lost);
  EXPECT_EQ(rig.sampler.calls, 0);
  EXPECT_EQ(rig.sampler.safe_calls, 1);
}

TEST(Unguarded, IsNobodyWhileTheGuardLives) {
  Guarded rig;
  EXPECT_EQ(rig.run(30).end, End::duration);
  EXPECT_EQ(MonoTime{rig.shared.beat.get()}, frame_time(29));
}

}  // namespace
}  // namespace hild::testing
