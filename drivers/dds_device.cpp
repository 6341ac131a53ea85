// SPDX-License-Identifier: Apache-2.0
#include "drivers/dds_device.hpp"

#include <algorithm>
#include <utility>

#include "drivers/dds/claim.hpp"
#include "drivers/dds_options.hpp"

namespace hild::dds {

DdsDevice::DdsDevice(Settings settings, Page page, Descriptor file)
    : settings_(std::move(settings)), page_(std::move(page)), file_(std::move(file)) {}

Result<io::Channel> DdsDevice::add(io::Direction direction, io::Options& entry) {
  GatewayTask& task = settings_.task;
  if (direction == io::Direction::output) {
    const OutputKeys keys = read_output(entry, task);
    task.outputs.push_back(keys.signal);
    return describe(keys);
  }
  const InputKeys keys = read_input(entry, task);
  auto node = std::ranges::find_if(
      task.inputs, [&](const NodeInputs& one) { return one.node == keys.node.view(); });
  if (node == task.inputs.end()) {
    node = task.inputs.insert(node, {keys.node});
    inputs_.nodes.emplace_back();
  }
  const auto group = static_cast<std::size_t>(node - task.inputs.begin());
  node->signals.push_back(keys.signal);
  inputs_.nodes[group].push_back(inputs_.start.size());
  inputs_.start.push_back(keys.start);
  return describe(keys, group);
}

std::size_t DdsDevice::groups() const { return std::max<std::size_t>(inputs_.nodes.size(), 1); }

Result<void> DdsDevice::open(rt::Clock& clock) {
  if (!detached_) {
    if (clock.virtual_time()) {
      return fail(
          "an offline run would send samples as fast as the machine goes, and nobody answers in "
          "its time; use driver: sim");
    }
    auto name = claim_name(settings_.task);
    if (!name) return tl::make_unexpected(name.error());
    name_ = std::move(*name);
    // Here and not in start(): the guard has the other end of its socket too, so that it lives
    // until the outputs are safe; and other nodes are found before the first frame.
    auto gateway = GatewayProcess::start(settings_.task, file_.get());
    if (!gateway) return tl::make_unexpected(gateway.error());
    gateway_ = std::move(*gateway);
    (void)file_.close();
  }
  join(clock);
  return {};
}

void DdsDevice::join(rt::Clock& clock) {
  if (!settings_.task.outputs.empty()) sender_.emplace(page_, settings_.task.outputs.size());
  receiver_.emplace(page_, inputs_.nodes, inputs_.start, clock.now(), settings_.min_age,
                    counts_.unreadable);
  clock_ = &clock;
}

[[gnu::flatten]] bool DdsDevice::exchange(std::span<const double> outputs, std::span<double> inputs,
                                          std::span<MonoTime> sampled) noexcept {
  if (failed_ || clock_ == nullptr) return false;
  if (!detached_ && !notice_end_of_gateway()) return false;
  if (!outputs.empty() && sender_ && !detached_) {
    sender_->send(outputs, sampled.empty() ? clock_->now() : sampled.front());
  }
  if (inputs.empty()) return true;
  if (!detached_) receiver_->look(sampled);
  receiver_->put(inputs);
  return true;
}

// Once it has ended images become older and older, and what is declared for lost inputs applies.
bool DdsDevice::notice_end_of_gateway() noexcept {
  if (!gateway_ended() || counts_.gateway_lost.get() != 0) return true;
  counts_.gateway_lost.set(1);
  failed_ = settings_.needs_gateway;
  return !failed_;
}

// One sample may be lost on its way, and a node that was just found has had none yet.
Duration DdsDevice::safe_for() const noexcept {
  return settings_.task.outputs.empty() || detached_ ? Duration{} : 100_ms;
}

void DdsDevice::stop() {
  gateway_.reset();
  (void)name_.close();
}

std::string_view DdsDevice::failure() const {
  if (!failed_) return {};
  return "its gateway has ended, so that nothing is sent or received any more; what it printed "
         "tells why; `gateway_loss: age` would let the run go on";
}

io::DeviceRemark DdsDevice::remark() const {
  if (settings_.task.interface == "lo" || !settings_.task.security.empty()) return {};
  return {
      "whoever reaches its interface can send in the name of any node, and hears all: "
      "`security` takes keys against that",
      true};
}

std::optional<io::Link> DdsDevice::link(io::Direction direction, std::size_t index) const {
  const GatewayTask& task = settings_.task;
  if (direction == io::Direction::output) {
    return io::Link{.domain = task.domain,
                    .system = task.system.view(),
                    .node = task.node.view(),
                    .signal = task.outputs[index].name.view(),
                    .here = task.node.view()};
  }
  for (std::size_t n = 0; n < task.inputs.size(); ++n) {
    const Places& places = inputs_.nodes[n];
    const auto place = std::ranges::find(places, index);
    if (place == places.end()) continue;
    const NodeInputs& from = task.inputs[n];
    const auto at = static_cast<std::size_t>(place - places.begin());
    return io::Link{.domain = task.domain,
                    .system = task.system.view(),
                    .node = from.node.view(),
                    .signal = from.signals[at].name.view(),
                    .here = task.node.view(),
                    .min_age = settings_.min_age};
  }
  return {};
}

bool DdsDevice::read_back(std::span<double> outputs) { return sender_ && sender_->last(outputs); }

}  // namespace hild::dds
