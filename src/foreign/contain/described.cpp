// SPDX-License-Identifier: Apache-2.0
#include "foreign/contain/described.hpp"

#include "foreign/contain/child.hpp"
#include "foreign/plugin/load.hpp"

namespace hild::contain {
namespace {

// The least that an entry of any list takes: the length of a text.
constexpr std::size_t least = sizeof(std::uint64_t);

std::uint64_t count(std::size_t n) { return n; }

}  // namespace

void Described::pack(const model::Description& d, Packer& to) {
  to.add(d.name);
  to.add(d.summary);
  to.add(count(d.states.size()));
  for (const auto& s : d.states) {
    to.add(s.name), to.add(s.unit);
    to.add(s.start), to.add(s.low), to.add(s.high), to.add(s.nominal);
  }
  to.add(count(d.inputs.size()));
  for (const auto& u : d.inputs) to.add(u.name), to.add(u.unit), to.add(u.start);
  to.add(count(d.outputs.size()));
  for (const auto& y : d.outputs) to.add(y.name), to.add(y.unit);
  to.add(count(d.parameters.size()));
  for (const auto& p : d.parameters) {
    to.add(p.name), to.add(p.unit);
    to.add(p.value), to.add(p.low), to.add(p.high), to.add(p.tunable), to.add(p.whole);
  }
  to.add(count(d.events.size()));
  for (const auto& e : d.events) to.add(e.name), to.add(e.crossing);
  to.add(d.time_events);
  to.add(count(d.partitions.size()));
  for (const auto& p : d.partitions) {
    to.add(p.name);
    to.add(count(p.states.size()));
    for (const auto name : p.states) to.add(name);
  }
  to.add(d.feedthrough.has_value());
  if (!d.feedthrough) return;
  to.add(count(d.feedthrough->size()));
  for (const auto& f : *d.feedthrough) to.add(f.output), to.add(f.input);
}

// They go to terminals.
std::string_view Described::text(Unpacker& from) {
  from.take(texts_.emplace_back());
  if (plain(texts_.back()) != texts_.back()) from.refuse();
  return texts_.back();
}

void Described::take_signals(Unpacker& from) {
  states_.resize(from.length(least));
  for (auto& s : states_) {
    s.name = text(from), s.unit = text(from);
    from.take(s.start), from.take(s.low), from.take(s.high), from.take(s.nominal);
  }
  inputs_.resize(from.length(least));
  for (auto& u : inputs_) u.name = text(from), u.unit = text(from), from.take(u.start);
  outputs_.resize(from.length(least));
  for (auto& y : outputs_) y.name = text(from), y.unit = text(from);
  parameters_.resize(from.length(least));
  for (auto& p : parameters_) {
    p.name = text(from), p.unit = text(from);
    from.take(p.value), from.take(p.low), from.take(p.high);
    from.take(p.tunable), from.take(p.whole);
  }
}

void Described::take_structure(Unpacker& from) {
  events_.resize(from.length(least));
  for (auto& e : events_) e.name = text(from), from.take(e.crossing, 3);
  from.take(description_.time_events);
  partitions_.resize(from.length(least));
  for (auto& p : partitions_) {
    p.name = text(from);
    auto& names = names_.emplace_back(from.length(least));
    for (auto& name : names) name = text(from);
    p.states = names;
  }
  bool said = false;
  from.take(said);
  if (!said) return;
  feedthrough_.resize(from.length(least));
  for (auto& f : feedthrough_) f.output = text(from), f.input = text(from);
  description_.feedthrough = feedthrough_;
}

Result<std::unique_ptr<const Described>> Described::unpack(Unpacker& from) {
  std::unique_ptr<Described> made(new Described);
  model::Description& d = made->description_;
  d.name = made->text(from);
  d.summary = made->text(from);
  made->take_signals(from);
  made->take_structure(from);
  d.states = made->states_;
  d.inputs = made->inputs_;
  d.outputs = made->outputs_;
  d.parameters = made->parameters_;
  d.events = made->events_;
  d.partitions = made->partitions_;
  if (from.broken()) return fail("its description breaks off, or holds control characters");
  if (auto good = plugin::check_description(d); !good) return tl::make_unexpected(good.error());
  return made;
}

}  // namespace hild::contain
