// SPDX-License-Identifier: Apache-2.0
#include "io/bus.hpp"

#include <algorithm>
#include <cmath>

#include "hild/io/pair.hpp"
#include "hild/rt/thread.hpp"

namespace hild::io {

Bus::Bus(std::vector<Member> members, std::vector<InputSignal> inputs,
         std::vector<OutputSignal> outputs)
    : members_(std::move(members)),
      inputs_(std::move(inputs)),
      outputs_(std::move(outputs)),
      lines_(members_.size()),
      calls_(members_.size()),
      failed_(-1) {
  for (std::size_t d = 0; d < members_.size(); ++d) {
    calls_[d].device = members_[d].device.get();
    calls_[d].outputs = &lines_.of(d);
    faults_.add(members_[d].name.view(), *members_[d].device);
  }
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const auto& s = inputs_[i];
    if (s.device < 0) {
      constants_.push_back({i, s.start});
      continue;
    }
    auto& call = calls_[static_cast<std::size_t>(s.device)];
    call.wire(s, i);
    if (!s.channel.counted) continue;
    append(call.counted, s.slot, counted_.size());
    counted_.push_back(i);
  }
  own_counts_.resize(counted_.size());
  counts_ = own_counts_;
  std::size_t groups = 0;
  for (Call& call : calls_) {
    if (call.in.empty()) continue;
    call.values = call.in;
    call.first_group = groups;
    call.groups = std::max<std::size_t>(call.device->groups(), 1);
    groups += call.groups;
  }
  groups_ = std::max<std::size_t>(groups, 1);
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const auto& s = outputs_[i];
    if (s.device < 0) continue;
    lines_.add(
        static_cast<std::size_t>(s.device),
        {i, s.scale, s.offset, s.limits, s.safe, s.action, s.slew, s.most_step, s.channel.digital});
    const Device& device = *members_[static_cast<std::size_t>(s.device)].device;
    if (device.link(Direction::output, s.slot)) heard_.push_back(i);
  }
}

Bus::~Bus() { stop(); }

void Bus::Call::wire(const InputSignal& s, std::size_t signal) {
  append(inputs, s.slot, signal);
  in.resize(std::max(in.size(), s.slot + 1));
  scale.resize(in.size());
  offset.resize(in.size());
  scale[s.slot] = s.scale;
  offset[s.slot] = s.offset;
}

std::vector<SampledInput> Bus::sampled_inputs() const {
  std::vector<SampledInput> all;
  for (const InputSignal& s : inputs_) {
    if (s.device < 0) {
      all.push_back({.group = 0, .jump = s.restart_above});
      continue;
    }
    const Call& call = calls_[static_cast<std::size_t>(s.device)];
    const std::size_t within = std::min(s.channel.group, call.groups - 1);  // open() refuses others
    all.push_back(
        {call.first_group + within, s.channel.digital || s.channel.held, s.restart_above, s.loss});
  }
  return all;
}

void Bus::observe() {
  for (auto& m : members_) static_cast<void>(m.device->observe());
}

void Bus::detach() {
  for (auto& m : members_) static_cast<void>(m.device->detach());
}

Result<void> Bus::open(rt::Clock& clock) {
  auto errors = open_all(clock);
  if (!errors.empty()) return tl::make_unexpected(std::move(errors.front()));
  return {};
}

Result<void> Bus::open_guardable(rt::Clock& clock) {
  auto errors = open_each(clock, [&](std::size_t d) {
    const bool later = !members_[d].device->unguardable().empty();
    return later ? Result<void>{} : open_without_thread(d, clock);
  });
  if (!errors.empty()) return tl::make_unexpected(std::move(errors.front()));
  return {};
}

void Bus::keep_guardable() noexcept {
  for (Call& call : calls_) call.open = call.open && call.device->unguardable().empty();
}

std::vector<Error> Bus::open_all(rt::Clock& clock) {
  return open_each(clock, [&](std::size_t d) { return open(d, clock); });
}

