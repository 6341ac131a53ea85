// SPDX-License-Identifier: Apache-2.0
#include <boost/json/array.hpp>

#include "control/rpc/message.hpp"
#include "control/server/method.hpp"
#include "control/server/run_state.hpp"
#include "core/decimal.hpp"

namespace hild::server {
namespace {

// What is loud of the state: the values of a run that is not what it seems say so.
json::array loud(const Context& c, const exec::Image& image) {
  std::vector<Topic> topics = topics_of(c, image);
  std::erase_if(topics, [](const Topic& t) { return t.level == Level::quiet; });
  return told(topics);
}

/// An entry for each of a kind; `add` adds what this kind alone has.
template <class Add>
json::array entries(const Context& c, const exec::Image& image, Kind kind, Add add) {
  json::array all;
  for (const Place p : c.names.all(kind)) {
    json::object o{{"name", c.names.name(p)}, {"unit", c.names.unit(p)}, {"value", nullptr}};
    if (image.frame >= 0) o["value"] = rpc::number(value_in(image, p));
    add(o, p.index);
    if (json::value d = difference(c, image, p); !d.is_null()) o["differs"] = std::move(d);
    all.push_back(std::move(o));
  }
  return all;
}

json::array device_faults(const Run& run) {
  json::array all;
  for (const io::DeviceFault& f : run.device_faults) {
    all.push_back({{"name", f.name},
                   {"unit", f.unit},
                   {"low", rpc::number(f.allowed.low)},
                   {"high", rpc::number(f.allowed.high)},
                   {"help", f.help}});
  }
  return all;
}

json::array alarms(const Context& context) {
  static constexpr Kind kind_of[] = {Kind::input, Kind::output, Kind::state};
  static constexpr std::string_view then[] = {"note", "disarm", "stop"};
  const exec::Alarms& known = context.run.loop.alarms();
  const exec::Alarms::Told told = known.told();
  json::array all;
  for (const config::Alarm& a : context.run.alarms) {
    const std::size_t i = all.size();
    const std::uint32_t bit = std::uint32_t{1} << i;
    const bool open = (told.open & bit) != 0;
    const std::int64_t since = open ? known.since(i) : -1;
    const Place watched{kind_of[static_cast<std::size_t>(a.alarm.of)], a.alarm.index};
    all.push_back({{"name", a.name},
                   {"watch", context.names.shortest(watched)},
                   {"unit", a.unit},
                   {"below", rpc::number(a.alarm.low)},
                   {"above", rpc::number(a.alarm.high)},
                   {"hysteresis", a.alarm.hysteresis},
                   {"after_frames", a.alarm.after},
                   {"latch", a.alarm.latch},
                   {"then", then[static_cast<std::size_t>(a.alarm.then)]},
                   {"text", a.text},
                   {"active", (told.active & bit) != 0},
                   {"open", open},
                   {"since_frame", since < 0 ? json::value() : json::value(since)}});
  }
  return all;
}

json::array recorders(const Run& run) {
  json::array all;
  for (const Run::Recorder& one : run.recorders()) all.push_back(json::object{{"name", one.name}});
  return all;
}

json::value where(const Wire& wire) {
  return wire.where.empty() ? json::value(nullptr) : json::value(wire.where);
}

json::array names_of(std::span<const exec::Word> words) {
  json::array all;
  for (const exec::Word& w : words) all.emplace_back(w.name);
  return all;
}

json::array saved_slots(const Run& run) {
  json::array all;
  std::vector<double> values;
  for (std::size_t slot = 0; slot < exec::saved_slots; ++slot) {
    if (run.loop.saved_states().read(slot, values)) all.push_back(slot);
  }
  return all;
}

}  // namespace

json::value list(const Context& context, Params& params) {
  params.refuse_unknown();
  const exec::Image& image = newest_image(context.run);
  const auto parameter = [&](json::object& o, std::size_t i) {
    const model::Parameter& described = context.run.description.parameters[i];
    o["start"] = rpc::number(context.run.start_parameters[i]);
    o["low"] = rpc::number(described.low);
    o["high"] = rpc::number(described.high);
    o["tunable"] = described.tunable;
  };
  const auto input = [&](json::object& o, std::size_t i) {
    o["from"] = where(context.run.inputs[i]);
  };
  const auto output = [&](json::object& o, std::size_t i) {
    const Wire& wire = context.run.outputs[i];
    o["to"] = where(wire);
    o["safe"] = wire.safe ? rpc::number(*wire.safe) : json::value(nullptr);
  };
  const auto state = [](json::object& /*o*/, std::size_t /*i*/) {};
  return json::object{{"parameters", entries(context, image, Kind::parameter, parameter)},
                      {"inputs", entries(context, image, Kind::input, input)},
                      {"outputs", entries(context, image, Kind::output, output)},
                      {"states", entries(context, image, Kind::state, state)},
                      {"device_faults", device_faults(context.run)},
                      {"alarms", alarms(context)},
                      {"recorders", recorders(context.run)},
                      {"slots", saved_slots(context.run)},
                      {"shapes", names_of(exec::shape_words)},
                      {"overrides", names_of(exec::fault_words)}};
}

json::value get(const Context& context, Params& params) {
  const Names& names = context.names;
  std::vector<std::pair<std::string, Place>> wanted;
  if (params.has("names")) {
    for (std::string& name : params.texts("names")) {
      const Place place = names.find(name, all_kinds, params.name_of("names"));
      wanted.emplace_back(std::move(name), place);
    }
  } else {
    for (const Kind k : all_kinds) {
      for (const Place p : names.all(k)) wanted.emplace_back(names.shortest(p), p);
    }
  }
  params.refuse_unknown();
  const exec::Image& image = newest_image(context.run);
  if (image.frame < 0) {
    refuse(rpc::Code::refused, "no step has ended yet: try again when frames advance");
  }
  json::object values;
  json::object differs;
  for (const auto& [name, place] : wanted) {
    values[name] = rpc::number(value_in(image, place));
    if (json::value d = difference(context, image, place); !d.is_null()) differs[name] = d;
  }
  return json::object{{"frame", image.frame},          {"time_s", in_seconds(image.time)},
                      {"frozen", image.frozen},        {"values", std::move(values)},
                      {"differs", std::move(differs)}, {"told", loud(context, image)}};
}

json::value saved(const Context& context, Params& params) {
  const std::int64_t slot = params.integer("slot", 0, exec::saved_slots - 1);
  params.refuse_unknown();
  std::vector<double> values;
  if (!context.run.loop.saved_states().read(static_cast<std::size_t>(slot), values)) {
    params.reject("slot", fmt::format("nothing was saved in slot {}: save first", slot));
  }
  const Names& names = context.names;
  std::size_t at = 0;
  const auto part = [&](Kind k) {
    json::object o;
    for (const Place p : names.all(k)) o[names.name(p)] = rpc::number(values[at++]);
    return o;
  };
  json::object o{{"slot", slot}};
  o["states"] = part(Kind::state);
  o["parameters"] = part(Kind::parameter);
  return o;
}

}  // namespace hild::server
