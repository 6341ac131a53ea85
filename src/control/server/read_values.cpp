// SPDX-License-Identifier: Apache-2.0
#include <boost/json/array.hpp>

#include "control/rpc/reply.hpp"
#include "control/server/handlers.hpp"
#include "control/server/image.hpp"
#include "control/server/run_state.hpp"
#include "core/decimal.hpp"

namespace hild::server {
namespace {

namespace json = boost::json;

// What is loud of the state: the values of a run that is not what it seems say so.
json::array loud(const Context& c, const exec::Image& image) {
  std::vector<Topic> topics = topics_of(c, image);
  std::erase_if(topics, [](const Topic& t) { return t.level == Level::quiet; });
  return told(topics);
}

json::object value_entry(const Context& c, const exec::Image& image, Place p) {
  json::object o{{"name", c.names.name(p)}, {"unit", c.names.unit(p)}, {"value", nullptr}};
  if (image.frame >= 0) o["value"] = rpc::number(value_in(image, p));
  return o;
}

json::array parameters(const Context& c, const exec::Image& image) {
  json::array all;
  for (const Place p : c.names.all(Kind::parameter)) {
    const model::Parameter& described = c.run.description.parameters[p.index];
    json::object o = value_entry(c, image, p);
    o["start"] = rpc::number(c.run.start_parameters[p.index]);
    o["low"] = rpc::number(described.low);
    o["high"] = rpc::number(described.high);
    o["tunable"] = described.tunable;
    all.push_back(std::move(o));
  }
  return all;
}

json::value where(const Wire& wire) {
  return wire.where.empty() ? json::value(nullptr) : json::value(wire.where);
}

json::array inputs(const Context& c, const exec::Image& image) {
  const Differences differences(c, image);
  json::array all;
  for (const Place p : c.names.all(Kind::input)) {
    json::object o = value_entry(c, image, p);
    o["from"] = where(c.run.inputs[p.index]);
    if (json::value d = differences.json_of(p); !d.is_null()) o["differs"] = std::move(d);
    all.push_back(std::move(o));
  }
  return all;
}

json::array outputs(const Context& c, const exec::Image& image) {
  const Differences differences(c, image);
  json::array all;
  for (const Place p : c.names.all(Kind::output)) {
    const Wire& wire = c.run.outputs[p.index];
    json::object o = value_entry(c, image, p);
    o["to"] = where(wire);
    o["safe"] = wire.safe ? rpc::number(*wire.safe) : json::value(nullptr);
    if (json::value d = differences.json_of(p); !d.is_null()) o["differs"] = std::move(d);
    all.push_back(std::move(o));
  }
  return all;
}

json::array states(const Context& c, const exec::Image& image) {
  json::array all;
  for (const Place p : c.names.all(Kind::state)) all.push_back(value_entry(c, image, p));
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
  const exec::Image image = newest_image(context.run);
  json::array shapes;
  for (const exec::Word& w : exec::shape_words) shapes.emplace_back(w.name);
  json::array overrides;
  for (const exec::Word& w : exec::fault_words) overrides.emplace_back(w.name);
  return json::object{
      {"parameters", parameters(context, image)}, {"inputs", inputs(context, image)},
      {"outputs", outputs(context, image)},       {"states", states(context, image)},
      {"slots", saved_slots(context.run)},        {"shapes", std::move(shapes)},
      {"overrides", std::move(overrides)}};
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
  const exec::Image image = newest_image(context.run);
  if (image.frame < 0) {
    refuse(rpc::Code::refused, "no step has ended yet: try again when frames advance");
  }
  const Differences differences(context, image);
  json::object values;
  json::object differs;
  for (const auto& [name, place] : wanted) {
    values[name] = rpc::number(value_in(image, place));
    if (json::value d = differences.json_of(place); !d.is_null()) differs[name] = std::move(d);
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
