// SPDX-License-Identifier: Apache-2.0
#include "offline/replay/branch.hpp"

#include <fmt/format.h>

#include <cstring>

namespace hild::replay {
namespace {

// Beyond those that a server gives. What took effect before is counted in them, so that none is
// there twice in a branch of a branch.
constexpr std::uint64_t first_id = std::uint64_t{1} << 62U;

}  // namespace

std::vector<exec::Transaction> Branch::before(const io::FrameHeader& was) {
  if (begun_) {
    if (plan_.keyframes > 0 && was.step >= next_keyframe_ && !was.frozen) {
      next_keyframe_ = was.step + plan_.keyframes;
      if (const auto state = save()) listener_.keyframe(*state);
    }
    return {};
  }
  if (was.t < plan_.at) return {};
  begun_ = was;
  next_keyframe_ = was.step + plan_.keyframes;
  const std::optional<exec::Keyframe> state = was.step > 0 ? save() : std::nullopt;
  const std::int64_t before = state ? state->head.transactions : transactions_;
  listener_.begin(was, state ? &*state : nullptr, before);
  std::vector<exec::Transaction> changes = plan_.changes;
  std::uint64_t id = first_id + static_cast<std::uint64_t>(before);
  for (exec::Transaction& t : changes) {
    t.id = id++;
    t.when = exec::When::at_frame(was.frame);
  }
  return changes;
}

std::string Branch::take(const exec::Reply& reply) {
  if (reply.kind == exec::Reply::Kind::released) return {};
  const auto found = posted_.find(reply.id);
  if (found == posted_.end()) return {};
  const exec::Transaction t = found->second;
  posted_.erase(found);
  if (reply.kind == exec::Reply::Kind::refused) {
    if (reply.refusal == exec::Refusal::run_ended) return {};
    return fmt::format("frame {}: change {} {}: {}", reply.frame, reply.change + 1,
                       reply.id >= first_id ? "of the branch is refused"
                                            : "that took effect in the recorded run is refused",
                       to_string(reply.refusal));
  }
  ++transactions_;
  if (begun_) listener_.changed(t, reply);
  return {};
}

// When it ran is as it was recorded; what a pass took is not known.
void Branch::made(const io::FrameView& was, const io::FrameView& is) {
  if (!begun_) return;
  std::memcpy(made_.data(), &is.header(), layout_.bytes());
  auto* const place = reinterpret_cast<std::byte*>(made_.data());
  io::FrameHeader& h = io::FrameSlot(layout_, place).header();
  const io::FrameHeader& then = was.header();
  h.phases = then.phases;
  h.cause = then.cause;
  h.late_wake = then.late_wake;
  h.waited_for = then.waited_for;
  listener_.step(was, {layout_, place});
}

}  // namespace hild::replay
