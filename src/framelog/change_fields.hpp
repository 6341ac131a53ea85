// SPDX-License-Identifier: Apache-2.0
/// \file
/// The fields of every change by name: one list for writing and for reading. A visitor is called
/// with a name and the field; for an enumeration with its largest value as well.
#pragma once

#include <array>
#include <string_view>

#include "exec/transaction.hpp"

namespace hild::framelog {

/// In the order of exec::Change.
inline constexpr std::array<std::string_view, std::variant_size_v<exec::Change>> change_names{
    "set",    "override", "release", "stimulate", "quiet", "freeze", "step",
    "resume", "declare",  "save",    "restore",   "reset", "mark"};

template <class V>
void fields(exec::SetParameter& c, V&& v) {
  v("parameter", c.parameter);
  v("value", c.value);
  v("restart", c.restart);
}
template <class V>
void fields(exec::Override& c, V&& v) {
  v("side", c.side, exec::Side::output);
  v("signal", c.signal);
  v("kind", c.kind, exec::OverrideKind::dropout);
  v("value", c.value);
  v("seed", c.seed);
  v("frames", c.frames);
  v("restart", c.restart);
}
template <class V>
void fields(exec::ReleaseOverride& c, V&& v) {
  v("side", c.side, exec::Side::output);
  v("signal", c.signal);
  v("restart", c.restart);
}
template <class V>
void fields(exec::Stimulus& c, V&& v) {
  v("input", c.input);
  v("shape", c.shape, exec::Shape::playback);
  v("replace", c.replace);
  v("offset", c.offset);
  v("amplitude", c.amplitude);
  v("frequency", c.frequency);
  v("frequency_end", c.frequency_end);
  v("phase", c.phase);
  v("over_ns", c.over.ns);
  v("duration_ns", c.duration.ns);
  v("table", c.table);
  v("restart", c.restart);
}
template <class V>
void fields(exec::StopStimulus& c, V&& v) {
  v("input", c.input);
  v("restart", c.restart);
}
template <class V>
void fields(exec::Freeze& c, V&& v) {
  v("outputs", c.outputs, exec::FrozenOutputs::declared);
}
template <class V>
void fields(exec::StepFrames& c, V&& v) {
  v("frames", c.frames);
}
template <class V>
void fields(exec::Resume& /*c*/, V&& /*v*/) {}
template <class V>
void fields(exec::DeclareOutput& c, V&& v) {
  v("output", c.output);
  v("value", c.value);
}
template <class V>
void fields(exec::SaveStates& c, V&& v) {
  v("slot", c.slot);
}
template <class V>
void fields(exec::RestoreStates& c, V&& v) {
  v("slot", c.slot);
  v("parameters", c.parameters);
}
template <class V>
void fields(exec::Reset& c, V&& v) {
  v("parameters", c.parameters);
}
template <class V>
void fields(exec::Mark& c, V&& v) {
  v("label", c.label);
}

}  // namespace hild::framelog