template <class Open>
std::vector<Error> Bus::open_each(rt::Clock& clock, Open one) {
  clock_ = &clock;
  std::vector<Error> errors;
  for (const InputSignal& s : inputs_) {
    if (s.device < 0) continue;
    const std::size_t groups = members_[static_cast<std::size_t>(s.device)].device->groups();
    if (s.channel.group < groups) continue;
    errors.push_back(fail(ExitCode::device_failed,
                          "device {}: its driver has {} image groups, and puts input {} into group "
                          "{} of them; mend the driver",
                          members_[static_cast<std::size_t>(s.device)].name.view(), groups,
                          s.name.view(), s.channel.group)
                         .value());
  }
  for (std::size_t d = 0; d < members_.size(); ++d) {
    const auto opened = one(d);
    // One that hands over fewer than it declared would be read beyond its end.
    const auto counts = members_[d].device->counts();
    calls_[d].raw =
        calls_[d].open && counts.size() >= calls_[d].in.size() ? counts.data() : nullptr;
    if (opened) continue;
    errors.push_back(
        fail(opened.error().code, "device {}: {}", members_[d].name.view(), opened.error().message)
            .value());
  }
  find_counts();
  return errors;
}

// Those of one device, in its order, are read where they are.
void Bus::find_counts() {
  counts_ = own_counts_;
  for (Call& call : calls_) {
    call.copies_counts = call.raw != nullptr && !call.counted.empty();
    if (!call.copies_counts || call.counted.front().count != counted_.size()) continue;
    counts_ = {call.raw + call.counted.front().from, counted_.size()};
    call.copies_counts = false;
  }
}

Result<void> Bus::open(std::size_t d, rt::Clock& clock) {
  Device& device = *calls_[d].device;
  OutputStage& outputs = *calls_[d].outputs;
  if (calls_[d].open) return {};
  if (auto opened = device.open(clock); !opened) return opened;
  if (!outputs.empty()) {
    if (auto shared = outputs.share(); !shared) return shared;
  }
  calls_[d].open = true;
  if (outputs.empty()) return {};
  // Ways start where the lines are; one that cannot tell is taken to be safe.
  std::vector<double> lines(outputs.held().size());
  if (device.read_back(lines)) std::ranges::copy(lines, outputs.held().begin());
  return {};
}

Result<void> Bus::open_without_thread(std::size_t d, rt::Clock& clock) {
  const int before = rt::threads_of_process();
  auto opened = open(d, clock);
  const int more = rt::threads_of_process() - before;
  if (!opened || more <= 0) return opened;
  return fail(
      ExitCode::device_failed,
      "its driver starts {} thread{} in open(), which the guard of the outputs would not "
      "have: mend the driver (threads begin in start()), or let it say in unguardable() why "
      "it must",
      more, more == 1 ? "" : "s");
}

void Bus::start(MonoTime zero) {
  for (auto& m : members_) m.device->start(zero);
}

void Bus::stop() {
  for (auto& m : members_) m.device->stop();
}

bool Bus::failed_at(const Call& call) noexcept {
  failed_.set(&call - calls_.data());
  return false;
}

[[gnu::flatten]] bool Bus::exchange(std::span<const double> y, std::span<double> u, MonoTime now,
                                    std::span<MonoTime> sampled) noexcept {
  const bool writes = lines_.move(y, now);
  wrote_ = writes;
  for (MonoTime& instant : sampled) instant = now;
  if (!calls_.empty() && !exchange_with(calls_.front(), writes, u, sampled.data())) return false;
  if (calls_.size() > 1 && !exchange_with_others(writes, u, sampled.data())) return false;
  if (u.empty()) return true;
  for (const Constant& c : constants_) u[c.signal] = c.value;
  return true;
}

// Those before them took their time.
bool Bus::exchange_with_others(bool writes, std::span<double> u, MonoTime* sampled) noexcept {
  for (const Call& call : std::span(calls_).subspan(1)) {
    const bool reads = !u.empty() && call.groups > 0;
    if (reads) std::fill_n(sampled + call.first_group, call.groups, clock_->now());
    if (!exchange_with(call, writes, u, sampled)) return false;
  }
  return true;
}

bool Bus::exchange_with(const Call& call, bool writes, std::span<double> u,
                        MonoTime* sampled) noexcept {
  const auto out = writes ? call.outputs->held() : std::span<double>{};
  if (u.empty() || call.values.empty()) {
    return out.empty() || call.device->exchange(out, {}, {}) || failed_at(call);
  }
  if (!call.device->exchange(out, call.values, {sampled + call.first_group, call.groups})) {
    return failed_at(call);
  }
  hand_over(call, u.data());
  return true;
}

