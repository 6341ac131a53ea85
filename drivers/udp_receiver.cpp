// SPDX-License-Identifier: Apache-2.0
#include "drivers/udp_receiver.hpp"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <ctime>

#include "drivers/udp_socket.hpp"

namespace hild::udp {
namespace {

// Before the first packet there was none for longer than any input may be old.
constexpr Duration never = 31'536'000_s;

unsigned bits_of(const std::optional<Field>& sequence) noexcept {
  return sequence ? static_cast<unsigned>(8 * size_of(sequence->type)) : 32;
}

std::int64_t wall_clock() noexcept {
  timespec t{};
  ::clock_gettime(CLOCK_REALTIME, &t);
  return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

}  // namespace

Receiver::Receiver(ReceiveSettings settings, std::vector<double> start, MonoTime opened,
                   Counts& counts)
    : settings_(std::move(settings)),
      sequence_(bits_of(settings_.packet.sequence_field())),
      times_(opened),
      counts_(&counts),
      memory_(settings_.at_once * (settings_.packet.length() + 1)),
      slots_(settings_.at_once),
      headers_(settings_.at_once),
      values_(std::move(start)),
      incoming_(values_.size()),
      sampled_(opened - never) {
  const std::size_t room = settings_.packet.length() + 1;  // so that a longer packet shows
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    slots_[i].bytes = {memory_.data() + i * room, room};
    clean(i);
  }
}

// What the kernel writes into a header it also reads from there.
void Receiver::clean(std::size_t slot) noexcept {
  Slot& s = slots_[slot];
  msghdr& header = headers_[slot].msg_hdr;
  header = {};
  header.msg_name = &s.sender;
  header.msg_namelen = sizeof s.sender;
  header.msg_iov = &s.bytes;
  header.msg_iovlen = 1;
  header.msg_control = s.told.bytes.data();
  header.msg_controllen = s.told.bytes.size();
}

int Receiver::read(int socket, rt::Clock& clock) noexcept {
  const MonoTime began = clock.now();
  const MonoTime short_read = std::exchange(short_read_, MonoTime{});
  const auto most = static_cast<unsigned>(headers_.size());
  int came = ::recvmmsg(socket, headers_.data(), most, MSG_DONTWAIT, nullptr);
  const bool trouble = came < 0 && errno != EAGAIN;
  if (!trouble && short_read.ns != 0) times_.emptied(short_read);
  if (came < 0 && trouble_of(errno) == Trouble::network) {
    counts_->refused.add();
    forget_errors(socket);
    came = ::recvmmsg(socket, headers_.data(), most, MSG_DONTWAIT, nullptr);
  }
  if (came < 0) {
    const int error = errno;
    if (error == EAGAIN) times_.emptied(began);
    return trouble_of(error) == Trouble::lasting ? error : 0;
  }
  const std::int64_t wall = wall_clock();
  times_.look(wall, clock.now());
  for (std::size_t i = 0; i < static_cast<std::size_t>(came); ++i) {
    look_at(i);
    clean(i);
  }
  if (static_cast<unsigned>(came) < most) {
    // Or an error stands behind what was read, and packets behind that: the next read tells.
    short_read_ = began;
  } else {
    counts_->full.add();
  }
  return 0;
}

void Receiver::look_at(std::size_t slot) noexcept {
  const Slot& s = slots_[slot];
  msghdr& header = headers_[slot].msg_hdr;
  MonoTime arrived = times_.now();
  for (cmsghdr* c = CMSG_FIRSTHDR(&header); c != nullptr; c = CMSG_NXTHDR(&header, c)) {
    if (c->cmsg_level != SOL_SOCKET) continue;
    if (c->cmsg_type == SO_TIMESTAMPNS) {
      timespec t{};
      std::memcpy(&t, CMSG_DATA(c), sizeof t);
      arrived = times_.arrived(std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec);
    } else if (c->cmsg_type == SO_RXQ_OVFL) {
      std::uint32_t all = 0;
      std::memcpy(&all, CMSG_DATA(c), sizeof all);
      count_dropped(all);
    }
  }
  if (settings_.from && !settings_.from->is(s.sender, header.msg_namelen)) {
    return counts_->wrong_sender.add();
  }
  const std::size_t length = headers_[slot].msg_len;
  if (length != settings_.packet.length()) return counts_->wrong_length.add();
  const std::span packet(static_cast<const std::byte*>(s.bytes.iov_base), length);
  counts_->received.add();
  if (!in_order(packet)) return;
  if (!settings_.packet.read(packet, incoming_)) return counts_->not_finite.add();
  std::swap(values_, incoming_);
  sampled_ = made_at(packet, arrived);
}

bool Receiver::in_order(std::span<const std::byte> packet) noexcept {
  const auto number = settings_.packet.sequence(packet);
  if (!number) return true;  // the last to arrive is the newest
  const Sequence::Verdict verdict = sequence_.look(*number);
  counts_->lost.add(verdict.missing);
  if (verdict.order == Sequence::Order::doubled) counts_->doubled.add();
  if (verdict.order == Sequence::Order::reordered) counts_->reordered.add();
  if (verdict.order == Sequence::Order::restarted) counts_->restarts.add();
  return verdict.taken();
}

MonoTime Receiver::made_at(std::span<const std::byte> packet, MonoTime arrived) const noexcept {
  if (settings_.clock == SenderClock::own) return arrived;
  const double time = settings_.packet.time(packet).value_or(NAN);
  if (!(std::abs(time) < 9e9)) return arrived;  // 285 years, in seconds
  const std::int64_t ns = from_seconds(time).ns;
  const MonoTime made =
      settings_.clock == SenderClock::monotonic ? MonoTime{ns} : times_.before_now(ns);
  return std::min(made, arrived);
}

// The kernel counts from the opening of the socket, with 32 bits.
void Receiver::count_dropped(std::uint32_t all) noexcept {
  counts_->dropped.add(all - dropped_);
  dropped_ = all;
}

}  // namespace hild::udp
