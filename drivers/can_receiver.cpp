// SPDX-License-Identifier: Apache-2.0
#include "drivers/can_receiver.hpp"

#include <linux/can/error.h>

#include <cerrno>
#include <cmath>

#include "drivers/can_socket.hpp"

namespace hild::can {
namespace {

std::size_t most_parts(std::span<const Incoming> messages) {
  std::size_t most = 0;
  for (const Incoming& one : messages) most = std::max(most, one.parts.size());
  return most;
}

}  // namespace

std::vector<can_filter> filters_of(std::span<const Incoming> messages) {
  std::vector<can_filter> all;
  for (const Incoming& one : messages) all.push_back({.can_id = one.id, .can_mask = one.mask});
  return all;
}

Receiver::Receiver(std::vector<Incoming> messages, std::vector<double> start, std::size_t at_once,
                   MonoTime opened, Counts& counts)
    : messages_(std::move(messages)),
      table_(messages_),
      states_(messages_.size()),
      counts_(&counts),
      frames_(at_once),
      values_(std::move(start)),
      incoming_(most_parts(messages_)),
      sampled_(messages_.size(), opened - before_any),
      wrong_(messages_.size()),
      late_(messages_.size()) {
  std::vector<iovec> rooms;
  for (Frame& frame : frames_) rooms.push_back({frame.whole().data(), frame.whole().size()});
  reads_ = StampedReads(rooms, opened, counts.dropped, &counts.stamps);
}

[[gnu::flatten]] int Receiver::read(int socket, rt::Clock& clock) noexcept {
  const int came = reads_.read(socket, clock);
  const int error = came < 0 ? errno : 0;
  if (waiting_ > 0) take_late(clock.now());
  if (error != 0) return is_lasting(error) ? error : 0;
  for (std::size_t i = 0; i < static_cast<std::size_t>(came); ++i) look_at(i);
  if (came == reads_.most()) counts_->full.add();
  return 0;
}

void Receiver::look_at(std::size_t slot) noexcept {
  const Frame& frame = frames_[slot];
  const auto [size, arrived, sender, sender_size] = reads_.take(slot);
  if (size != CAN_MTU && size != CANFD_MTU) return;  // no frame
  const canid_t id = frame.id();
  if ((id & CAN_ERR_FLAG) != 0) return note_error(frame);
  if (bus_off_) return;
  const std::size_t room = size - Frame::header;
  const auto found = table_.find(id);
  if (!found) return;
  const std::size_t m = *found;
  if (tampered_ && wrong_[m].missing) return;
  counts_->received.add();
  const std::size_t length = messages_[m].length;
  if (frame.length() < length || frame.length() > room) return counts_->wrong_length.add();
  const bool late = tampered_ && (wrong_[m].delay.ns > 0 || !late_[m].empty());
  return late ? delay(m, frame, arrived) : arrive(m, frame, arrived);
}

void Receiver::arrive(std::size_t m, const Frame& frame, MonoTime arrived) noexcept {
  if (tampered_ && wrong_[m].crc) return counts_->wrong_crc.add();
  if (tampered_ && wrong_[m].counter) return counts_->wrong_counter.add();
  if (!is_right(m, frame)) return;
  if (!take(messages_[m], frame)) return counts_->not_finite.add();
  sampled_[m] = arrived;
}

void Receiver::delay(std::size_t m, const Frame& frame, MonoTime arrived) noexcept {
  if (!late_[m].push(frame, arrived + wrong_[m].delay)) return counts_->dropped.add();
  ++waiting_;
}

// They arrive when they come out.
void Receiver::take_late(MonoTime now) noexcept {
  for (std::size_t m = 0; m < late_.size(); ++m) {
    for (DelayLine& line = late_[m]; line.due(now); line.pop()) {
      --waiting_;
      arrive(m, line.front(), line.out());
    }
  }
}

bool Receiver::is_right(std::size_t m, const Frame& frame) noexcept {
  const Incoming& message = messages_[m];
  const auto payload = frame.payload().first(message.length);
  switch (message.protection.check(payload, states_[m])) {
    case Verdict::lost:
      counts_->lost.add();
      return true;
    case Verdict::wrong_crc:
      counts_->wrong_crc.add();
      return false;
    case Verdict::wrong_sequence:
    case Verdict::repeated:
      counts_->wrong_counter.add();
      return false;
    case Verdict::ok:
      break;
  }
  return true;
}

// As a whole, or not at all. A signal that is not in the frame keeps its value.
bool Receiver::take(const Incoming& message, const Frame& frame) noexcept {
  const auto payload = frame.payload();
  for (std::size_t i = 0; i < message.parts.size(); ++i) {
    const Incoming::Part& part = message.parts[i];
    const bool there = part.presence.in(payload);
    incoming_[i] = there ? part.field.decode(payload) : values_[part.input];
    if (!std::isfinite(incoming_[i])) return false;
  }
  for (std::size_t i = 0; i < message.parts.size(); ++i) {
    values_[message.parts[i].input] = incoming_[i];
  }
  return true;
}

void Receiver::note_error(const Frame& frame) noexcept {
  const canid_t id = frame.id();
  const unsigned controller = frame.payload()[1];
  const bool told = (id & CAN_ERR_CRTL) != 0;
  constexpr unsigned passive = CAN_ERR_CRTL_RX_PASSIVE | CAN_ERR_CRTL_TX_PASSIVE;
  if (told && (controller & passive) != 0) counts_->error_passive.add();
  if (told && (controller & CAN_ERR_CRTL_RX_OVERFLOW) != 0) counts_->overflow.add();
  constexpr canid_t of_bus = CAN_ERR_PROT | CAN_ERR_TRX | CAN_ERR_ACK | CAN_ERR_BUSERROR;
  if ((id & of_bus) != 0) counts_->bus_errors.add();
  if ((id & CAN_ERR_BUSOFF) != 0) counts_->bus_off.add();
  if ((id & CAN_ERR_RESTARTED) != 0) counts_->restarts.add();
}

}  // namespace hild::can