// What a device read, as signals.
void Bus::hand_over(const Call& call, double* u) noexcept {
  const double* const in = call.in.data();
  const double* const scale = call.scale.data();
  const double* const offset = call.offset.data();
  for (const Stretch& s : call.inputs) {
    by_pairs(s.from, s.from + s.count, u + s.to - s.from, [&](std::size_t i, auto load) {
      return load(scale + i) * load(in + i) + load(offset + i);
    });
  }
  if (!call.copies_counts) return;
  for (const Stretch& s : call.counted) {
    std::copy_n(call.raw + s.from, s.count,
                own_counts_.begin() + static_cast<std::ptrdiff_t>(s.to));
  }
}

// The open device whose images a group is of.
Device* Bus::supplier(std::size_t group) const noexcept {
  for (const Call& call : calls_) {
    const bool its_own = group - call.first_group < call.groups;  // below, the difference is huge
    if (its_own && call.open) return call.device;
  }
  return nullptr;
}

void Bus::await_image(std::size_t group, MonoTime from, MonoTime until) noexcept {
  if (Device* const device = supplier(group)) device->await_image(from, until);
}

Duration Bus::delivery(std::size_t group) const noexcept {
  const Device* const device = supplier(group);
  return device != nullptr ? device->delivery() : Duration{};
}

bool Bus::safe() noexcept {
  lines_.relax(clock_ != nullptr ? clock_->now() : lines_.moved());
  bool all = true;
  wrote_ = true;
  for (Call& call : calls_) {
    if (call.outputs->empty()) continue;
    if (call.open && call.device->exchange(call.outputs->held(), {}, {})) continue;
    all = false;
    // That it could not be opened has been said; the first failure is the one to tell.
    if (call.open && failed() < 0) failed_at(call);
  }
  return all;
}

bool Bus::flush() noexcept {
  bool all = true;
  for (Call& call : calls_) {
    if (call.open && !call.outputs->empty()) all = call.device->flush() && all;
  }
  return all;
}

Duration Bus::safe_for() const noexcept {
  Duration longest{};
  for (const Call& call : calls_) {
    const bool writes = call.open && !call.outputs->empty() && &call - calls_.data() != failed();
    if (writes) longest = std::max(longest, call.device->safe_for());
  }
  return longest;
}

bool Bus::lines(std::span<double> carried) const noexcept {
  for (std::size_t i = 0; i < carried.size(); ++i) {
    const OutputSignal& s = outputs_[i];
    const bool wired = s.device >= 0;
    carried[i] =
        wired ? s.scale * lines_.of(static_cast<std::size_t>(s.device)).held()[s.slot] + s.offset
              : std::numeric_limits<double>::quiet_NaN();
  }
  return !settled();
}

void Bus::written(std::span<double> values) const noexcept {
  for (std::size_t i = 0; i < std::min(values.size(), heard_.size()); ++i) {
    const OutputSignal& s = outputs_[heard_[i]];
    values[i] = lines_.of(static_cast<std::size_t>(s.device)).held()[s.slot];
  }
}

std::vector<CutOutput> Bus::cut_outputs() const {
  std::vector<CutOutput> all;
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const OutputSignal& s = outputs_[i];
    if (s.device < 0) continue;
    const OutputStage::Cut& cut = lines_.of(static_cast<std::size_t>(s.device)).cuts()[s.slot];
    if (cut.values.get() == 0) continue;
    const auto signal = [&](double line) { return s.scale * line + s.offset; };
    const double a = signal(s.limits.low);
    const double b = signal(s.limits.high);
    all.push_back({i, cut.values.get(), signal(cut.last()), {std::min(a, b), std::max(a, b)}});
  }
  return all;
}

std::vector<Error> Bus::unguardable() const {
  std::vector<Error> all;
  for (std::size_t d = 0; d < members_.size(); ++d) {
    const std::string_view why = members_[d].device->unguardable();
    if (why.empty() || calls_[d].outputs->empty()) continue;
    all.push_back({fmt::format("device {}: {}", members_[d].name.view(), why)});
  }
  return all;
}

Error Bus::failure() const {
  const int d = failed();
  if (d < 0) return {"no device failed", ExitCode::done};
  const auto& m = members_[static_cast<std::size_t>(d)];
  return fail(ExitCode::device_failed, "device {}: {}", m.name.view(), m.device->failure()).value();
}

}  // namespace hild::io
