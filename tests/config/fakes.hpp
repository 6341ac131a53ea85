// SPDX-License-Identifier: Apache-2.0
/// \file
/// A driver and a model that exist only for these tests, and a configuration that uses them.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "hild/io/device.hpp"
#include "hild/model/registry.hpp"
#include "support/many_states.hpp"

namespace hild::config::fakes {

/// Accepts `channel`, `kind`, `cycle` and `unit`, of the device `path` and `noise`; remembers what
/// it was told.
class FakeDevice final : public io::Device {
 public:
  FakeDevice(std::string_view name, io::Options& options)
      : name_(name), path_(options.text("path", "none")) {
    if (io::Options* noise = options.child("noise")) noise_ = noise->number("level", "V");
  }

  Result<io::Channel> add(io::Direction direction, io::Options& entry) override {
    const auto channel = entry.integer("channel", 0, 15);
    const bool digital = entry.choice("kind", {"analog", "digital"}, 0) == 1;
    auto& taken = direction == io::Direction::input ? inputs_ : outputs_;
    if (std::count(taken.begin(), taken.end(), channel) != 0) {
      return fail(ExitCode::device_failed, "channel {} of {} is taken", channel, name_);
    }
    taken.push_back(channel);
    const io::Interval range = digital ? io::Interval{0, 1} : io::Interval{-10, 10};
    return io::Channel{.range = range,
                       .digital = digital,
                       .cycle = entry.duration("cycle", Duration{}),
                       .where = Name("its channel"),
                       .unit = entry.text("unit", "V")};
  }

  Result<void> open(rt::Clock& /*clock*/) override { return fail("opened while loading"); }
  bool exchange(std::span<const double> /*outputs*/, std::span<double> /*inputs*/,
                std::span<MonoTime> /*sampled*/) noexcept override {
    return false;
  }
  [[nodiscard]] std::string_view failure() const override { return {}; }
  [[nodiscard]] bool read_back(std::span<double> /*outputs*/) override { return false; }
  [[nodiscard]] bool has_ticks() const override { return path_ != "asked"; }
  [[nodiscard]] bool wakes() const override { return path_ == "wakes"; }

  std::string name_;
  std::string path_;
  double noise_ = 0;
  std::vector<std::int64_t> inputs_;
  std::vector<std::int64_t> outputs_;
};

inline const io::Driver driver{
    "fake", "for tests",
    [](std::string_view name, io::Options& options) -> std::unique_ptr<io::Device> {
      return std::make_unique<FakeDevice>(name, options);
    }};
inline const bool driver_registered = io::register_driver(driver);

inline constexpr std::array states{model::State{"angle", "rad"}, model::State{"speed", "rad/s", 2}};
inline constexpr std::array inputs{model::Input{"voltage", "V", 1.5}, model::Input{"load", "N m"},
                                   model::Input{"brake"}};
inline constexpr std::array outputs{model::Output{"speed", "rad/s"}, model::Output{"sense", "V"},
                                    model::Output{"running"}};
inline constexpr std::array parameters{
    model::Parameter{"inertia", "kg m2", 0.01, 1e-6},
    model::Parameter{"damping", "N m s", 0.5, 0, 10},
    model::Parameter{"ratio", "1", 4},
};
inline const model::Registration registration{
    {"test-plant", "for tests", states, inputs, outputs, parameters, {}},
    nullptr,
    [](const numerics::Method&) -> std::unique_ptr<model::Stepper> { return nullptr; }};
inline const bool model_registered = model::register_model(registration);

/// More states than a dense Jacobian may have.
inline const model::Registration crowd{
    {"test-crowd", "for tests", test::many_states<5000>, {}, {}, {}, {}},
    nullptr,
    [](const numerics::Method&) -> std::unique_ptr<model::Stepper> { return nullptr; }};
inline const bool crowd_registered = model::register_model(crowd);

/// The lines every test starts from; sections may be added below.
inline const std::string head =
    "frame: {period: 1 ms}\n"
    "model: {type: test-plant}\n"
    "integrator: {method: rtam-2}\n"
    "devices: {daq: {driver: fake}}\n";

inline Result<Config> read(const std::string& text, const std::vector<Setting>& settings = {}) {
  return load_text(text, "rig.yaml", settings);
}

/// The error, or "loaded".
inline std::string error_of(const Result<Config>& result) {
  return result ? "loaded" : result.error().message;
}

}  // namespace hild::config::fakes
