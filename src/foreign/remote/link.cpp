// SPDX-License-Identifier: Apache-2.0
#include "foreign/remote/link.hpp"

#include <algorithm>
#include <utility>

#include "hild/rt/fetch.hpp"

namespace hild::remote {

Link::Link(std::unique_ptr<Shared> shared, std::unique_ptr<Keeper> process, Duration answer_within,
           bool starts)
    : shared_(std::move(shared)),
      process_(std::move(process)),
      answer_within_(answer_within),
      left_(answer_within) {
  known_.starts = starts;
  rt::fetch(shared_->header().reply.together, reply_.together);
  known_.together = reply_.together == 1;
  take_reply();
}

bool Link::ask(Call call) noexcept {
  if (lost_) return false;
  Header& h = shared_->header();
  call_ = call;
  h.request.call = call;
  h.asked.ring();
  if (!h.answered.wait(answers_, left_)) {
    lost_ = step_lost_ = true;
    owe();
    return false;
  }
  return take_reply();
}

// What is asked with belongs to the other process as long as it owes an answer.
bool Link::ask(Call call, double number, In x, In u) noexcept {
  if (lost_) return false;
  request().number = number;
  std::ranges::copy(x, shared_->x.begin());
  std::ranges::copy(u, shared_->u.begin());
  return ask(call);
}

bool Link::ask_for(Call call, double number, In x, In u, Out out) noexcept {
  if (!ask(call, number, x, u) || reply_.yes == 0) return false;
  rt::fetch_all(shared_->out.first(out.size()), out);
  return true;
}

bool Link::ask_after(Call call, SimTime t) noexcept {
  if (lost_) return false;
  request().t = asked_ = t;
  return ask(call);
}

// What came is one answer, with words within their bounds; or it is the last.
bool Link::take_reply() noexcept {
  const std::uint32_t came = shared_->header().answered.rung() - answers_;
  ++answers_;
  rt::fetch(shared_->header().reply, reply_);
  const auto breach = came == 1 ? breach_of(reply_, call_, asked_, known_)
                                : Breach{"answers", came, "1 to a request"};
  if (breach) {
    break_off(*breach);
    return false;
  }
  const std::int64_t late = known_.cap_counts.late_answers;
  known_.cap_counts = reply_.cap_counts;
  known_.cap_counts.late_answers = late;
  known_.cap_counts.owes = known_.cap_counts.gone = false;
  return true;
}

void Link::take_states(Out states) const noexcept { rt::fetch_all(shared_->states, states); }

void Link::take_step_start(Out states, Out derivatives) const noexcept {
  rt::fetch_all(shared_->start_states, states);
  rt::fetch_all(shared_->start_derivatives, derivatives);
}

// One more step without an answer, which may be the end of them.
void Link::owe() noexcept {
  ++known_.cap_counts.late_answers;
  known_.cap_counts.owes = true;
  known_.cap_counts.gone = breach_.has_value() || shared_->header().life.cut();
}

void Link::break_off(const Breach& why) noexcept {
  breach_ = why;
  lost_ = step_lost_ = true;
  owe();
  process_->end(why);
}

void Link::find_again() noexcept {
  if (breach_ || shared_->header().answered.rung() == answers_) {
    owe();
    return;
  }
  lost_ = false;
  take_reply();
}

}  // namespace hild::remote
