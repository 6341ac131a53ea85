// SPDX-License-Identifier: Apache-2.0
#include "drivers/udp_sender.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "drivers/udp_socket.hpp"

namespace hild::udp {

Result<Sender> Sender::make(Packet packet, const Address& to, Counts& counts) {
  Sender made;
  auto memory = rt::SharedMemory::make(sizeof(Shared) + packet.values() * sizeof(double));
  if (!memory) return tl::make_unexpected(memory.error());
  made.memory_ = std::move(*memory);
  made.shared_ = &made.memory_.emplace<Shared>();
  made.bytes_.resize(packet.length());
  made.values_.resize(packet.values());
  made.packet_ = std::move(packet);
  made.to_ = to;
  made.counts_ = &counts;
  return made;
}

void Sender::start(MonoTime zero) noexcept {
  if (shared_ == nullptr) return;
  shared_->zero_ns.set(zero.ns);
  shared_->started.set(1);
}

int Sender::send(int socket, rt::Clock& clock, std::span<const double> outputs) noexcept {
  const bool started = shared_->started.get() != 0;
  const double time = started ? seconds(clock.now() - MonoTime{shared_->zero_ns.get()}) : 0;
  const auto number = static_cast<std::uint64_t>(shared_->packets.take());
  packet_.write(outputs, bytes_);
  packet_.stamp(number, time, bytes_);
  std::ranges::copy(outputs, values_.begin());
  const int error = hand_out(socket);
  return trouble_of(error) == Trouble::none ? 0 : error;
}

int Sender::hand_out(int socket) noexcept {
  const int error = hand_over(socket);
  unsent_ = error != 0;
  if (unsent_) {
    counts_->unsent.add();
    return error;
  }
  counts_->sent.add();
  std::ranges::copy(values_, outputs().begin());
  shared_->sent.set(1);
  return 0;
}

bool Sender::flush(int socket) noexcept { return !unsent_ || hand_out(socket) == 0; }

// A call that tells of an earlier packet has sent none: once more, or what is to make the outputs
// safe would be swallowed by the trouble of what came before.
int Sender::hand_over(int socket) noexcept {
  const auto try_it = [&]() noexcept {
    const auto taken =
        ::sendto(socket, bytes_.data(), bytes_.size(), MSG_DONTWAIT, to_.get(), to_.size());
    return taken < 0 ? errno : 0;
  };
  const int error = try_it();
  if (trouble_of(error) != Trouble::network || error == 0) return error;
  counts_->refused.add();
  forget_errors(socket);
  const int again = try_it();
  // Told of an earlier one once more, by a network that is slow to tell.
  if (again == ECONNREFUSED || again == EHOSTUNREACH || again == EHOSTDOWN) return EAGAIN;
  return again;
}

bool Sender::last(std::span<double> outputs) const noexcept {
  if (shared_ == nullptr || shared_->sent.get() == 0) return false;
  std::ranges::copy(this->outputs().first(outputs.size()), outputs.begin());
  return true;
}

}  // namespace hild::udp
