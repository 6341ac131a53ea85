// SPDX-License-Identifier: Apache-2.0
/// \file
/// One request, one answer: each is one wake-up and one bounded wait. A step, from one begin() to
/// the next, waits for `answer_within` in all, and so does a call between steps. What is not
/// answered in that time loses the process until its answer comes: nothing more is asked until
/// then, and every step counts. What is answered is held against bounds fixed at load (bounds.hpp):
/// a reply beyond them is the end of the process, from which on nothing of it is used.
/// Real-time safe after construction.
#pragma once

#include <memory>
#include <optional>

#include "foreign/remote/bounds.hpp"

namespace hild::remote {

class Link {
 public:
  using In = std::span<const double>;
  using Out = std::span<double>;

  /// `shared` has been answered through once; `process` ends with the link. `starts`: the method
  /// has a starter.
  Link(std::unique_ptr<Shared> shared, std::unique_ptr<Keeper> process, Duration answer_within,
       bool starts);

  /// Why the process was ended; none: it was not.
  [[nodiscard]] const std::optional<Breach>& breach() const noexcept { return breach_; }
  [[nodiscard]] bool compiled_together() const noexcept { return known_.together; }
  /// With whether an answer is owed, and whether none will come since the process has ended.
  [[nodiscard]] const model::CapCounts& cap_counts() const noexcept { return known_.cap_counts; }

  // ---- asking ----

  [[nodiscard]] Request& request() noexcept { return shared_->header().request; }
  /// False: no answer, now or since before.
  bool ask(Call call) noexcept;
  bool ask(Call call, double number, In x, In u) noexcept;
  /// False also where there is no such thing.
  bool ask_for(Call call, double number, In x, In u, Out out) noexcept;
  /// With `request().t`, which what is answered is held against.
  bool ask_after(Call call, SimTime t) noexcept;
  /// The last one that was taken, within its bounds.
  [[nodiscard]] const ModelReply& reply() const noexcept { return reply_; }
  /// Vectors that go with it.
  void take_states(Out states) const noexcept;
  void take_step_start(Out states, Out derivatives) const noexcept;

  // ---- waiting ----

  /// A step or a call between steps begins: all of the time is left.
  void renew() noexcept { left_ = answer_within_; }
  void begin_step() noexcept { step_lost_ = lost_; }
  /// An answer is overdue; and was so within the step.
  [[nodiscard]] bool lost() const noexcept { return lost_; }
  [[nodiscard]] bool step_lost() const noexcept { return step_lost_; }
  /// Takes the overdue answer if it has come, else counts. Precondition: lost().
  void find_again() noexcept;

 private:
  bool take_reply() noexcept;
  void break_off(const Breach& why) noexcept;
  void owe() noexcept;

  std::unique_ptr<Shared> shared_;
  std::unique_ptr<Keeper> process_;
  Duration answer_within_;
  Duration left_;            // to wait
  Call call_ = Call::start;  // the last that was asked
  SimTime asked_{};          // and with which time, where it is asked with one
  ModelReply reply_;
  Known known_;
  std::optional<Breach> breach_;
  std::uint32_t answers_ = 0;
  bool lost_ = false;
  bool step_lost_ = false;
};

}  // namespace hild::remote
