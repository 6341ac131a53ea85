// SPDX-License-Identifier: Apache-2.0
#include "foreign/contain/task.hpp"

#include "foreign/contain/pack.hpp"
#include "foreign/examine/examination.hpp"
#include "foreign/fmu/messages.hpp"
#include "hild/model/plugin.hpp"
#include "hild/numerics/catalogue.hpp"

namespace hild::contain {
namespace {

// What both programs must have alike.
std::string stamp() {
  return fmt::format("hild {} {} {} {}", model::plugin_abi, sizeof(remote::Header),
                     sizeof(examine::Examination), fmu::Messages::bytes());
}

void pack(const fmi::Limit& limit, Packer& to) {
  to.add(limit.most);
  to.add(limit.stop);
}
void take(fmi::Limit& limit, Unpacker& from) {
  from.take(limit.most);
  from.take(limit.stop);
}

void pack(const Recipe& r, Packer& to) {
  to.add(r.from);
  to.add(r.where);
  to.add(r.options.kind.has_value());
  to.add(r.options.kind == fmu::Kind::co_simulation);
  pack(r.options.caps.event_iterations, to);
  pack(r.options.caps.zero_advance, to);
  pack(r.options.caps.step_parts, to);
  to.add(r.options.differences);
  to.add(static_cast<std::uint64_t>(r.options.structure.size()));
  for (const auto& [name, size] : r.options.structure) to.add(name), to.add(size);
  to.add(r.options.step);
  to.add(r.found.has_value());
  if (!r.found) return;
  to.add(static_cast<std::uint64_t>(r.found->states.size()));
  for (const auto& s : r.found->states) to.add(s.start), to.add(s.nominal);
}

void take(Recipe& r, Unpacker& from) {
  from.take(r.from, 3);
  from.take(r.where);
  bool has = false;
  bool co_simulation = false;
  from.take(has);
  from.take(co_simulation);
  if (has) r.options.kind = co_simulation ? fmu::Kind::co_simulation : fmu::Kind::model_exchange;
  take(r.options.caps.event_iterations, from);
  take(r.options.caps.zero_advance, from);
  take(r.options.caps.step_parts, from);
  from.take(r.options.differences);
  for (std::size_t n = from.length(2 * sizeof(std::uint64_t)); n > 0; --n) {
    std::string name;
    from.take(name);
    from.take(r.options.structure[name]);
  }
  from.take(r.options.step);
  from.take(has);
  if (!has) return;
  r.found.emplace().states.resize(from.length(2 * sizeof(double)));
  for (auto& s : r.found->states) from.take(s.start), from.take(s.nominal);
}

void pack(const Way& way, Packer& to) {
  const auto* const rates = std::get_if<model::Multirate>(&way);
  to.add(rates != nullptr);
  if (rates == nullptr) {
    const auto* const method = std::get<const numerics::Method*>(way);
    return to.add(method == nullptr ? std::string_view() : method->name);
  }
  to.add(rates->interface == model::Interface::extrapolate);
  to.add(static_cast<std::uint64_t>(rates->count));
  for (std::size_t i = 0; i < rates->count; ++i) {
    to.add(rates->rates[i].method->name);
    to.add(rates->rates[i].ratio);
  }
}

const numerics::Method* take_method(Unpacker& from) {
  std::string name;
  from.take(name);
  const auto* const method = numerics::find_method(name);
  if (method == nullptr && !name.empty()) from.refuse();
  return method;
}

void pack(const std::optional<Way>& way, Packer& to) {
  to.add(way.has_value());
  if (way) pack(*way, to);
}

void take(Way& way, Unpacker& from) {
  bool several = false;
  from.take(several);
  if (!several) {
    way = take_method(from);
    return;
  }
  model::Multirate rates;
  bool extrapolate = false;
  from.take(extrapolate);
  rates.interface = extrapolate ? model::Interface::extrapolate : model::Interface::hold;
  rates.count = from.length(sizeof(std::uint64_t));
  if (rates.count > rates.rates.size()) return from.refuse();
  for (std::size_t i = 0; i < rates.count; ++i) {
    rates.rates[i].method = take_method(from);
    from.take(rates.rates[i].ratio);
    if (rates.rates[i].method == nullptr) from.refuse();
  }
  way = rates;
}

void take(std::optional<Way>& way, Unpacker& from) {
  bool has = false;
  from.take(has);
  if (has) take(way.emplace(), from);
}

// What is packed as it is, in order.
void each_plain(auto& task, const auto& each) {
  each(task.sizes.states);
  each(task.sizes.inputs);
  each(task.sizes.outputs);
  each(task.sizes.events);
  each(task.sizes.parameters);
  each(task.sizes.said);
  each(task.priority);
  each(task.cpu);
  each(task.parameters);
  each(task.initial);
  each(task.frame.ns);
  each(task.steps);
}

}  // namespace

std::string packed(const Task& t) {
  Packer to;
  to.add(stamp());
  to.add(t.work);
  pack(t.recipe, to);
  pack(t.way, to);
  each_plain(t, [&](const auto& field) { to.add(field); });
  return to.bytes();
}

Result<Task> unpacked(std::string_view bytes) {
  Unpacker from(bytes);
  std::string theirs;
  from.take(theirs);
  if (theirs != stamp()) {
    return fail("it is of another build of hild: \"{}\", expected \"{}\"; install both anew",
                stamp(), theirs);
  }
  Task t;
  from.take(t.work, 4);
  take(t.recipe, from);
  take(t.way, from);
  each_plain(t, [&](auto& field) { from.take(field); });
  if (!from.done()) return fail("what it is to do breaks off");
  return t;
}

}  // namespace hild::contain
