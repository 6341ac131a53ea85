// SPDX-License-Identifier: Apache-2.0
#include "drivers/can_device.hpp"

#include <linux/can/error.h>

#include <algorithm>
#include <cstring>

#include "drivers/can_listener.hpp"
#include "hild/core/copy_values.hpp"

namespace hild::can {

CanDevice::CanDevice(io::Options& options, OpenSocket open_it, IsVirtual ask)
    : setup_(options), open_socket_(open_it), is_virtual_(ask) {}

Result<io::Channel> CanDevice::add(io::Direction direction, io::Options& entry) {
  return setup_.add(direction, entry);
}

Result<void> CanDevice::open(rt::Clock& clock) {
  if (auto checked = setup_.check(); !checked) return checked;
  if (!detached_) {
    if (clock.virtual_time()) {
      return fail(
          "an offline run would send frames as fast as the machine goes, and nobody answers in its "
          "time; use driver: sim");
    }
    auto socket = open_socket_(setup_.link(), filters_of(setup_.incoming()));
    if (!socket) return tl::make_unexpected(socket.error());
    auto sender = Sender::make(setup_.outgoing(), setup_.outputs(), counts_);
    if (!sender) return tl::make_unexpected(sender.error());
    sender_ = std::move(*sender);
    socket_ = std::move(*socket);
    virtual_ = is_virtual_(setup_.link());
  }
  receiver_ = Receiver(setup_.incoming(), setup_.start(), setup_.at_once(), clock.now(), counts_);
  clock_ = &clock;
  return {};
}

bool CanDevice::exchange(std::span<const double> outputs, std::span<double> inputs,
                         std::span<MonoTime> sampled) noexcept {
  if (error_ != 0 || clock_ == nullptr) return false;
  if (!detached_) {
    const int error = sender_.exchange(socket_.get(), *clock_, outputs);
    if (error != 0) return fail_with(error, "send");
  }
  // What becomes of the bus is told to those too that only send.
  if (!detached_ && (!inputs.empty() || setup_.start().empty())) {
    const int error = receiver_.read(socket_.get(), *clock_);
    if (error != 0) return fail_with(error, "receive");
  }
  if (inputs.empty()) return true;
  if (!detached_) std::copy_n(receiver_.sampled().data(), sampled.size(), sampled.data());
  copy_values(receiver_.values(), inputs.data());
  return true;
}

std::span<const io::DeviceFault> CanDevice::faults() const { return setup_.faults().all(); }

void CanDevice::set_fault(std::size_t fault, bool there, double value) noexcept {
  if (clock_ == nullptr || detached_) return;
  const Faults::Place& place = setup_.faults()[fault];
  if (place.of_bus()) {
    set_bus_fault(place.kind, there);
  } else if (place.sent) {
    sender_.set_fault(place.message, place.kind, there, value);
  } else {
    receiver_.set_fault(place.message, place.kind, there, value);
  }
}

void CanDevice::set_bus_fault(Faults::Kind kind, bool there) noexcept {
  bool& before = wrong_with_bus_[static_cast<std::size_t>(kind)];
  if (before == there) return;
  before = there;
  if (kind == Faults::Kind::bus_off) {
    sender_.set_bus_off(there);
    receiver_.set_bus_off(there);
    (there ? counts_.bus_off : counts_.restarts).add();
    tell({.kind = there ? CAN_ERR_BUSOFF : CAN_ERR_RESTARTED});
  } else if (kind == Faults::Kind::error_passive) {
    if (there) counts_.error_passive.add();
    constexpr std::uint8_t passive = CAN_ERR_CRTL_TX_PASSIVE;
    constexpr std::uint8_t active = CAN_ERR_CRTL_ACTIVE;
    tell({.kind = CAN_ERR_CRTL, .controller = there ? passive : active});
  } else if (there) {
    counts_.bus_errors.add();
    tell({.kind = CAN_ERR_PROT | CAN_ERR_BUSERROR, .protocol = CAN_ERR_PROT_STUFF});
  }
}

// What a controller of its own tells is not to be mixed with what never was.
void CanDevice::tell(const ControllerError& error) const noexcept {
  if (virtual_) tell_error(socket_.get(), error);
}

bool CanDevice::fail_with(int error, std::string_view call) noexcept {
  error_ = error;
  call_ = call;
  return false;
}

std::string_view CanDevice::failure() const {
  if (error_ == 0) return {};
  if (words_.size() == 0) {
    fmt::format_to(fmt::appender(words_), "cannot {} on {}: {}; {}", call_,
                   setup_.link().interface.view(), std::strerror(error_), remedy(error_));
  }
  return {words_.data(), words_.size()};
}

bool CanDevice::read_back(std::span<double> outputs) {
  return error_ == 0 && sender_.last(outputs);
}

Result<std::unique_ptr<io::Listener>> CanDevice::listener(rt::Clock& clock) {
  constexpr std::array all{can_filter{.can_id = 0, .can_mask = 0}};
  auto socket = open_socket_(setup_.link(), all);
  if (!socket) return tl::make_unexpected(socket.error());
  return std::make_unique<CanListener>(setup_, std::move(*socket), clock);
}

void CanDevice::start(MonoTime zero) {
  if (clock_ != nullptr && !detached_) sender_.start(zero);
}

bool CanDevice::flush() noexcept {
  if (clock_ == nullptr || detached_) return true;
  return error_ == 0 && sender_.flush(socket_.get(), *clock_);
}

}  // namespace hild::can
