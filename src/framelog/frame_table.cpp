// SPDX-License-Identifier: Apache-2.0
#include "framelog/frame_table.hpp"

#include <algorithm>
#include <boost/json.hpp>
#include <cstring>

#include "framelog/frame_fields.hpp"

namespace hild::framelog {
namespace {

namespace json = boost::json;

json::array names(const std::vector<SignalName>& signals) {
  json::array all;
  for (const auto& [name, unit] : signals) all.push_back({{"name", name}, {"unit", unit}});
  return all;
}

json::array header() {
  json::array fields;
  for (const HeaderField& f : header_fields) {
    json::object field{{"name", f.name},
                       {"type", scalar_names[static_cast<std::size_t>(f.type)]},
                       {"offset", f.offset}};
    if (f.count != 1) field["count"] = f.count;
    if (!f.unit.empty()) field["unit"] = f.unit;
    const auto labels = labels_of(f.name);
    if (!labels.empty()) field["labels"] = json::array(labels.begin(), labels.end());
    fields.push_back(std::move(field));
  }
  return fields;
}

}  // namespace

std::string frame_table(const io::FrameLayout& layout, const Signals& signals) {
  const ArrayPlaces at = places_of(layout);
  const auto doubles = [](std::size_t offset, const std::vector<SignalName>& of) {
    return json::object{{"offset", offset}, {"type", "float64"}, {"signals", names(of)}};
  };
  json::array pass_fields{
      {{"name", "sampled"}, {"type", "int64"}, {"offset", 0}, {"unit", "ns"}},
      {{"name", "cost"}, {"type", "int64"}, {"offset", 8}, {"unit", "ns"}},
  };
  json::object inputs = doubles(16, signals.inputs);
  inputs["name"] = "inputs";
  pass_fields.push_back(std::move(inputs));
  json::array image_fields{
      {{"name", "sampled"}, {"type", "int64"}, {"offset", 0}, {"unit", "ns"}},
      {{"name", "waited"}, {"type", "int64"}, {"offset", 8}},
      {{"name", "values"}, {"type", "float64"}, {"offset", 16}, {"count", layout.sampled()}},
      {{"name", "counts"},
       {"type", "uint32"},
       {"offset", 16 + 8 * layout.sampled()},
       {"signals", names(signals.counts)}},
  };
  return json::serialize(json::object{
      {"byte_order", "little"},
      {"bytes", layout.bytes()},
      {"header", header()},
      {"passes",
       {{"offset", at.passes},
        {"stride", at.pass_stride},
        {"count", layout.passes()},
        {"fields", std::move(pass_fields)}}},
      {"outputs", doubles(at.outputs, signals.outputs)},
      {"states", doubles(at.states, signals.states)},
      {"images",
       {{"offset", at.images},
        {"stride", at.image_stride},
        {"count", layout.images()},
        {"fields", std::move(image_fields)}}},
  });
}

FrameStore::FrameStore(const io::FrameLayout& layout) : bytes_(layout.bytes()) {
  const ArrayPlaces at = places_of(layout);
  first_pass_ = at.passes;
  pass_stride_ = at.pass_stride;
  passes_ = layout.passes();
  outputs_ = at.outputs;
  first_image_ = at.images;
  image_stride_ = at.image_stride;
  images_ = layout.images();
}

void FrameStore::store(const io::FrameView& record, std::byte* place) const noexcept {
  const auto* const from = reinterpret_cast<const std::byte*>(&record.header());
  const auto ran = static_cast<std::size_t>(std::max(record.header().passes, 0));
  const std::size_t used = first_pass_ + std::min(ran, passes_) * pass_stride_;
  std::memcpy(place, from, used);
  std::memset(place + used, 0, outputs_ - used);
  const auto read = static_cast<std::size_t>(std::max(record.header().images, 0));
  const std::size_t end = first_image_ + std::min(read, images_) * image_stride_;
  std::memcpy(place + outputs_, from + outputs_, end - outputs_);
  std::memset(place + end, 0, bytes_ - end);
}

}  // namespace hild::framelog
