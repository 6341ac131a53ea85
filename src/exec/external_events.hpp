// SPDX-License-Identifier: Apache-2.0
/// \file
/// External events: the third door through which non-determinism enters. Another thread posts
/// transactions into a ring; the loop checks and prepares them in its slack, when their measured
/// cost fits before the next release, and commits them at the start of a step. Replies go out
/// through a second ring. Nothing else reaches into the loop.
///
/// A transaction with an id gets exactly one reply, accepted or refused; one that held a table, a
/// further one that releases it. While the other side does not read its replies, no transaction
/// that wants one is taken. What waits for a frame far ahead has places of its own and is counted
/// with what shares its frame: it never keeps waiting what is to take effect at once.
///
/// A freeze goes before all else: it has a ring, places among what is prepared and room for its
/// reply of its own, and is looked at first. It waits for slack as others do, but not for long.
#pragma once

#include <optional>

#include "exec/admission.hpp"
#include "exec/change_check.hpp"
#include "exec/pending_changes.hpp"
#include "exec/statistics.hpp"
#include "hild/core/grid.hpp"
#include "hild/rt/ring.hpp"
#include "hild/rt/tally.hpp"

namespace hild::exec {

class ExternalEvents {
 public:
  static constexpr std::size_t capacity = 256;
  static constexpr std::size_t capacity_urgent = 16;  ///< freezes, beside those
  /// Frames without slack enough, after which a freeze is taken all the same: what costs a moment
  /// is no burden to a run that has been late for so long, and relieves it.
  static constexpr int urgent_patience = 10;

  explicit ExternalEvents(const AdmissionSettings& settings = {})
      : usual_{{sizeof(Transaction), capacity}},
        urgent_{{sizeof(Transaction), capacity_urgent}},
        replies_(sizeof(Reply), 4 * capacity),
        admission_(settings) {}

  /// Whether it is a freeze that is to take effect at once, and nothing else.
  [[nodiscard]] static bool is_urgent(const Transaction& t) noexcept;

  // ---- the other side, one thread ----

  /// `none`, or at once why it cannot be: the queue is full (try again later), or a table is not
  /// one. A transaction refused here gets no reply. Reads all of every table.
  [[nodiscard]] Refusal submit(const Transaction& transaction) noexcept;
  /// The oldest reply not yet read.
  [[nodiscard]] std::optional<Reply> next_reply() noexcept;

  /// Before the run: what a rehearsal found that one change of a class costs.
  void seed(EventClass c, Admission::Cost cost) noexcept { admission_.seed(c, cost); }

  // ---- the loop's side, real-time safe ----

  /// The step to come: what a transaction would take effect at.
  struct Next {
    const Grid& grid;
    std::int64_t frame = 0;
  };

  /// One of them may come to be seen a little later.
  [[nodiscard]] bool waiting() const noexcept { return posted_.get() != taken_; }
  /// Looks at the oldest transaction, the oldest freeze first: it is prepared or refused for good
  /// (true), or must wait for slack or room (false). Of several looks within a frame one counts as
  /// a deferral.
  bool serve(Duration slack, const Next& next, const Targets& targets,
             Statistics& statistics) noexcept;
  /// What serving it took, for the next decision.
  void learn(Duration took) noexcept;

  /// Whether something is due at the step that starts at `frame`.
  [[nodiscard]] bool due(std::int64_t frame) const noexcept { return pending_.soonest() <= frame; }
  [[nodiscard]] const Transaction& front() const noexcept { return pending_.front(); }
  /// What committing one change took.
  void committed(EventClass c, Duration took) noexcept { admission_.committed(c, took); }
  /// The front one took effect, or was refused after all.
  void accepted(std::int64_t frame, SimTime t, Statistics& statistics) noexcept;
  void refused(std::uint32_t change, Refusal why, std::int64_t frame, SimTime t,
               Statistics& statistics) noexcept;
  /// A table is not read any more.
  void released(std::uint64_t id, std::uint32_t change, std::int64_t frame, SimTime t) noexcept;
  /// Refuses all that has not taken effect.
  void end_run(std::int64_t frame, SimTime t, Statistics& statistics) noexcept;

  [[nodiscard]] const Admission& admission() const noexcept { return admission_; }
  /// Shows the readers of `statistics` what one change of each class is taken to cost.
  void show_costs(Statistics& statistics) const noexcept;

 private:
  /// Of those posted, in their order.
  struct Line {
    rt::SlotRing ring;
    int deferrals = 0;              // of the oldest
    std::int64_t deferred_in = -1;  // the frame in which it was last

    [[nodiscard]] const Transaction* oldest() noexcept;
    void take() noexcept;
  };

  void take(Line& line) noexcept;
  [[nodiscard]] bool room_for_replies(const Transaction& t, bool urgent) const noexcept;
  bool withdraw(const Transaction& t, Duration slack, const Next& next,
                Statistics& statistics) noexcept;
  bool wait(Line& line, const Transaction& t, const ClassCounts& classes, Refusal why,
            const Next& next, Statistics& statistics) noexcept;
  void refuse(const Transaction& t, std::uint32_t change, Refusal why, std::int64_t frame,
              SimTime at, Statistics& statistics) noexcept;
  void reply(const Reply& r) noexcept;

  Line usual_;
  Line urgent_;
  rt::Tally posted_;
  std::int64_t taken_ = 0;  // of those: a frame looks at both lines by one comparison
  rt::SlotRing replies_;
  Admission admission_;
  PendingChanges pending_;
  ClassCounts served_{};  // of the transaction served last
  std::size_t owed_ = 0;  // replies that will yet have to be made
};

}  // namespace hild::exec
