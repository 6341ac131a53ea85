// SPDX-License-Identifier: Apache-2.0
/// Whether the plant moves, and from which states.
#include "server/handlers.hpp"

namespace hild::server {
namespace {

constexpr Kind output_kind[] = {Kind::output};

std::uint32_t read_slot(Params& params) {
  return static_cast<std::uint32_t>(params.integer("slot", 0, exec::saved_slots - 1, 0));
}

void declare(const Context& context, Params& params, Changes& changes) {
  const boost::json::object& values = params.object("values");
  if (values.empty()) params.reject("values", "expected an output at least");
  for (const auto& member : values) {
    const std::string key(member.key());
    const Place p = context.names.find(key, output_kind, params.name_of("values"));
    const std::string called = params.name_of("values") + "." + key;
    changes.add(exec::DeclareOutput{static_cast<std::uint32_t>(p.index),
                                    quantity_of(member.value(), called, context.names.unit(p))},
                {0, called});
  }
}

}  // namespace

void freeze(const Context& context, Params& params, Changes& changes) {
  const auto outputs =
      static_cast<exec::FrozenOutputs>(params.choice("outputs", {"hold", "safe", "declared"}, 0));
  if (outputs == exec::FrozenOutputs::declared) declare(context, params, changes);
  changes.add(exec::Freeze{outputs}, {0, params.name_of("outputs")});
}

void step(const Context& /*context*/, Params& params, Changes& changes) {
  exec::StepFrames step;
  step.frames = params.integer("frames", 1, INT64_MAX, 1);
  step.freezes = params.boolean("freeze", false);
  changes.add(step, {0, params.name_of("frames")});
}

void resume(const Context& /*context*/, Params& /*params*/, Changes& changes) {
  changes.add(exec::Resume{}, {0, "resume"});
}

void save(const Context& /*context*/, Params& params, Changes& changes) {
  changes.add(exec::SaveStates{read_slot(params)}, {0, params.name_of("slot")});
}

void restore(const Context& /*context*/, Params& params, Changes& changes) {
  changes.add(exec::RestoreStates{read_slot(params), params.boolean("parameters", false)},
              {0, params.name_of("slot")});
}

void reset(const Context& /*context*/, Params& params, Changes& changes) {
  changes.add(exec::Reset{params.boolean("parameters", false)}, {0, "reset"});
}

void mark(const Context& /*context*/, Params& params, Changes& changes) {
  changes.add(exec::Mark{static_cast<std::uint32_t>(params.integer("label", 1, UINT32_MAX, 1))},
              {0, params.name_of("label")});
}

}  // namespace hild::server
