// SPDX-License-Identifier: Apache-2.0
#include "foreign/contain/task.hpp"

#include <span>

#include "foreign/contain/pack.hpp"
#include "foreign/examine/examination.hpp"
#include "foreign/fmu/messages.hpp"
#include "hild/model/plugin.hpp"
#include "hild/numerics/catalogue.hpp"

namespace hild::contain {
namespace {

// What both programs must have alike.
std::string stamp() {
  return fmt::format("hild {} {} {} {} {}", model::plugin_abi, remote::exchange_version,
                     sizeof(remote::Header), sizeof(examine::Examination), fmu::Messages::bytes());
}

}  // namespace

template <>
inline constexpr int enumerators<Recipe::From> = 3;
template <>
inline constexpr int enumerators<Work> = 4;
template <>
inline constexpr int enumerators<fmu::Kind> = 2;
template <>
inline constexpr int enumerators<model::Interface> = 2;

void fields(Packer& to, const numerics::Method*& method) {
  to(method == nullptr ? std::string_view() : method->name);
}

void fields(Unpacker& from, const numerics::Method*& method) {
  std::string name;
  from(name);
  method = numerics::find_method(name);
  if (method == nullptr && !name.empty()) from.refuse();
}

template <class Wire>
void fields(Wire& wire, model::Multirate& m) {
  wire(m.interface, m.count);
  if (m.count > m.rates.size()) return wire.refuse();
  for (model::Rate& rate : std::span(m.rates).first(m.count)) {
    wire(rate.method, rate.ratio);
    if (rate.method == nullptr) wire.refuse();
  }
}

template <class Wire>
void fields(Wire& wire, Way& way) {
  bool several = std::holds_alternative<model::Multirate>(way);
  wire(several);
  if (several && way.index() == 0) way = model::Multirate{};
  std::visit([&](auto& one) { wire(one); }, way);
}

template <class Wire>
void fields(Wire& wire, Task& t) {
  wire(t.work, t.recipe, t.way, t.sizes, t.priority, t.cpu, t.parameters, t.initial, t.frame,
       t.steps);
}

std::string packed(const Task& t) {
  Packer to;
  to(stamp(), t);
  return to.bytes();
}

Result<Task> unpacked(std::string_view bytes) {
  Unpacker from(bytes);
  std::string theirs;
  from(theirs);
  if (theirs != stamp()) {
    return fail("it is of another build of hild: \"{}\", expected \"{}\"; install both anew",
                stamp(), theirs);
  }
  Task t;
  from(t);
  if (!from.done()) return fail("what it is to do breaks off");
  return t;
}

}  // namespace hild::contain
