// SPDX-License-Identifier: Apache-2.0
/// \file
/// A branch: a recorded run is replayed up to a time and goes on from there as another run, with
/// the inputs, the timing and the changes from outside that were recorded, and with changes of its
/// own. Steps have the numbers and the frames of the recorded ones, since the clock is the recorded
/// one.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "exec/keyframe.hpp"
#include "exec/transaction.hpp"
#include "hild/io/frame_record.hpp"

namespace hild::replay {

/// What is to be otherwise.
struct BranchPlan {
  SimTime at{};  ///< it begins with the first step that starts then or later
  /// Made at the start of that step, after what was recorded there. Ids and times are set.
  std::vector<exec::Transaction> changes{};
  std::int64_t keyframes = 0;  ///< frames from one to the next; 0: only the one it begins with
};

/// Hears of a branch, in the order of its steps.
class BranchListener {
 public:
  BranchListener() = default;
  BranchListener(const BranchListener&) = delete;
  BranchListener& operator=(const BranchListener&) = delete;
  virtual ~BranchListener() = default;

  /// It begins with the step of this record; `transactions` took effect before. `state`: before
  /// that step; null: it cannot be saved, or that step is the run's first.
  virtual void begin(const io::FrameHeader& first, const exec::Keyframe* state,
                     std::int64_t transactions) = 0;
  /// A keyframe before the step that comes.
  virtual void keyframe(const exec::Keyframe& keyframe) = 0;
  /// A transaction took effect in the step that is told next.
  virtual void changed(const exec::Transaction& transaction, const exec::Reply& reply) = 0;
  /// A step as it was recorded, and as it is now, with the times of the recorded one.
  virtual void step(const io::FrameView& was, const io::FrameView& is) = 0;
};

/// A branch while it is played.
class Branch {
 public:
  /// `layout` is that of the records. All outlive it.
  Branch(const BranchPlan& plan, BranchListener& listener, const io::FrameLayout& layout)
      : plan_(plan), listener_(listener), layout_(layout), made_((layout.bytes() + 7) / 8) {}

  /// The state of the loop between two steps; nothing where it cannot be saved. To be set before
  /// the run.
  std::function<std::optional<exec::Keyframe>()> save = [] {
    return std::optional<exec::Keyframe>{};
  };

  /// Before each step, with its record: begins the branch where it is time. The changes to be made
  /// are those of the plan, in the step with which it begins.
  [[nodiscard]] std::vector<exec::Transaction> before(const io::FrameHeader& was);
  /// A transaction was posted, for which a reply comes.
  void posted(const exec::Transaction& t) { posted_[t.id] = t; }
  /// Returns why a transaction did not take effect; empty: it did.
  [[nodiscard]] std::string take(const exec::Reply& reply);
  void made(const io::FrameView& was, const io::FrameView& is);
  /// The step reads more images than were recorded: the newest stands again.
  void image_repeated() noexcept { images_repeated_ += begun_ ? 1 : 0; }

  /// The first step of it.
  [[nodiscard]] const std::optional<io::FrameHeader>& begun() const noexcept { return begun_; }
  [[nodiscard]] std::int64_t images_repeated() const noexcept { return images_repeated_; }

 private:
  const BranchPlan& plan_;
  BranchListener& listener_;
  const io::FrameLayout& layout_;
  std::optional<io::FrameHeader> begun_;
  std::int64_t transactions_ = 0;   // that took effect
  std::int64_t next_keyframe_ = 0;  // due then, in steps
  std::int64_t images_repeated_ = 0;
  std::map<std::uint64_t, exec::Transaction> posted_;
  std::vector<std::uint64_t> made_;  // a record
};

}  // namespace hild::replay
