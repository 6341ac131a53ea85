// SPDX-License-Identifier: Apache-2.0
#include "config/in_place.hpp"

#include <cstdlib>
#include <map>
#include <memory>
#include <string>

namespace hild::config {
namespace {

/// What the simulated device reads: what its driver knows of a line by the channel that is to be
/// like it, and the rest as it is written, with the channel's unit in the place of volts.
class LikeAnother final : public io::Options {
 public:
  LikeAnother(io::Options& written, std::string_view unit) : written_(written), unit_(unit) {}

  void is(const io::Channel& channel, std::size_t number) {
    channel_ = channel;
    number_ = static_cast<std::int64_t>(number);
  }

  bool has(std::string_view key) override { return written_.has(key); }
  double number(std::string_view key, std::string_view unit, std::optional<double> fallback,
                io::Interval allowed) override {
    return written_.number(key, of_the_channel(unit), fallback, allowed);
  }
  std::int64_t integer(std::string_view key, std::int64_t low, std::int64_t high,
                       std::optional<std::int64_t> fallback) override {
    if (channel_ && key == "channel") return number_;
    // Only what has counts is a converter; numbers have no steps, and may have any range.
    if (channel_ && !channel_->counted && key == "resolution") fallback = 0;
    return written_.integer(key, low, high, fallback);
  }
  Duration duration(std::string_view key, std::optional<Duration> fallback) override {
    return written_.duration(key, fallback);
  }
  bool boolean(std::string_view key, std::optional<bool> fallback) override {
    if (channel_ && key == "digital") return channel_->digital;
    return written_.boolean(key, fallback);
  }
  std::string_view text(std::string_view key, std::optional<std::string_view> fallback) override {
    return written_.text(key, fallback);
  }
  std::size_t choice(std::string_view key, std::initializer_list<std::string_view> words,
                     std::optional<std::size_t> fallback) override {
    return written_.choice(key, words, fallback);
  }
  io::Interval interval(std::string_view key, std::string_view unit,
                        std::optional<io::Interval> fallback) override {
    if (channel_ && key == "range") return channel_->range;
    return written_.interval(key, of_the_channel(unit), fallback);
  }
  std::vector<double> numbers(std::string_view key, std::string_view unit) override {
    return written_.numbers(key, of_the_channel(unit));
  }
  Options* child(std::string_view key) override {
    io::Options* const inner = written_.child(key);
    if (inner == nullptr) return nullptr;
    auto& kept = children_[std::string(key)];
    if (!kept) kept = std::make_unique<LikeAnother>(*inner, unit_);
    return kept.get();
  }
  std::string_view path(std::string_view key) override { return written_.path(key); }
  [[nodiscard]] std::string_view configuration() const override { return written_.configuration(); }
  [[noreturn]] void reject(std::string_view key, std::string_view problem) override {
    written_.reject(key, problem);
    std::abort();  // it never returns, which a compiler does not see of a virtual function
  }

 private:
  [[nodiscard]] std::string_view of_the_channel(std::string_view unit) const {
    return unit == "V" ? std::string_view(unit_) : unit;
  }

  io::Options& written_;
  std::string unit_;
  std::optional<io::Channel> channel_;
  std::int64_t number_ = 0;
  std::map<std::string, std::unique_ptr<LikeAnother>> children_;
};

}  // namespace

Result<io::Channel> add_in_place(io::Device& original, io::Device& device, io::Direction direction,
                                 io::Options& entry, std::size_t number) {
  auto channel = original.add(direction, entry);
  if (!channel) return channel;
  LikeAnother like(entry, channel->value_unit());
  like.is(*channel, number);
  auto simulated = device.add(direction, like);
  if (!simulated) return simulated;
  channel->group = simulated->group;
  channel->resolution = simulated->resolution;
  channel->counted = channel->counted && simulated->counted;
  return channel;
}

}  // namespace hild::config
