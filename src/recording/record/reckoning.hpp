// SPDX-License-Identifier: Apache-2.0
/// \file
/// Keeps the accounts and steps of the last moments, so that what was spent between two readings
/// can be attributed to one step: what other steps of that time may have used is subtracted first.
/// And what follows from it for the cause of the step.
#pragma once

#include <deque>
#include <optional>

#include "hild/io/frame_record.hpp"
#include "recording/record/account.hpp"

namespace hild::record {

/// What was spent around a late step, less what other steps of that time may have used.
struct Spent {
  Duration run_delay{};
  std::int64_t taken = 0;
  Duration faults{};
  std::int64_t steal_ticks = 0;
  Duration steal_tick = 10'000'000_ns;
  double usual_steal_ticks = 0;  ///< as many are to be expected by chance
  Duration late_beside{};        ///< time by which other steps were held up meanwhile
  bool steals = false;           ///< the host has taken this machine's CPU away before
};

/// The cause of a late step: what the loop found, or what explains at least half of `held_up`, the
/// time to be explained. It is never guessed: where two accounts would do, or one hardly, it is the
/// loop's.
[[nodiscard]] io::Cause cause_by_account(io::Cause found, Duration held_up, const Spent& spent);

/// How long after its tick, and after the releases it waited for, a step was woken.
[[nodiscard]] Duration woken_late(const io::FrameHeader& h) noexcept;

class Reckoning {
 public:
  /// Notes a step that ended, in the order of the run.
  void note(const io::FrameHeader& h);
  /// Takes a reading of an account, in the order of time.
  void read(const Account& account);
  void read(const StealAccount& account);

  /// Whether it is time to read an account again: the newest reading is older than the newest step
  /// by more than the interval between readings.
  [[nodiscard]] bool account_due() const;
  [[nodiscard]] bool steal_due() const;
  /// Whether the host has ever taken the CPU of this machine away.
  [[nodiscard]] bool steals() const { return !steals_.empty() && steals_.back().ticks > 0; }

  /// What was spent around a noted step; none when no two readings enclose it.
  [[nodiscard]] std::optional<Spent> around(const io::FrameHeader& h, const Worth& worth) const;

 private:
  struct Step {
    std::int64_t step = 0;
    MonoTime from{};  ///< when it was to begin, or when what delayed it began
    MonoTime to{};
    Duration woken{};
    Duration extra{};      ///< work beyond the usual
    bool held_up = false;  ///< late, or woken late
  };
  void learn(const Account& before, const Account& after);
  void add_steal(const Step& late, Spent& spent) const;
  [[nodiscard]] static bool beside(const Step& s, const Step& late, MonoTime from, MonoTime to);

  std::deque<Step> steps_;
  std::deque<Account> accounts_;
  std::deque<StealAccount> steals_;
  MonoTime last_end_{};
  Duration usual_work_{};
  Duration usual_woken_{};
  double usual_delay_ns_ = 0;  // run delay of a step: what every wake-up costs
  bool begun_ = false;
  bool learnt_ = false;
  bool forgot_ = false;  // steps were forgotten for want of room
};

}  // namespace hild::record
