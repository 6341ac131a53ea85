// SPDX-License-Identifier: Apache-2.0
#include "foreign/contain/described.hpp"

#include "foreign/contain/child.hpp"
#include "foreign/plugin/load.hpp"

namespace hild::contain {

template <>
inline constexpr int enumerators<model::Crossing> = 3;

// Their states follow.
template <class Wire>
void fields(Wire& wire, model::Partition& p) {
  wire(p.name);
}

// A list of which a description has a view, and where it is kept.
template <class Wire, class T>
void list(Wire& wire, std::span<const T>& view, std::vector<T>& kept) {
  kept.assign(view.begin(), view.end());
  wire(kept);
  view = kept;
}

template <class Wire>
void Described::fields(Wire& wire) {
  model::Description& d = description_;
  wire(d.name, d.summary);
  list(wire, d.states, states_);
  list(wire, d.inputs, inputs_);
  list(wire, d.outputs, outputs_);
  list(wire, d.parameters, parameters_);
  list(wire, d.events, events_);
  list(wire, d.algebraic, algebraic_);
  wire(d.time_events, d.own_jacobian);
  structure(wire);
  list(wire, d.partitions, partitions_);
  for (auto& p : partitions_) list(wire, p.states, names_.emplace_back());
  bool said = d.feedthrough.has_value();
  wire(said);
  if (!said) return;
  if (!d.feedthrough) d.feedthrough.emplace();
  list(wire, *d.feedthrough, feedthrough_);
}

// Of a pattern its places.
template <class Wire>
void Described::structure(Wire& wire) {
  numerics::Structure& s = description_.structure;
  wire(s.dense, s.lower, s.upper);
  bool patterned = s.pattern != nullptr;
  wire(patterned);
  if (!patterned) return;
  std::vector<numerics::Place> places;
  if (s.pattern != nullptr) places = s.pattern->places();
  wire(places);
  pattern_ = numerics::Pattern(states_.size(), std::move(places));
  s.pattern = &pattern_;
}

void Described::pack(const model::Description& d, Packer& to) {
  Described packed;
  packed.description_ = d;
  packed.fields(to);
}

Result<std::unique_ptr<const Described>> Described::unpack(Unpacker& from) {
  std::unique_ptr<Described> made(new Described);
  from.keep_texts_in(made->texts_);
  made->fields(from);
  // They go to terminals.
  for (const std::string& text : made->texts_) {
    if (plain(text) != text) from.refuse();
  }
  if (from.broken()) return fail("its description breaks off, or holds control characters");
  if (auto good = plugin::check_description(made->description_); !good)
    return tl::make_unexpected(good.error());
  return made;
}

}  // namespace hild::contain
