// SPDX-License-Identifier: Apache-2.0
#include "foreign/remote/link.hpp"

#include <algorithm>
#include <utility>

#include "hild/rt/fetch.hpp"

namespace hild::remote {
namespace {

// Whether the model is the same afterwards: its functions are those of what they are given.
bool only_looks(Call call) noexcept {
  switch (call) {
    case Call::derivatives:
    case Call::jacobian:
    case Call::outputs:
    case Call::event_functions:
    case Call::next_time_event:
    case Call::dense:
    case Call::error_estimate:
    case Call::measure_state:
    case Call::save_state:
      return true;
    default:
      return false;
  }
}

}  // namespace

Link::Link(std::unique_ptr<Shared> shared, std::unique_ptr<Keeper> process, Duration answer_within,
           bool starts, bool timed)
    : shared_(std::move(shared)),
      process_(std::move(process)),
      answer_within_(answer_within),
      left_(answer_within) {
  known_.starts = starts;
  known_.timed = timed;
  rt::fetch(shared_->header().reply.together, reply_.together);
  known_.together = reply_.together == 1;
  take_reply();
}

bool Link::ask(Call call) noexcept { return send(call) && receive(); }

bool Link::send(Call call) noexcept {
  if (lost_) return false;
  if (!only_looks(call)) ++changes_;
  request().begins = std::exchange(begins_, false) ? 1 : 0;
  asked_.call = call;
  request().call = call;
  shared_->header().asked.ring();
  return true;
}

// The time to wait is counted from here: until now others were waited for, on the same CPU perhaps.
bool Link::receive() noexcept {
  if (!shared_->header().answered.wait(answers_, left_)) {
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
  request().t = asked_.t = t;
  return ask(call);
}

void Link::begin_with_next(SimTime t, Duration h) noexcept {
  request().begin_t = t;
  request().begin_h = h;
  begins_ = true;
  ++changes_;
}

bool Link::send_step(Call call, SimTime t, Duration h, double end, In u) noexcept {
  if (lost_) return false;
  request().t = asked_.t = t;
  request().h = h;
  asked_.end = t + h;
  request().number = end;
  std::ranges::copy(u, shared_->u.begin());
  return send(call);
}

// What came is one answer, with words within their bounds; or it is the last.
bool Link::take_reply() noexcept {
  const std::uint32_t came = shared_->header().answered.rung() - answers_;
  ++answers_;
  rt::fetch(shared_->header().reply, reply_);
  const auto breach =
      came == 1 ? breach_of(reply_, asked_, known_) : Breach{"answers", came, "1 to a request"};
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

// ---- the model's state -------------------------------------------------------------------------

void Link::transfer(Archive& archive, int made) noexcept {
  if (lost_) return archive.refuse("the process of the model owes an answer");
  renew();
  request().made = made;
  request().t = archive.now().time;
  if (!state_.measured && (archive.measures() || archive.loads())) measure_state();
  if (!state_.measured) return archive.refuse(state_.cannot_save);
  std::size_t now = 0;
  if (!archive.loads() && !archive.measures()) {
    const auto saved = save_state();
    if (!saved) return archive.refuse("the process of the model did not give its state");
    now = *saved;
  }
  const std::size_t n = archive.size(now, state_.bytes.size(), "bytes of the model's state");
  archive.bytes(std::span(state_.bytes).first(n));
  if (archive.loads() && archive.good() && !load_state(n)) {
    archive.refuse("the process of the model does not take its state back");
  }
}

// Before the run: there is room for it from here on.
void Link::measure_state() {
  if (!ask(Call::measure_state)) {
    state_.cannot_save = "the process of the model did not tell the size of its state";
  } else if (reply_.yes == 0) {
    state_.why_not = reply_.function;
    state_.cannot_save = state_.why_not.data();
  } else {
    known_.state_bytes = reply_.bytes;
    state_.bytes.resize(reply_.bytes);
    state_.measured = true;
  }
}

// How many bytes it has now.
std::optional<std::size_t> Link::save_state() noexcept {
  std::size_t whole = 0;
  std::size_t from = 0;
  do {
    request().index = from / piece_bytes;
    if (!ask(Call::save_state) || reply_.yes == 0) return std::nullopt;
    if (from == 0) whole = reply_.bytes;
    const std::size_t n = std::min(piece_bytes, whole - from);
    rt::fetch_all(shared_->piece.first(n), std::span(state_.bytes).subspan(from, n));
    from += n;
  } while (from < whole);
  return whole;
}

bool Link::load_state(std::size_t bytes) noexcept {
  request().bytes = bytes;
  std::size_t from = 0;
  do {
    const std::size_t n = std::min(piece_bytes, bytes - from);
    request().index = from / piece_bytes;
    std::copy_n(state_.bytes.begin() + static_cast<std::ptrdiff_t>(from), n,
                shared_->piece.begin());
    if (!ask(Call::load_state) || reply_.yes == 0) return false;
    from += n;
  } while (from < bytes);
  return true;
}

// ---- answers -----------------------------------------------------------------------------------

void Link::take_states(Out states) const noexcept { rt::fetch_all(shared_->states, states); }

void Link::take_step_start(Out states, Out derivatives) const noexcept {
  rt::fetch_all(shared_->start_states, states);
  rt::fetch_all(shared_->start_derivatives, derivatives);
}

void Link::take_end(Out outputs, Out events) const noexcept {
  rt::fetch_all(shared_->outputs, outputs);
  rt::fetch_all(shared_->events, events);
}

void Link::take_slopes(Out slopes) const noexcept { rt::fetch_all(shared_->slopes, slopes); }

void Link::take_error(Out error) const noexcept { rt::fetch_all(shared_->error, error); }

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
