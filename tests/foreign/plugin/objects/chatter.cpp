// SPDX-License-Identifier: Apache-2.0
/// A driver that can be listened to, and not opened: what it tells is always the same. `then` says
/// what follows: silence, or that it has vanished; `there: false`, that it is not there at all.
#include <array>

#include "hild/io/device.hpp"

namespace {

namespace io = hild::io;

constexpr std::array<std::uint8_t, 3> some_bytes{0x01, 0xab, 0x00};
constexpr std::array some_values{io::HeardValue{"Speed", 500.25, "rpm", {}},
                                 io::HeardValue{"Gear", 1, {}, "drive"}};

class Chat final : public io::Listener {
 public:
  Chat(hild::rt::Clock& clock, bool vanishes) : clock_(clock), vanishes_(vanishes) {}

  hild::Result<std::optional<io::Heard>> hear(hild::MonoTime until) override {
    const hild::MonoTime now = clock_.now();
    switch (told_++) {
      case 0:
        return io::Heard{now, "0x100", "Status", some_bytes, some_values, {}};
      case 1:
        return io::Heard{now, "0x7f0", {}, some_bytes, {}, {}};
      case 2:
        return io::Heard{now, {}, {}, {}, {}, "bus \"off\""};
      default:
        break;
    }
    if (vanishes_) return hild::fail(hild::ExitCode::device_failed, "it has vanished");
    clock_.sleep_until(until);
    return std::nullopt;
  }

 private:
  hild::rt::Clock& clock_;
  bool vanishes_;
  int told_ = 0;
};

class Chatter final : public io::Device {
 public:
  explicit Chatter(io::Options& options)
      : vanishes_(options.choice("then", {"silence", "vanish"}, 0) == 1),
        there_(options.boolean("there", true)) {}
  hild::Result<io::Channel> add(io::Direction /*direction*/, io::Options& entry) override {
    entry.integer("channel", 0, 0);
    io::Channel channel;
    channel.range = {-10, 10};
    channel.where = std::string_view("the channel");
    return channel;
  }
  hild::Result<void> open(hild::rt::Clock& /*clock*/) override {
    return hild::fail(hild::ExitCode::device_failed, "it was opened");
  }
  bool exchange(std::span<const double> /*outputs*/, std::span<double> /*inputs*/,
                std::span<hild::MonoTime> /*sampled*/) noexcept override {
    return false;
  }
  [[nodiscard]] std::string_view failure() const override { return {}; }
  [[nodiscard]] bool read_back(std::span<double> /*outputs*/) override { return false; }
  hild::Result<std::unique_ptr<io::Listener>> listener(hild::rt::Clock& clock) override {
    if (!there_) return hild::fail(hild::ExitCode::device_failed, "it is not there");
    return std::make_unique<Chat>(clock, vanishes_);
  }

 private:
  bool vanishes_;
  bool there_;
};

std::unique_ptr<io::Device> make(std::string_view /*name*/, io::Options& options) {
  return std::make_unique<Chatter>(options);
}

HILD_DRIVER(chatter, "can be listened to", make);

}  // namespace
