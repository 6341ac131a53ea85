// SPDX-License-Identifier: Apache-2.0
#include "drivers/udp_device.hpp"

#include <algorithm>
#include <cstring>

#include "drivers/udp_options.hpp"

namespace hild::udp {

UdpDevice::UdpDevice(Settings settings) : settings_(std::move(settings)) {}

Result<io::Channel> UdpDevice::add(io::Direction direction, io::Options& entry) {
  const bool input = direction == io::Direction::input;
  const ChannelKeys keys = read_channel(direction, entry, settings_.big);
  auto placed = input ? place_input(keys.field, keys.start) : place_output(keys.field);
  if (!placed) return tl::make_unexpected(placed.error());
  return describe(keys);
}

Result<void> UdpDevice::place_input(const Field& field, double start) {
  if (!settings_.ends.listen || settings_.receive.packet.length() == 0) {
    return fail(
        "found an input of a device that receives nothing, expected `listen: ADDRESS:PORT` "
        "and `receive: {{length: BYTES}}` of the device");
  }
  start_.push_back(start);
  return settings_.receive.packet.place_value(field);
}

Result<void> UdpDevice::place_output(const Field& field) {
  if (!settings_.ends.send || settings_.transmit.length() == 0) {
    return fail(
        "found an output of a device that sends nothing, expected `send: ADDRESS:PORT` and "
        "`transmit: {{length: BYTES}}` of the device");
  }
  return settings_.transmit.place_value(field);
}

Result<void> UdpDevice::open(rt::Clock& clock) {
  if (!detached_) {
    if (clock.virtual_time()) {
      return fail(
          "an offline run would send packets as fast as the machine goes, and nobody answers in "
          "its time; use driver: sim");
    }
    auto socket = open_socket(settings_.ends);
    if (!socket) return tl::make_unexpected(socket.error());
    if (settings_.ends.send) {
      auto sender = Sender::make(settings_.transmit, *settings_.ends.send, counts_);
      if (!sender) return tl::make_unexpected(sender.error());
      sender_ = std::move(*sender);
    }
    socket_ = std::move(*socket);
  }
  receiver_ = Receiver(settings_.receive, start_, clock.now(), counts_);
  clock_ = &clock;
  return {};
}

bool UdpDevice::exchange(std::span<const double> outputs, std::span<double> inputs,
                         std::span<MonoTime> sampled) noexcept {
  if (error_ != 0 || clock_ == nullptr) return false;
  if (!outputs.empty() && !detached_) {
    const int error = sender_.send(socket_.get(), *clock_, outputs);
    if (error != 0) return fail_with(error, "send");
  }
  if (inputs.empty()) return true;
  if (!detached_) {
    const int error = receiver_.read(socket_.get(), *clock_);
    if (error != 0) return fail_with(error, "receive");
    std::ranges::fill(sampled, receiver_.sampled());
  }
  std::ranges::copy(receiver_.values(), inputs.begin());
  return true;
}

bool UdpDevice::fail_with(int error, std::string_view call) noexcept {
  error_ = error;
  call_ = call;
  return false;
}

std::string_view UdpDevice::failure() const {
  if (error_ == 0) return {};
  if (words_.size() == 0) {
    const bool sends = call_ == "send";
    const auto& end = sends ? settings_.ends.send : settings_.ends.listen;
    fmt::format_to(fmt::appender(words_), "cannot {} {} {}: {}; {}", call_, sends ? "to" : "at",
                   end ? end->words().view() : "", std::strerror(error_), remedy(error_));
  }
  return {words_.data(), words_.size()};
}

bool UdpDevice::read_back(std::span<double> outputs) {
  return error_ == 0 && sender_.last(outputs);
}

}  // namespace hild::udp
