// SPDX-License-Identifier: Apache-2.0
#include "drivers/udp_receiver.hpp"

#include <cerrno>
#include <cmath>

#include "drivers/udp_socket.hpp"

namespace hild::udp {
namespace {

unsigned bits_of(const std::optional<Field>& sequence) noexcept {
  return sequence ? static_cast<unsigned>(8 * size_of(sequence->type)) : 32;
}

}  // namespace

Receiver::Receiver(ReceiveSettings settings, std::vector<double> start, MonoTime opened,
                   Counts& counts)
    : settings_(std::move(settings)),
      sequence_(bits_of(settings_.packet.sequence_field())),
      counts_(&counts),
      memory_(settings_.at_once * (settings_.packet.length() + 1)),
      values_(std::move(start)),
      incoming_(values_.size()),
      sampled_(opened - before_any) {
  const std::size_t room = settings_.packet.length() + 1;  // so that a longer packet shows
  std::vector<iovec> rooms;
  for (std::size_t i = 0; i < settings_.at_once; ++i) {
    rooms.push_back({memory_.data() + i * room, room});
  }
  reads_ = StampedReads(rooms, opened, counts.dropped);
}

int Receiver::read(int socket, rt::Clock& clock) noexcept {
  int came = reads_.read(socket, clock);
  if (came < 0 && trouble_of(errno) == Trouble::network) {
    counts_->refused.add();
    forget_errors(socket);
    came = reads_.read(socket, clock);
  }
  if (came < 0) {
    const int error = errno;
    return trouble_of(error) == Trouble::lasting ? error : 0;
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(came); ++i) look_at(i);
  if (came == reads_.most()) counts_->full.add();
  return 0;
}

void Receiver::look_at(std::size_t slot) noexcept {
  const StampedReads::Datagram got = reads_.take(slot);
  if (settings_.from && !settings_.from->is(*got.sender, got.sender_size)) {
    return counts_->wrong_sender.add();
  }
  const std::size_t length = settings_.packet.length();
  if (got.length != length) return counts_->wrong_length.add();
  const std::span packet = std::span<const std::byte>(memory_).subspan(slot * (length + 1), length);
  counts_->received.add();
  if (!in_order(packet)) return;
  if (!settings_.packet.read(packet, incoming_)) return counts_->not_finite.add();
  std::swap(values_, incoming_);
  sampled_ = made_at(packet, got.arrived);
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
      settings_.clock == SenderClock::monotonic ? MonoTime{ns} : reads_.times().before_now(ns);
  return std::min(made, arrived);
}

}  // namespace hild::udp
