// SPDX-License-Identifier: Apache-2.0
#include "drivers/can_receiver.hpp"

#include <linux/can/error.h>

#include <cerrno>
#include <cmath>

#include "drivers/can_socket.hpp"

namespace hild::can {
namespace {

// Before the first frame there was none for longer than any input may be old.
constexpr Duration never = 31'536'000_s;

std::int64_t wall_clock() noexcept {
  timespec t{};
  ::clock_gettime(CLOCK_REALTIME, &t);
  return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

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
      states_(messages_.size()),
      times_(opened),
      counts_(&counts),
      slots_(at_once),
      headers_(at_once),
      values_(std::move(start)),
      incoming_(most_parts(messages_)),
      sampled_(messages_.size(), opened - never) {
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    const std::span room = slots_[i].frame.whole();
    slots_[i].bytes = {room.data(), room.size()};
    clean(i);
  }
}

// What the kernel writes into a header it also reads from there.
void Receiver::clean(std::size_t slot) noexcept {
  Slot& s = slots_[slot];
  msghdr& header = headers_[slot].msg_hdr;
  header = {};
  header.msg_iov = &s.bytes;
  header.msg_iovlen = 1;
  header.msg_control = s.told.bytes.data();
  header.msg_controllen = s.told.bytes.size();
}

int Receiver::read(int socket, rt::Clock& clock) noexcept {
  const MonoTime began = clock.now();
  const auto most = static_cast<unsigned>(headers_.size());
  const int came = ::recvmmsg(socket, headers_.data(), most, MSG_DONTWAIT, nullptr);
  if (came < 0) {
    const int error = errno;
    if (error == EAGAIN) times_.emptied(began);
    return is_lasting(error) ? error : 0;
  }
  const std::int64_t wall = wall_clock();
  times_.look(wall, clock.now());
  for (std::size_t i = 0; i < static_cast<std::size_t>(came); ++i) {
    look_at(i);
    clean(i);
  }
  if (static_cast<unsigned>(came) < most) {
    times_.emptied(began);
  } else {
    counts_->full.add();
  }
  return 0;
}

MonoTime Receiver::arrival_of(msghdr& header) noexcept {
  MonoTime arrived = times_.now();
  for (cmsghdr* c = CMSG_FIRSTHDR(&header); c != nullptr; c = CMSG_NXTHDR(&header, c)) {
    if (c->cmsg_level != SOL_SOCKET) continue;
    if (c->cmsg_type == SO_TIMESTAMPNS) {
      timespec t{};
      std::memcpy(&t, CMSG_DATA(c), sizeof t);
      arrived = times_.arrived(std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec);
    } else if (c->cmsg_type == SO_RXQ_OVFL) {
      std::uint32_t all = 0;  // since the socket is there, with 32 bits
      std::memcpy(&all, CMSG_DATA(c), sizeof all);
      counts_->dropped.add(all - dropped_);
      dropped_ = all;
    }
  }
  return arrived;
}

void Receiver::look_at(std::size_t slot) noexcept {
  const Frame& frame = slots_[slot].frame;
  const MonoTime arrived = arrival_of(headers_[slot].msg_hdr);
  const std::size_t size = headers_[slot].msg_len;
  if (size != CAN_MTU && size != CANFD_MTU) return;  // no frame
  const canid_t id = frame.id();
  if ((id & CAN_ERR_FLAG) != 0) return note_error(frame);
  const std::size_t room = size - Frame::header;
  for (std::size_t m = 0; m < messages_.size(); ++m) {
    const Incoming& message = messages_[m];
    if ((id & message.mask) != message.id) continue;
    counts_->received.add();
    if (frame.length() < message.length || frame.length() > room) {
      return counts_->wrong_length.add();
    }
    if (!is_right(m, frame)) return;
    if (!take(message, frame)) return counts_->not_finite.add();
    sampled_[m] = arrived;
    return;
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
  if ((id & CAN_ERR_BUSOFF) != 0) counts_->bus_off.add();
  if ((id & CAN_ERR_RESTARTED) != 0) counts_->restarts.add();
}

}  // namespace hild::can
