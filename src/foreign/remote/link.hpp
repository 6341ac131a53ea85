// SPDX-License-Identifier: Apache-2.0
/// \file
/// The link to a model's process. Each request and its answer are one wake-up and one bounded wait.
/// A step, from one begin() to the next, waits for at most `answer_within` in all, and so does a
/// call between steps. When an answer does not come in that time the process counts as lost until
/// it comes: nothing more is asked until then, and every step without an answer is counted. Answers
/// are checked against bounds fixed at load (bounds.hpp): after a reply beyond them the process is
/// ended, and nothing of it is used any more. Real-time safe after construction.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "foreign/remote/bounds.hpp"

namespace hild::remote {

class Link {
 public:
  using In = std::span<const double>;
  using Out = std::span<double>;

  /// `shared` has carried one answer already; `process` is ended with the link. `starts`: the
  /// method has a starter. `timed`: the model has time events.
  Link(std::unique_ptr<Shared> shared, std::unique_ptr<Keeper> process, Duration answer_within,
       bool starts, bool timed);

  /// Why the process was ended; none: it was not.
  [[nodiscard]] const std::optional<Breach>& breach() const noexcept { return breach_; }
  [[nodiscard]] bool compiled_together() const noexcept { return known_.together; }
  /// The model's counts, with whether an answer is owed, and whether none will come since the
  /// process has ended.
  [[nodiscard]] const model::CapCounts& cap_counts() const noexcept { return known_.cap_counts; }

  // ---- asking ----

  [[nodiscard]] Request& request() noexcept { return shared_->header().request; }
  /// Asks, and waits for the answer. False: there is none, or an earlier one is still owed.
  bool ask(Call call) noexcept;
  bool ask(Call call, double number, In x, In u) noexcept;
  /// Asks for the vector `out`. False also where the model has no such thing.
  bool ask_for(Call call, double number, In x, In u, Out out) noexcept;
  /// Asks with `request().t`, against which the answer is checked.
  bool ask_after(Call call, SimTime t) noexcept;
  /// Asks for what ends a step from t over h, whose inputs at the end are `u`; `end` is that in
  /// seconds. It does not wait: receive() follows before anything else is asked. False: nothing was
  /// asked, since an earlier answer is owed.
  bool send_step(Call call, SimTime t, Duration h, double end, In u) noexcept;
  /// Waits for the answer. False: there is none.
  bool receive() noexcept;
  /// A step begins: the process learns of it with whatever it is asked next.
  void begin_with_next(SimTime t, Duration h) noexcept;
  /// Whether it has yet to learn of that.
  [[nodiscard]] bool yet_to_begin() const noexcept { return begins_; }
  /// The state of the model, as Stepper::transfer(), which is bytes here.
  void transfer(Archive& archive, int made) noexcept;
  /// The last reply that was accepted, within its bounds.
  [[nodiscard]] const ModelReply& reply() const noexcept { return reply_; }
  /// Copy the vectors that belong to it.
  void take_states(Out states) const noexcept;
  void take_step_start(Out states, Out derivatives) const noexcept;
  void take_end(Out outputs, Out events) const noexcept;
  void take_slopes(Out slopes) const noexcept;
  void take_error(Out error) const noexcept;
  /// How many answers have come.
  [[nodiscard]] std::uint32_t answers() const noexcept { return answers_; }
  /// How often something was asked that may change the model: as long as it stays the same, so does
  /// the model.
  [[nodiscard]] std::uint32_t changes() const noexcept { return changes_; }

  // ---- waiting ----

  /// To be called when a step or a call between steps begins: the whole time is available again.
  void renew() noexcept { left_ = answer_within_; }
  void begin_step() noexcept { step_lost_ = lost_; }
  /// Whether an answer is overdue; and whether one was at any time within the step.
  [[nodiscard]] bool lost() const noexcept { return lost_; }
  [[nodiscard]] bool step_lost() const noexcept { return step_lost_; }
  /// Takes the overdue answer if it has come, else counts the step. Precondition: lost().
  void find_again() noexcept;

 private:
  // The state of the model, while it is saved or loaded.
  struct State {
    std::vector<std::byte> bytes;
    bool measured = false;  // there is room for it
    const char* cannot_save = "the process of the model has not been asked for its state";
    std::array<char, 96> why_not{};  // in its own words
  };

  void measure_state();
  std::optional<std::size_t> save_state() noexcept;
  bool load_state(std::size_t bytes) noexcept;
  bool send(Call call) noexcept;
  bool take_reply() noexcept;
  void break_off(const Breach& why) noexcept;
  void owe() noexcept;

  std::unique_ptr<Shared> shared_;
  std::unique_ptr<Keeper> process_;
  Duration answer_within_;
  Duration left_;  // time left to wait
  Asked asked_;    // the last request
  ModelReply reply_;
  Known known_;
  std::optional<Breach> breach_;
  State state_;
  std::uint32_t answers_ = 0;
  std::uint32_t changes_ = 0;
  bool begins_ = false;
  bool lost_ = false;
  bool step_lost_ = false;
};

}  // namespace hild::remote
