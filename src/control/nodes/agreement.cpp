// SPDX-License-Identifier: Apache-2.0
#include "control/nodes/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hild/rt/clock.hpp"
#include "hild/rt/tai.hpp"

namespace hild::nodes {
namespace {

using io::Ask;

// What was asked for long ago is not done when a node begins and hears of it. Clocks may differ.
bool fresh(std::int64_t number, const Now& now, Duration within = trust) noexcept {
  return number > now.tai - within.ns && number < now.tai + within.ns;
}

// Where it was asked to do both, it is safe.
void disarm(Orders& orders, std::string why) {
  orders.arm = false;
  orders.disarm = true;
  orders.why = std::move(why);
}

}  // namespace

Agreement::Agreement(std::string_view own, std::span<const Name> members)
    : own_(own), members_(members.begin(), members.end()) {
  std::ranges::sort(members_, {}, [](const Name& name) { return name.view(); });
}

const io::Peer* Agreement::member_here(std::string_view node) const {
  const auto found = std::ranges::find_if(
      peers_, [&](const io::Peer& peer) { return peer.here && peer.node == node; });
  return found == peers_.end() ? nullptr : &*found;
}

template <class Is>
std::string Agreement::those(Is is) const {
  std::string names;
  for (const Name& member : members_) {
    if (member == own_.view() || !is(member_here(member.view()))) continue;
    names += names.empty() ? "" : ", ";
    names += member.view();
  }
  return names;
}

std::string Agreement::missing() const {
  return those([](const io::Peer* peer) { return peer == nullptr; });
}

Orders Agreement::look(const Self& self, std::vector<io::Peer> peers, const Now& now) {
  peers_ = std::move(peers);
  words_.armed = self.armed;
  words_.may_arm = self.may_arm;
  words_.frame = self.frame;
  words_.overruns = self.overruns;
  Orders orders;
  if (words_.waits) {
    look_for_beginning(now, orders);
    return orders;
  }
  go_on_asking(self, now, orders);
  for (const Name& member : members_) {
    if (const io::Peer* peer = member_here(member.view())) heed(*peer, self, now, orders);
  }
  keep_promise(self, now, orders);
  return orders;
}

Now read_clocks() {
  const MonoTime mono = rt::monotonic_now();
  return {mono, mono.ns + rt::kernel_tai().read().ahead.ns};
}

// ---- beginning ---------------------------------------------------------------------------------

void Agreement::look_for_beginning(const Now& now, Orders& orders) {
  if (begins_) {
    words_.waits = now.tai < *begins_;
    return;
  }
  if (members_.empty()) return begin_at(now.tai, now, orders);
  if (const io::Peer* first = member_here(members_.front().view())) {
    const io::NodeWords& its = first->words;
    const bool taken_up = its.first_tick != 0 && words_.first_tick == its.first_tick;
    if (taken_up && its.ask == Ask::begin && its.number == its.first_tick) {
      return begin_at(its.first_tick, now, orders);
    }
  }
  const auto runs = [](const io::Peer* peer) { return peer != nullptr && !peer->words.waits; };
  if (!those(runs).empty()) return begin_at(now.tai, now, orders);
  if (!missing().empty()) {
    words_.first_tick = 0;
    return;
  }
  if (members_.front() == own_.view()) return propose(now, orders);
  words_.first_tick = member_here(members_.front().view())->words.first_tick;
}

// One that not all have taken up in time is withdrawn, and nobody begins then: all wait for its
// being agreed to.
void Agreement::propose(const Now& now, Orders& orders) {
  const std::int64_t tick = words_.first_tick;
  if (tick == 0 || now.tai > tick - notice.ns / 4) {
    words_.first_tick = now.tai + notice.ns;
    return;
  }
  const auto differs = [tick](const io::Peer* peer) { return peer->words.first_tick != tick; };
  if (!those(differs).empty()) return;
  words_.ask = Ask::begin;
  words_.number = tick;
  begin_at(tick, now, orders);
}

void Agreement::begin_at(std::int64_t tick, const Now& now, Orders& orders) {
  begins_ = tick;
  orders.begin = tick;
  words_.first_tick = tick;
  words_.waits = now.tai < tick;
}

// ---- asking ------------------------------------------------------------------------------------

Result<void> Agreement::arm_all(const Now& now) {
  if (members_.empty()) {
    return fail(
        "the nodes of this system agree on nothing: name those that do, as `members` of "
        "the device of each that connects them, or arm each by itself");
  }
  if (words_.waits) return fail("it has not begun yet: expected all members to run first");
  if (round_.state == Round::State::under_way) return fail("an arming of all is under way already");
  if (promise_) return fail("node {} is arming all just now", promise_->to.view());
  if (const std::string gone = missing(); !gone.empty()) {
    return fail("nothing is heard of {}: expected all members to be there", gone);
  }
  words_.ask = Ask::prepare;
  words_.number = std::max(now.tai, words_.number + 1);
  asked_ = now.mono;
  round_ = {Round::State::under_way, words_.number, "asking all members whether they can be armed"};
  return {};
}

void Agreement::disarm_all(const Now& now) {
  words_.ask = Ask::disarm;
  words_.number = std::max(now.tai, words_.number + 1);
  promise_.reset();
  round_ = {Round::State::done, words_.number, "all members are told to disarm"};
}

void Agreement::go_on_asking(const Self& self, const Now& now, Orders& orders) {
  if (words_.ask == Ask::done && !proven_) return look_whether_it_stands(self, now, orders);
  if (round_.state != Round::State::under_way) return;
  if (const std::string gone = missing(); !gone.empty()) {
    return refuse(fmt::format("nothing is heard of {} any more", gone), orders);
  }
  if (words_.ask == Ask::commit) return look_at_armed(self, now, orders);
  if (!self.armed && !self.may_arm) {
    return refuse(fmt::format("{}, this node, cannot be armed", own_.view()), orders);
  }
  look_at_answers(now, orders);
}

void Agreement::look_at_answers(const Now& now, Orders& orders) {
  const std::int64_t number = words_.number;
  const std::string no = those([number](const io::Peer* peer) {
    return peer->words.answer_to == number && !peer->words.yes;
  });
  if (!no.empty()) return refuse(fmt::format("{} cannot be armed", no), orders);
  const std::string silent =
      those([number](const io::Peer* peer) { return peer->words.answer_to != number; });
  if (silent.empty()) {
    words_.ask = Ask::commit;
    asked_ = now.mono;
    orders.arm = true;
    orders.why = "all members can be armed";
  } else if (now.mono - asked_ > patience) {
    refuse(fmt::format("no answer from {}", silent), orders);
  }
}

void Agreement::look_at_armed(const Self& self, const Now& now, Orders& orders) {
  std::string safe = those([](const io::Peer* peer) { return !peer->words.armed; });
  if (!self.armed) safe += fmt::format("{}{}", safe.empty() ? "" : ", ", own_.view());
  if (safe.empty()) {
    words_.ask = Ask::done;
    asked_ = now.mono;
    proven_ = false;
    round_.state = Round::State::done;
    round_.words = fmt::format("all {} members are armed", members_.size());
  } else if (now.mono - asked_ > patience) {
    refuse(fmt::format("{} was not armed", safe), orders);
  }
}

// One may have heard too late that it does, and the others are to follow it. By then nobody takes
// anything back any more.
void Agreement::look_whether_it_stands(const Self& self, const Now& now, Orders& orders) {
  std::string safe =
      those([](const io::Peer* peer) { return peer == nullptr || !peer->words.armed; });
  if (!self.armed) safe += fmt::format("{}{}", safe.empty() ? "" : ", ", own_.view());
  if (safe.empty()) {
    proven_ = now.mono - asked_ > proof;
    return;
  }
  std::string why = fmt::format("{} did not stay armed: all are disarmed again", safe);
  disarm(orders, why);
  disarm_all(now);
  round_.state = Round::State::refused;
  round_.words = std::move(why);
}

// Where some may have been armed already, all are disarmed.
void Agreement::refuse(std::string why, Orders& orders) {
  if (words_.ask == Ask::commit) {
    why += ": all are disarmed again";
    disarm(orders, why);
  }
  if (words_.ask != Ask::disarm) words_.ask = Ask::revoke;
  round_.state = Round::State::refused;
  round_.words = std::move(why);
}

// ---- being asked -------------------------------------------------------------------------------

void Agreement::heed(const io::Peer& peer, const Self& self, const Now& now, Orders& orders) {
  const io::NodeWords& its = peer.words;
  if (its.ask == Ask::disarm && its.number > obeyed_ && fresh(its.number, now, late)) {
    obeyed_ = its.number;
    promise_.reset();
    const std::string why = fmt::format("node {} disarms all", peer.node.view());
    if (round_.state == Round::State::under_way) refuse(why, orders);
    return disarm(orders, why);
  }
  const bool can = self.armed || self.may_arm;
  if (its.ask == Ask::prepare && fresh(its.number, now)) return answer(peer, can, now);
  if (!promise_ || promise_->number != its.number || promise_->to != peer.node.view()) return;
  if (its.ask == Ask::commit && !promise_->armed) {
    words_.yes = can;
    if (!can) return promise_.reset();
    promise_->armed = true;
    promise_->since = now.mono;
    orders.arm = true;
    orders.why = fmt::format("node {} arms all", peer.node.view());
  } else if (its.ask == Ask::revoke) {
    if (promise_->armed) {
      disarm(orders, fmt::format("node {} takes the arming of all back", peer.node.view()));
    }
    promise_.reset();
  } else if (its.ask == Ask::done) {
    promise_.reset();
  }
}

// One at a time: who asks while another one does, or while this one does, hears no answer. Until it
// is armed one that has agreed may still refuse.
void Agreement::answer(const io::Peer& peer, bool can, const Now& now) {
  const bool same = promise_ && promise_->to == peer.node.view();
  if (round_.state == Round::State::under_way || (promise_ && !same)) return;
  if (same && promise_->armed) return;  // keep_promise() looks at who asks anew before it stands
  const bool again = words_.answer_to == peer.words.number;
  if (again && !words_.yes) return;
  words_.answer_to = peer.words.number;
  words_.yes = can;
  if (!can) {
    promise_.reset();
  } else if (!again) {
    promise_ = Promise{peer.node, peer.words.number, now.mono};
  }
}

void Agreement::keep_promise(const Self& self, const Now& now, Orders& orders) {
  if (!promise_) return;
  const io::Peer* const asker = member_here(promise_->to.view());
  const bool moved_on = asker != nullptr && asker->words.number != promise_->number;
  const bool over = asker == nullptr || moved_on || now.mono - promise_->since > trust;
  if (!over) return;
  const bool stands = moved_on && asker->words.armed;
  if (promise_->armed && !stands && (self.armed || orders.arm)) {
    disarm(orders, fmt::format("node {} armed all and did not say that all are armed",
                               promise_->to.view()));
  }
  promise_.reset();
}

}  // namespace hild::nodes
