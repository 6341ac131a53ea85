// SPDX-License-Identifier: Apache-2.0
/// A driver whose library has a thread of its own from open() on; `declared: true` says so.
#include <chrono>
#include <thread>

#include "hild/io/device.hpp"

namespace {

namespace io = hild::io;

class Threaded final : public io::Device {
 public:
  explicit Threaded(io::Options& options)
      : declared_(options.boolean("declared", false)),
        hardware_(options.boolean("hardware", false)) {}
  ~Threaded() override {
    if (thread_.joinable()) thread_.join();
  }
  hild::Result<io::Channel> add(io::Direction /*direction*/, io::Options& entry) override {
    entry.integer("channel", 0, 0);
    io::Channel channel;
    channel.range = {-10, 10};
    channel.where = std::string_view("the channel");
    return channel;
  }
  hild::Result<void> open(hild::rt::Clock& /*clock*/) override {
    thread_ = std::jthread([](const std::stop_token& stop) {
      while (!stop.stop_requested()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    return {};
  }
  bool exchange(std::span<const double> /*outputs*/, std::span<double> inputs,
                std::span<hild::MonoTime> /*sampled*/) noexcept override {
    for (double& value : inputs) value = 0;
    return true;
  }
  [[nodiscard]] std::string_view failure() const override { return {}; }
  [[nodiscard]] bool read_back(std::span<double> /*outputs*/) override { return false; }
  [[nodiscard]] bool hardware() const override { return hardware_; }
  [[nodiscard]] std::string_view unguardable() const override {
    return declared_ ? "its library has a thread of its own" : "";
  }
  void stop() override {
    if (thread_.joinable()) thread_.request_stop();
  }

 private:
  bool declared_;
  bool hardware_;
  std::jthread thread_;
};

std::unique_ptr<io::Device> make(std::string_view /*name*/, io::Options& options) {
  return std::make_unique<Threaded>(options);
}

HILD_DRIVER(threaded, "begins a thread in open()", make);

}  // namespace
