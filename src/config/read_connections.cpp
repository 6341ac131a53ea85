// SPDX-License-Identifier: Apache-2.0
/// Connections between several models.
#include <algorithm>

#include "config/near_names.hpp"
#include "config/sections.hpp"
#include "hild/core/units.hpp"

namespace hild::config {
namespace {

constexpr std::size_t nowhere = SIZE_MAX;  ///< of a connection that could not be read

using Parts = std::vector<std::unique_ptr<const Part>>;

/// A signal of a part: of its kind, the how-many-eth of all parts.
template <class Signal>
struct Found {
  const Signal* signal;
  std::size_t index;
  std::string name;  ///< "motor.speed"
};

std::string known_models(const Parts& parts, std::string_view name) {
  std::vector<std::string_view> known;
  for (const auto& part : parts) known.emplace_back(part->name);
  return suggest(name, known);
}

/// What "motor.speed" means; `kind` is "an output" or "an input", of which `list` has the part's.
template <class List>
auto find_signal(YamlOptions& entry, std::string_view key, std::string_view kind,
                 const Parts& parts, List list) {
  using Signal = std::remove_cvref_t<decltype(list(parts.front()->model.description)[0])>;
  const std::string_view text = entry.text(key);
  const std::size_t dot = text.find('.');
  if (dot == std::string_view::npos) {
    entry.mismatch(key,
                   fmt::format("{} of a model, such as \"{}.NAME\"", kind, parts.front()->name));
  }
  std::size_t before = 0;
  for (const auto& part : parts) {
    const model::Description& d = part->model.description;
    const std::span<const Signal> signals = list(d);
    if (part->name != text.substr(0, dot)) {
      before += signals.size();
      continue;
    }
    const auto found = std::ranges::find(signals, text.substr(dot + 1), &Signal::name);
    if (found == signals.end()) {
      if (signals.empty()) entry.mismatch(key, kind, fmt::format("{} has none", part->name));
      entry.mismatch(key, fmt::format("{} of {}", kind, part->name),
                     suggest(text.substr(dot + 1), names_of(signals)));
    }
    const auto at = static_cast<std::size_t>(found - signals.begin());
    return Found<Signal>{&signals[at], before + at, std::string(text)};
  }
  entry.mismatch(key, fmt::format("{} of a model", kind), known_models(parts, text.substr(0, dot)));
}

// "V s/rad" from rad/s to V.
std::string unit_of_scale(std::string_view from, std::string_view to) {
  if (from == to) return "1";
  if (from == "1") return std::string(to);
  return to == "1" ? fmt::format("1/({})", from) : fmt::format("({})/({})", to, from);
}

void read_conversion(YamlOptions& entry, const Found<model::Output>& from,
                     const Found<model::Input>& to, coupled::Connection& connection) {
  if (entry.has("scale")) {
    connection.factor = entry.number("scale", unit_of_scale(from.signal->unit, to.signal->unit));
    if (connection.factor == 0) entry.mismatch("scale", "anything but 0");
    return;
  }
  const auto conversion = unit_conversion(from.signal->unit, to.signal->unit);
  if (!conversion) {
    entry.reject_all(
        fmt::format("{} is in {}, {} in {}: {}; connect what has one kind of unit, or "
                    "write `scale`, in {}",
                    from.name, from.signal->unit, to.name, to.signal->unit,
                    conversion.error().message, unit_of_scale(from.signal->unit, to.signal->unit)));
  }
  connection.factor = conversion->factor;
  connection.offset = conversion->offset;
}

coupled::Connection read_connection(YamlOptions& entry, const Parts& parts) {
  const auto from = find_signal(entry, "from", "an output", parts,
                                [](const model::Description& d) { return d.outputs; });
  const auto to = find_signal(entry, "to", "an input", parts,
                              [](const model::Description& d) { return d.inputs; });
  coupled::Connection connection;
  connection.from = from.index;
  connection.to = to.index;
  read_conversion(entry, from, to, connection);
  connection.degree =
      static_cast<int>(entry.choice("extrapolation", {"hold", "linear", "quadratic"}, 0));
  connection.delayed = entry.choice("delay", {"none", "frame"}, 0) == 1;
  entry.refuse_unknown();  // before a loop that a misspelt delay would have broken
  return connection;
}

}  // namespace

std::vector<coupled::Connection> read_connections(YamlOptions& root, const Parts& parts) {
  std::vector<coupled::Connection> all;
  const auto entries = root.maps("connections");
  for (YamlOptions* const entry : entries) {
    coupled::Connection one;
    one.to = nowhere;
    entry->attempt([&] { one = read_connection(*entry, parts); });
    const auto twin = std::ranges::find(all, one.to, &coupled::Connection::to);
    if (twin != all.end() && one.to != nowhere) {
      entry->attempt([&] {
        entry->reject(
            "to", fmt::format("found \"{}\", which is connected already ({})", entry->text("to"),
                              entries[static_cast<std::size_t>(twin - all.begin())]->place()));
      });
    }
    all.push_back(one);
  }
  if (std::ranges::any_of(entries, [](const YamlOptions* e) { return e->damaged(); })) {
    entries.front()->follow();
  }
  return all;
}

void refuse_loop(YamlOptions& root, const Coupled& coupled) {
  const auto& loop = coupled.composition->order().loop;
  if (loop.empty()) return;
  const auto entries = root.maps("connections");
  std::string path;
  std::vector<std::string_view> silent;
  for (const std::size_t c : loop) {
    path += fmt::format("{} -> {} -> ", entries[c]->text("from"), entries[c]->text("to"));
  }
  path += entries[loop.front()]->text("from");
  for (const auto& part : coupled.parts) {
    const bool in_loop = path.find(fmt::format(" {}.", part->name)) != std::string::npos;
    if (in_loop && !part->model.description.feedthrough) silent.push_back(part->name);
  }
  const std::string taken =
      silent.empty() ? ""
                     : fmt::format(
                           "; of {} it is not said which outputs depend on which inputs at "
                           "once (`feedthrough`), and all are taken to",
                           fmt::join(silent, ", "));
  entries[loop.front()]->reject_all(
      fmt::format("closes an algebraic loop, {}, in which each depends on the one before at once; "
                  "break it by `delay: frame` in one of its connections{}",
                  path, taken));
}

void refuse_doubly_fed(YamlOptions& root) {
  YamlOptions& inputs = root.map("inputs");
  for (YamlOptions* const entry : root.maps("connections")) {
    const std::string_view to = entry->text("to");
    if (!inputs.has(to)) continue;
    inputs.reject(to, fmt::format("found an entry for an input that is connected to {} ({}), "
                                  "expected one of them",
                                  entry->text("from"), entry->place()));
  }
}

}  // namespace hild::config
