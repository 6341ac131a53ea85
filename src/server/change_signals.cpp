// SPDX-License-Identifier: Apache-2.0
/// Parameters, and faults of signals.
#include <algorithm>

#include "server/handlers.hpp"

namespace hild::server {
namespace {

constexpr Kind parameter_kind[] = {Kind::parameter};
constexpr Kind falsifiable[] = {Kind::input, Kind::output};

struct Signal {
  Place place;
  exec::Side side;
  std::uint32_t index;
};

Signal read_signal(const Context& c, Params& params) {
  const Place p = c.names.find(params.text("signal"), falsifiable, params.name_of("signal"));
  return {p, p.kind == Kind::input ? exec::Side::input : exec::Side::output,
          static_cast<std::uint32_t>(p.index)};
}

}  // namespace

void set(const Context& context, Params& params, Changes& changes) {
  const boost::json::object& values = params.object("values");
  const bool restart = params.boolean("restart", false);
  if (values.empty()) params.reject("values", "expected a parameter at least");
  const std::size_t first = changes.all.size();
  std::vector<std::size_t> seen;
  for (const auto& member : values) {
    const Place p = context.names.find(std::string_view(member.key()), parameter_kind,
                                       params.name_of("values"));
    const model::Parameter& described = context.run.description.parameters[p.index];
    const std::string called = params.name_of("values") + "." + std::string(described.name);
    if (std::find(seen.begin(), seen.end(), p.index) != seen.end()) {
      refuse(rpc::Code::invalid_params, "{}: there twice, once with its prefix", called);
    }
    seen.push_back(p.index);
    const double value =
        quantity_of(member.value(), called, described.unit, {described.low, described.high});
    changes.add(exec::SetParameter{static_cast<std::uint32_t>(p.index), value, restart},
                {changes.all.size() - first, called});
  }
}

void override_signal(const Context& context, Params& params, Changes& changes) {
  const Signal signal = read_signal(context, params);
  exec::Override o{.side = signal.side, .signal = signal.index};
  static constexpr exec::OverrideKind order[] = {
      exec::OverrideKind::stuck, exec::OverrideKind::offset, exec::OverrideKind::gain,
      exec::OverrideKind::noise, exec::OverrideKind::dropout};
  o.kind = order[params.choice("kind", {"stuck", "offset", "gain", "noise", "dropout"})];
  const std::string_view unit = context.names.unit(signal.place);
  if (o.kind == exec::OverrideKind::gain) {
    o.value = params.number("value", "1");
  } else if (o.kind == exec::OverrideKind::noise) {
    o.value = params.number("value", unit, {}, {.low = 0});
    o.seed = static_cast<std::uint64_t>(params.integer("seed", 0, INT64_MAX, 0));
  } else if (o.kind != exec::OverrideKind::dropout) {
    o.value = params.number("value", unit);
  }
  if (params.has("frames")) o.frames = params.integer("frames", 1, INT64_MAX);
  o.restart = params.boolean("restart", false);
  changes.add(o, {0, params.name_of("signal")});
}

void release(const Context& context, Params& params, Changes& changes) {
  const Signal signal = read_signal(context, params);
  changes.add(exec::ReleaseOverride{signal.side, signal.index, params.boolean("restart", false)},
              {0, params.name_of("signal")});
}

}  // namespace hild::server
