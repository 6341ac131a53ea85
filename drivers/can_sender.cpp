// SPDX-License-Identifier: Apache-2.0
#include "drivers/can_sender.hpp"

#include <cerrno>

#include "drivers/can_socket.hpp"
#include "hild/core/copy_values.hpp"

namespace hild::can {
namespace {

bool has_switches(const Outgoing& message) {
  return std::ranges::any_of(message.parts, [](const auto& p) { return !p.presence.always(); });
}

}  // namespace

Result<Sender> Sender::make(std::vector<Outgoing> messages, std::size_t outputs, Counts& counts) {
  Sender made;
  const std::size_t n = messages.size();
  auto memory = rt::SharedMemory::make((2 * n + outputs + 1) * sizeof(double));
  if (!memory) return tl::make_unexpected(memory.error());
  made.memory_ = std::move(*memory);
  made.messages_ = std::move(messages);
  made.states_.resize(n);
  made.bytes_.resize(n);
  made.headers_.resize(n);
  made.due_.reserve(n);
  made.values_.resize(outputs);
  made.counts_ = &counts;
  for (std::size_t m = 0; m < n; ++m) {
    if (made.messages_[m].trigger) made.triggered_.push_back(m);
    made.states_[m].once = made.messages_[m].sending == Sending::trigger;
  }
  for (std::size_t m = 0; m < n; ++m) {
    Outgoing& message = made.messages_[m];
    const std::uint8_t flags = message.fd ? CANFD_BRS : 0;
    made.states_[m].frame.set_head(message.id, message.padded, flags);
    std::ranges::stable_sort(message.parts, {}, &Outgoing::Part::depth);
    if (has_switches(message)) continue;  // what is in it is seen when it is sent
    for (const Outgoing::Part& part : message.parts) {
      if (!part.output) part.field.encode(part.value, made.states_[m].base);
    }
    std::erase_if(message.parts, [](const auto& part) { return !part.output; });
  }
  return made;
}

std::span<double> Sender::counters() const noexcept {
  return memory_.doubles().first(messages_.size());
}
std::span<double> Sender::ever() const noexcept {
  return memory_.doubles().subspan(messages_.size(), messages_.size());
}
std::span<double> Sender::outputs() const noexcept {
  return memory_.doubles().subspan(2 * messages_.size(), values_.size());
}

void Sender::start(MonoTime zero) noexcept {
  started_ = true;
  for (std::size_t m = 0; m < states_.size(); ++m) states_[m].next = zero + messages_[m].offset;
}

[[gnu::flatten]] int Sender::exchange(int socket, rt::Clock& clock,
                                      std::span<const double> outputs) noexcept {
  const bool wrote = !outputs.empty();
  if (wrote) {
    copy_values(outputs, values_.data());
    for (std::size_t m = 0; m < messages_.size(); ++m) put_in(m);
    for (const std::size_t m : triggered_) look_at_trigger(m);
    written_ = true;
  }
  if (!written_ || bus_off_) return 0;
  const MonoTime now = clock.now();
  due_.clear();
  for (std::size_t m = 0; m < messages_.size(); ++m) {
    const State& state = states_[m];
    const bool due = is_due(m, now, wrote);
    if (tampered_ && (state.wrong.delay.ns > 0 || !state.late.empty())) {
      if (due) delay(m, now);
      prepare_late(m, now);
    } else if (due) {
      prepare(m, state.wrong);
    }
  }
  return hand_over(socket, now);
}

// Switches first: they tell what else is in it.
void Sender::put_in(std::size_t m) noexcept {
  State& state = states_[m];
  state.payload = state.base;
  for (const Outgoing::Part& part : messages_[m].parts) {
    if (!part.presence.in(state.payload)) continue;
    part.field.encode(part.output ? values_[*part.output] : part.value, state.payload);
  }
}

// A message that cannot leave when it is asked for is not sent at another time.
void Sender::look_at_trigger(std::size_t m) noexcept {
  const Outgoing& message = messages_[m];
  State& state = states_[m];
  if (message.sending == Sending::trigger) state.sent = state.payload;  // it is not sent for that
  const double level = values_[*message.trigger];
  outputs()[*message.trigger] = level;
  const bool rises = level >= 0.5 && !state.risen;
  state.risen = level >= 0.5;
  const bool lost = state.wrong.missing || bus_off_ || (message.silent && !started_);
  if (rises && !lost) state.wanted = true;
}

bool Sender::is_due(std::size_t m, MonoTime now, bool wrote) const noexcept {
  const Outgoing& message = messages_[m];
  const State& state = states_[m];
  if (state.wrong.missing) return false;
  if (safe_since_ && now - *safe_since_ > message.safe_for) return false;
  if (state.wanted) return true;
  if (safe_since_) return !message.silent && message.cyclic() && now >= state.next;
  if (!started_) {
    return !message.silent && (changed(m) || (message.cyclic() && now >= state.next));
  }
  switch (message.sending) {
    case Sending::each:
      return wrote;
    case Sending::change:
      return changed(m);
    case Sending::cyclic:
      return now >= state.next;
    case Sending::cyclic_and_change:
      return now >= state.next || changed(m);
    case Sending::trigger:
      return false;
  }
  return false;
}

// The frame as it is to be seen on the bus.
void Sender::make(std::size_t m, const Wrong& wrong) noexcept {
  State& state = states_[m];
  const Outgoing& message = messages_[m];
  const auto payload = state.frame.payload();
  std::ranges::copy(state.payload, payload.begin());
  state.before.counter = static_cast<std::uint8_t>(counters()[m]);
  SendState next = state.before;
  message.protection.protect(payload.first(message.length), next);
  if (!wrong.counter) counters()[m] = next.counter;
  if (wrong.crc) message.protection.spoil(payload.first(message.length));
}

void Sender::prepare(std::size_t m, const Wrong& wrong) noexcept {
  make(m, wrong);
  put_in_row(states_[m].frame, {.message = m, .late = false});
}

void Sender::delay(std::size_t m, MonoTime now) noexcept {
  State& state = states_[m];
  make(m, state.wrong);
  if (!state.late.push(state.frame, now + state.wrong.delay)) {
    return note_unsent({.message = m, .late = false});
  }
  note_made(m, now);
}

void Sender::prepare_late(std::size_t m, MonoTime now) noexcept {
  DelayLine& late = states_[m].late;
  if (late.due(now)) put_in_row(late.front(), {.message = m, .late = true});
}

void Sender::put_in_row(Frame& frame, Due due) noexcept {
  const std::size_t k = due_.size();
  due_.push_back(due);
  bytes_[k] = {frame.whole().data(), messages_[due.message].fd ? CANFD_MTU : CAN_MTU};
  headers_[k] = {};
  headers_[k].msg_hdr.msg_iov = &bytes_[k];
  headers_[k].msg_hdr.msg_iovlen = 1;
}

int Sender::hand_over(int socket, MonoTime now) noexcept {
  if (due_.empty()) return 0;
  const int taken =
      ::sendmmsg(socket, headers_.data(), static_cast<unsigned>(due_.size()), MSG_DONTWAIT);
  const int error = taken < 0 ? errno : 0;
  const auto sent = static_cast<std::size_t>(std::max(taken, 0));
  for (std::size_t k = 0; k < due_.size(); ++k) {
    const auto [m, late] = due_[k];
    if (k >= sent) {
      note_unsent(due_[k]);
      continue;
    }
    counts_->sent.add();
    if (late) {
      states_[m].late.pop();
    } else {
      note_made(m, now);
    }
  }
  return is_lasting(error) ? error : 0;
}

// By the time, not by the last one: what came late does not move those that follow.
void Sender::note_made(std::size_t m, MonoTime now) noexcept {
  const Outgoing& message = messages_[m];
  State& state = states_[m];
  state.sent = state.payload;
  state.once = true;
  state.wanted = false;
  ever()[m] = 1;
  for (const Outgoing::Part& part : message.parts) {
    if (part.output && part.presence.in(state.payload)) {
      outputs()[*part.output] = values_[*part.output];
    }
  }
  if (!message.cyclic() || now < state.next) return;
  if (!started_) {
    state.next = now + message.cycle;
  } else {
    state.next += message.cycle * ((now - state.next).ns / message.cycle.ns + 1);
  }
}

// The next one carries its counter: nobody is to miss what never was. A late one is later still.
void Sender::note_unsent(const Due& due) noexcept {
  counts_->unsent.add();
  if (due.late) return;
  counters()[due.message] = states_[due.message].before.counter;
  states_[due.message].wanted = true;
}

bool Sender::flush(int socket, rt::Clock& clock) noexcept {
  if (!written_) return true;
  due_.clear();
  for (std::size_t m = 0; m < messages_.size(); ++m) {
    const bool wanted = started_ || !messages_[m].silent;
    const bool late = states_[m].late.clear();
    if (wanted && (changed(m) || states_[m].wanted || late)) prepare(m, Wrong{});
  }
  const MonoTime now = clock.now();
  if (hand_over(socket, now) != 0) return false;
  const auto left = [&](const Due& d) { return states_[d.message].wanted; };
  if (std::ranges::any_of(due_, left)) return false;
  if (!safe_since_) safe_since_ = now;
  return true;
}

Duration Sender::safe_for() const noexcept {
  Duration longest{};
  for (const Outgoing& message : messages_) {
    if (!message.silent) longest = std::max(longest, message.safe_for);
  }
  return longest;
}

bool Sender::last(std::span<double> outputs) const noexcept {
  if (counts_ == nullptr) return false;
  for (std::size_t m = 0; m < messages_.size(); ++m) {
    const auto& parts = messages_[m].parts;
    const bool any = std::ranges::any_of(parts, [](const auto& p) { return p.output.has_value(); });
    if (any && ever()[m] == 0) return false;
  }
  std::ranges::copy(this->outputs().first(outputs.size()), outputs.begin());
  return true;
}

}  // namespace hild::can
