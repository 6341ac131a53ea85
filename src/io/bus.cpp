// SPDX-License-Identifier: Apache-2.0
#include "io/bus.hpp"

#include <algorithm>
#include <cmath>

namespace hild::io {

Bus::Bus(std::vector<Member> members, std::vector<InputSignal> inputs,
         std::vector<OutputSignal> outputs)
    : members_(std::move(members)),
      inputs_(std::move(inputs)),
      outputs_(std::move(outputs)),
      buffers_(members_.size()),
      failed_(-1) {
  for (const auto& s : inputs_) {
    if (s.device < 0) continue;
    auto& in = buffers_[static_cast<std::size_t>(s.device)].in;
    in.resize(std::max(in.size(), s.slot + 1));
  }
  for (const auto& s : outputs_) {
    if (s.device < 0) continue;
    auto& b = buffers_[static_cast<std::size_t>(s.device)];
    b.out.resize(std::max(b.out.size(), s.slot + 1));
    b.safe.resize(b.out.size());
    b.safe[s.slot] = s.safe;
  }
}

Bus::~Bus() { stop(); }

Result<void> Bus::open(rt::Clock& clock) {
  auto errors = open_all(clock);
  if (!errors.empty()) return tl::make_unexpected(std::move(errors.front()));
  return {};
}

std::vector<Error> Bus::open_all(rt::Clock& clock) {
  clock_ = &clock;
  std::vector<Error> errors;
  for (auto& m : members_) {
    if (auto opened = m.device->open(clock); !opened) {
      errors.push_back(
          fail(opened.error().code, "device {}: {}", m.name.view(), opened.error().message)
              .value());
    }
  }
  return errors;
}

void Bus::start() {
  for (auto& m : members_) m.device->start();
}

void Bus::stop() {
  for (auto& m : members_) m.device->stop();
}

bool Bus::exchange(std::span<const double> y, std::span<double> u, MonoTime& sampled) noexcept {
  if (!y.empty()) {
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      const auto& s = outputs_[i];
      if (s.device < 0) continue;
      const double wanted = (y[i] - s.offset) / s.scale;
      const double given =
          std::isfinite(wanted) ? std::clamp(wanted, s.limits.low, s.limits.high) : s.safe;
      if (given != wanted) clamped_.add();
      buffers_[static_cast<std::size_t>(s.device)].out[s.slot] = given;
    }
  }

  const MonoTime now = clock_->now();
  sampled = now;
  bool first = true;
  for (std::size_t d = 0; d < members_.size(); ++d) {
    auto& b = buffers_[d];
    const std::span<const double> out = y.empty() ? std::span<const double>{} : b.out;
    const std::span<double> in = u.empty() ? std::span<double>{} : b.in;
    if (out.empty() && in.empty()) continue;
    MonoTime taken = now;
    const bool answered = members_[d].device->exchange(out, in, taken);
    const Duration limit = members_[d].max_latency;
    const bool stale = !in.empty() && limit.ns > 0 && now - taken > limit;
    if (!answered || stale) {
      failed_.set(static_cast<std::int64_t>(d));
      if (stale) stale_.set((now - taken).ns);
      return false;
    }
    // The oldest image dates the sample.
    if (!in.empty()) sampled = first ? taken : std::min(sampled, taken);
    first = first && in.empty();
  }

  if (!u.empty()) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const auto& s = inputs_[i];
      u[i] = s.device < 0
                 ? s.start
                 : s.scale * buffers_[static_cast<std::size_t>(s.device)].in[s.slot] + s.offset;
    }
  }
  return true;
}

bool Bus::safe() noexcept {
  bool all = true;
  for (std::size_t d = 0; d < members_.size(); ++d) {
    if (buffers_[d].safe.empty()) continue;
    MonoTime ignored{};
    all = members_[d].device->exchange(buffers_[d].safe, {}, ignored) && all;
  }
  return all;
}

Error Bus::failure() const {
  const int d = failed();
  if (d < 0) return {"no device failed", ExitCode::done};
  const auto& m = members_[static_cast<std::size_t>(d)];
  if (stale_.get() > 0) {
    return fail(ExitCode::device_failed,
                "device {}: its newest image is {:.3f} ms old, more than max_latency {:.3f} ms; "
                "check the device, or allow more",
                m.name.view(), microseconds({stale_.get()}) / 1000,
                microseconds(m.max_latency) / 1000)
        .value();
  }
  return fail(ExitCode::device_failed, "device {}: {}", m.name.view(), m.device->failure())
      .value();
}

}  // namespace hild::io
