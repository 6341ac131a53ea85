// SPDX-License-Identifier: Apache-2.0
#include "cli/main/served_run.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hild::commands {
namespace {

template <class Signal>
std::string where(const io::Bus& bus, const Signal& s) {
  if (s.device < 0) return {};
  const auto& device = bus.members()[static_cast<std::size_t>(s.device)];
  return fmt::format("{} {}", device.name.view(), s.channel.where.view());
}

}  // namespace

server::Run served_run(const plan::Assembly& assembly, const io::FrameLayout& layout,
                       const exec::FrameLoop& loop, exec::ExternalEvents& events, rt::Flag& stop,
                       const rt::Flag& ended) {
  const config::Config& config = assembly.config;
  server::Run run{.model = config.model.type,
                  .method = config.method,
                  .version = HILD_VERSION,
                  .settings = config.settings,
                  .layout = layout,
                  .description = assembly.plant->description(),
                  .start_parameters = config.model.parameters,
                  .inputs = {},
                  .outputs = {},
                  .loop = loop,
                  .events = events,
                  .stop = stop,
                  .ended = ended};
  const io::Bus& bus = *assembly.bus;
  for (std::size_t i = 0; i < run.description.inputs.size(); ++i) {
    run.inputs.push_back({where(bus, bus.inputs()[i])});  // lines of interlocks follow them
  }
  for (const io::OutputSignal& s : bus.outputs()) {
    server::Wire wire{where(bus, s)};
    if (s.device >= 0 && !s.action.hold) wire.safe = s.scale * s.safe + s.offset;
    if (s.device >= 0) {
      const double one = s.scale * s.limits.low + s.offset;
      const double other = s.scale * s.limits.high + s.offset;
      wire.limits = {std::min(one, other), std::max(one, other)};
    }
    run.outputs.push_back(std::move(wire));
  }
  return run;
}

}  // namespace hild::commands
