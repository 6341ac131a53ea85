// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/links.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <exception>

#include "core/json_parts.hpp"

namespace hild::framelog {
namespace {

namespace json = boost::json;

json::object in_json(const LinkName& name) {
  return {{"domain", name.domain},
          {"system", name.system},
          {"node", name.node},
          {"signal", name.signal}};
}

/// Of any JSON at all; throws what Boost does where it is another one.
LinkName name_from(const json::value& v) {
  return {json::value_to<int>(v.at("domain")), json::value_to<std::string>(v.at("system")),
          json::value_to<std::string>(v.at("node")), json::value_to<std::string>(v.at("signal"))};
}

SentSignal sent_from(const json::value& v) {
  return {name_from(v), json::value_to<std::string>(v.at("output")),
          json::value_to<std::string>(v.at("unit"))};
}

ReceivedSignal received_from(const json::value& v) {
  ReceivedSignal one;
  one.name = name_from(v);
  one.input = json::value_to<std::string>(v.at("input"));
  one.unit = json::value_to<std::string>(v.at("unit"));
  one.in = json::value_to<std::string>(v.at("input_unit"));
  one.place = json::value_to<std::size_t>(v.at("place"));
  one.group = json::value_to<std::size_t>(v.at("group"));
  one.scale = json::value_to<double>(v.at("scale"));
  one.offset = json::value_to<double>(v.at("offset"));
  one.max_latency.ns = json::value_to<std::int64_t>(v.at("max_latency_ns"));
  return one;
}

template <class Signal>
std::vector<Signal> signals_from(const json::value& list, Signal (*from)(const json::value&)) {
  std::vector<Signal> all;
  all.reserve(list.as_array().size());
  for (const json::value& one : list.as_array()) all.push_back(from(one));
  return all;
}

}  // namespace

std::string to_json(const Links& links) {
  json::object all{{"node", links.node}};
  all["sent"] = array_of(links.sent, [](const SentSignal& s) {
    json::object one = in_json(s.name);
    one["output"] = s.output;
    one["unit"] = s.unit;
    return one;
  });
  all["received"] = array_of(links.received, [](const ReceivedSignal& s) {
    json::object one = in_json(s.name);
    one["input"] = s.input;
    one["unit"] = s.unit;
    one["input_unit"] = s.in;
    one["place"] = s.place;
    one["group"] = s.group;
    one["scale"] = s.scale;
    one["offset"] = s.offset;
    one["max_latency_ns"] = s.max_latency.ns;
    return one;
  });
  return json::serialize(all);
}

Result<std::optional<Links>> links_of(const Description& description) {
  const auto found =
      std::ranges::find(description.attachments, links_attachment, &mcap::Attachment::name);
  if (found == description.attachments.end()) return std::optional<Links>{};
  try {
    const json::value v = json::parse(found->data);
    return Links{json::value_to<std::string>(v.at("node")), signals_from(v.at("sent"), sent_from),
                 signals_from(v.at("received"), received_from)};
  } catch (const std::exception& e) {
    return fail("its attachment {} cannot be used: {}", links_attachment, e.what());
  }
}

}  // namespace hild::framelog
