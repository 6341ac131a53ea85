// SPDX-License-Identifier: Apache-2.0
/// \file
/// The queue of external events, the third door through which non-determinism enters a run. Another
/// thread posts transactions into a ring; the loop checks and prepares them in its slack, when
/// their measured cost fits before the next release, and commits them at the start of a step.
/// Replies go out through a second ring. Nothing else reaches into the loop.
///
/// A transaction with an id gets exactly one reply, accepted or refused; one that held a table gets
/// a further reply that releases it. As long as the other side does not read its replies, no
/// transaction that wants one is taken. Transactions for a frame far ahead have a share of the
/// places of their own and are counted with those of the same frame: they never delay what is to
/// take effect at once.
///
/// A freeze goes before everything else: it has a ring of its own, and places among what is
/// prepared and room for its reply are kept for it; it is looked at first. It waits for slack as
/// others do, but not for long (urgent_patience).
#pragma once

#include <optional>

#include "exec/admission.hpp"
#include "exec/change_check.hpp"
#include "exec/pending_changes.hpp"
#include "exec/statistics.hpp"
#include "hild/core/grid.hpp"
#include "hild/rt/atomic.hpp"
#include "hild/rt/ring.hpp"

namespace hild::exec {

class ExternalEvents {
 public:
  static constexpr std::size_t capacity = 256;
  static constexpr std::size_t capacity_urgent = 16;  ///< for freezes, beside those
  /// Frames without enough slack after which a freeze is taken all the same: it costs little, and
  /// relieves a run that has been late for so long.
  static constexpr int urgent_patience = 10;

  explicit ExternalEvents(const AdmissionSettings& settings = {})
      : usual_{{sizeof(Transaction), capacity}},
        urgent_{{sizeof(Transaction), capacity_urgent}},
        replies_(sizeof(Reply), 4 * capacity),
        admission_(settings) {}

  /// Whether `t` is nothing but a freeze that is to take effect at once.
  [[nodiscard]] static bool is_urgent(const Transaction& t) noexcept;

  // ---- the other side, one thread ----

  /// Posts a transaction. `none`, or why it is refused at once: the queue is full (try again
  /// later), or the table of a playback is not valid. A transaction refused here gets no reply.
  /// Reads the whole of every table.
  [[nodiscard]] Refusal submit(const Transaction& transaction) noexcept;
  /// The oldest reply not yet read.
  [[nodiscard]] std::optional<Reply> next_reply() noexcept;

  /// Sets what one change of a class costs, as found by a rehearsal. To be called before the run.
  void seed(EventClass c, Admission::Cost cost) noexcept { admission_.seed(c, cost); }

  // ---- the loop's side, real-time safe ----

  /// The step to come, the first at which a transaction can take effect.
  struct Next {
    const Grid& grid;
    std::int64_t frame = 0;
  };

  /// Whether transactions are waiting; a new one may be seen a little late.
  [[nodiscard]] bool waiting() const noexcept { return posted_.get() != taken_; }
  /// Looks at the oldest transaction, freezes first. True: it was prepared or refused for good.
  /// False: there is none, it must wait for slack or room, or it has waited too long and was
  /// refused. Several looks within a frame count as one deferral.
  bool serve(Duration slack, const Next& next, const Targets& targets,
             Statistics& statistics) noexcept;
  /// Reports how long serving that transaction took, for the next decision.
  void learn(Duration took) noexcept;

  /// Whether something is due at the step that starts at `frame`.
  [[nodiscard]] bool due(std::int64_t frame) const noexcept { return pending_.soonest() <= frame; }
  [[nodiscard]] const Transaction& front() const noexcept { return pending_.front(); }
  /// Reports how long committing one change took.
  void committed(EventClass c, Duration took) noexcept { admission_.committed(c, took); }
  /// The front transaction took effect, or was refused after all.
  void accepted(std::int64_t frame, SimTime t, Statistics& statistics) noexcept;
  void refused(std::uint32_t change, Refusal why, std::int64_t frame, SimTime t,
               Statistics& statistics) noexcept;
  /// So many tables are lent that nobody posted here: each will be released.
  void lent(std::size_t tables) noexcept { owed_ += tables; }
  /// Tells the poster that the table of this change is not read any more.
  void released(std::uint64_t id, std::uint32_t change, std::int64_t frame, SimTime t) noexcept;
  /// Refuses every transaction that has not taken effect.
  void end_run(std::int64_t frame, SimTime t, Statistics& statistics) noexcept;

  [[nodiscard]] const Admission& admission() const noexcept { return admission_; }
  /// Writes into `statistics` what one change of each class is estimated to cost.
  void show_costs(Statistics& statistics) const noexcept;

 private:
  /// One queue of posted transactions, in the order they were posted in.
  struct Queue {
    rt::SlotRing ring;
    int deferrals = 0;              // of the oldest transaction
    std::int64_t deferred_in = -1;  // the frame of the last deferral

    [[nodiscard]] const Transaction* oldest() noexcept;
    void take() noexcept;
  };

  void take(Queue& line) noexcept;
  [[nodiscard]] bool room_for_replies(const Transaction& t, bool urgent) const noexcept;
  bool withdraw(const Transaction& t, Duration slack, const Next& next,
                Statistics& statistics) noexcept;
  bool wait(Queue& line, const Transaction& t, const ClassCounts& classes, Refusal why,
            const Next& next, Statistics& statistics) noexcept;
  void refuse(const Transaction& t, std::uint32_t change, Refusal why, std::int64_t frame,
              SimTime at, Statistics& statistics) noexcept;
  void reply(const Reply& r) noexcept;

  Queue usual_;
  Queue urgent_;
  rt::Tally posted_;
  std::int64_t taken_ = 0;  // of those posted: a frame looks at both lines by one comparison
  rt::SlotRing replies_;
  Admission admission_;
  PendingChanges pending_;
  ClassCounts served_{};  // the changes of the transaction served last
  std::size_t owed_ = 0;  // replies that will yet have to be made
};

}  // namespace hild::exec
