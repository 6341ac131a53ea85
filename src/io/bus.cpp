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
      calls_(members_.size()),
      failed_(-1) {
  for (std::size_t d = 0; d < members_.size(); ++d) {
    calls_[d].device = members_[d].device.get();
    calls_[d].max_latency = members_[d].max_latency;
  }
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const auto& s = inputs_[i];
    if (s.device < 0) {
      constants_.push_back({i, 0, 0, s.start});
      continue;
    }
    auto& call = calls_[static_cast<std::size_t>(s.device)];
    call.input_wires.push_back({i, s.slot, s.scale, s.offset});
    call.in.resize(std::max(call.in.size(), s.slot + 1));
    if (!s.channel.counted) continue;
    call.input_counts.push_back({s.slot, counted_.size()});
    counted_.push_back(i);
  }
  counts_.resize(counted_.size());
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const auto& s = outputs_[i];
    if (s.device < 0) continue;
    auto& call = calls_[static_cast<std::size_t>(s.device)];
    call.output_wires.push_back({i, s.slot, s.scale, s.offset});
    call.out.resize(std::max(call.out.size(), s.slot + 1));
    call.safe.resize(call.out.size());
    call.limits.resize(call.out.size());
    call.safe[s.slot] = s.safe;
    call.limits[s.slot] = s.limits;
  }
}

Bus::~Bus() { stop(); }

Result<void> Bus::open(rt::Clock& clock) {
  auto errors = open_all(clock);
  if (!errors.empty()) return tl::make_unexpected(std::move(errors.front()));
  return {};
}

std::vector<Error> Bus::open_all(rt::Clock& clock) {
  std::vector<Error> errors;
  for (std::size_t d = 0; d < members_.size(); ++d) {
    const auto& m = members_[d];
    const auto opened = m.device->open(clock);
    calls_[d].open = opened.has_value();
    // One that hands over fewer than it declared would be read beyond its end.
    const auto counts = m.device->counts();
    calls_[d].raw = opened && counts.size() >= calls_[d].in.size() ? counts.data() : nullptr;
    if (!opened) {
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

void Bus::convert_outputs(Call& call, std::span<const double> y) noexcept {
  for (const Wire& w : call.output_wires) {
    const double wanted = (y[w.signal] - w.offset) / w.scale;
    const Interval limits = call.limits[w.slot];
    // Not a number compares false with everything, and so ends up here too.
    const bool allowed = wanted >= limits.low && wanted <= limits.high;
    call.out[w.slot] = wanted;
    if (allowed) continue;
    call.out[w.slot] =
        std::isfinite(wanted) ? std::clamp(wanted, limits.low, limits.high) : call.safe[w.slot];
    clamped_.add();
  }
}

bool Bus::failed_at(const Call& call, Duration stale) noexcept {
  failed_.set(&call - calls_.data());
  stale_.set(stale.ns);
  return false;
}

bool Bus::exchange(std::span<const double> y, std::span<double> u, MonoTime& sampled) noexcept {
  const MonoTime now = sampled;
  MonoTime oldest = now;
  bool any_image = false;
  for (Call& call : calls_) {
    const std::span<const double> out = y.empty() ? std::span<const double>{} : call.out;
    const std::span<double> in = u.empty() ? std::span<double>{} : call.in;
    if (out.empty() && in.empty()) continue;
    if (!out.empty()) convert_outputs(call, y);
    MonoTime taken = now;
    if (!call.device->exchange(out, in, taken)) return failed_at(call, {});
    if (in.empty()) continue;
    if (call.max_latency.ns > 0 && now - taken > call.max_latency) {
      return failed_at(call, now - taken);
    }
    // The oldest image dates the sample.
    oldest = any_image && oldest < taken ? oldest : taken;
    any_image = true;
    for (const Wire& w : call.input_wires) u[w.signal] = w.scale * in[w.slot] + w.offset;
    if (call.raw == nullptr) continue;
    for (const Count& c : call.input_counts) counts_[c.place] = call.raw[c.slot];
  }
  sampled = oldest;
  if (!u.empty()) {
    for (const Wire& w : constants_) u[w.signal] = w.offset;
  }
  return true;
}

bool Bus::safe() noexcept {
  bool all = true;
  for (const Call& call : calls_) {
    if (call.safe.empty()) continue;
    MonoTime ignored{};
    if (call.open && call.device->exchange(call.safe, {}, ignored)) continue;
    all = false;
    // That it could not be opened has been said; the first failure is the one to tell.
    if (call.open && failed() < 0) failed_at(call, {});
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
  return fail(ExitCode::device_failed, "device {}: {}", m.name.view(), m.device->failure()).value();
}

}  // namespace hild::io
