// SPDX-License-Identifier: Apache-2.0
/// Tables are read from files: any text at all may come.
#include <algorithm>
#include <boost/json.hpp>
#include <cstring>

#include "framelog/frame_fields.hpp"
#include "framelog/frame_table.hpp"

namespace hild::framelog {
namespace {

namespace json = boost::json;

constexpr std::size_t most_record_bytes = 64U << 20U;  ///< of a record
constexpr std::size_t most_passes = 1024;

/// Whether times and counts may be added and subtracted: none is longer than some eighteen years.
bool plausible(const io::FrameHeader& h) {
  constexpr std::int64_t most = std::int64_t{1} << 59U;
  const auto fits = [](std::int64_t n) { return n >= -most && n <= most; };
  return fits(h.step) && fits(h.frame) && fits(h.t.ns) && fits(h.due.ns) && fits(h.start.ns) &&
         fits(h.end.ns) && fits(h.deadline.ns) && fits(h.lateness.ns) &&
         std::ranges::all_of(h.phases, [&](Duration d) { return fits(d.ns); });
}

struct BadTable {
  std::string what;
};

const json::value& at(const json::object& o, std::string_view key) {
  const json::value* found = o.if_contains(key);
  if (found == nullptr) throw BadTable{fmt::format("there is no {:?}", key)};
  return *found;
}

const json::object& object(const json::object& o, std::string_view key) {
  const auto* found = at(o, key).if_object();
  if (found == nullptr) throw BadTable{fmt::format("{:?} is no object", key)};
  return *found;
}

std::size_t number(const json::object& o, std::string_view key) {
  const json::value& v = at(o, key);
  if (!v.is_int64() || v.get_int64() < 0 ||
      static_cast<std::size_t>(v.get_int64()) > most_record_bytes) {
    throw BadTable{fmt::format("{:?} is no number from 0 to {}", key, most_record_bytes)};
  }
  return static_cast<std::size_t>(v.get_int64());
}

std::string text(const json::object& o, std::string_view key) {
  const auto* found = at(o, key).if_string();
  if (found == nullptr) throw BadTable{fmt::format("{:?} is no text", key)};
  return std::string(*found);
}

std::size_t width_of(const std::string& type, bool floating) {
  for (std::size_t i = 0; i < scalar_names.size(); ++i) {
    if (scalar_names[i] != type) continue;
    if ((static_cast<Scalar>(i) == Scalar::float64) == floating) return scalar_bytes[i];
  }
  throw BadTable{fmt::format("{:?} is no type that is read here", type)};
}

std::vector<SignalName> signals_of(const json::object& array) {
  const auto* list = at(array, "signals").if_array();
  if (list == nullptr) throw BadTable{"\"signals\" is no list"};
  std::vector<SignalName> names;
  for (const json::value& v : *list) {
    if (!v.is_object()) throw BadTable{"a signal is no object"};
    names.push_back({text(v.get_object(), "name"), text(v.get_object(), "unit")});
  }
  return names;
}

}  // namespace

/// Makes a decoder from a table.
class TableReader {
 public:
  explicit TableReader(const json::object& table) : table_(table) {}

  FrameDecoder read() {
    if (text(table_, "byte_order") != "little") throw BadTable{"numbers are not little-endian"};
    made_.stored_bytes_ = number(table_, "bytes");
    const json::object& passes = object(table_, "passes");
    const auto* fields = at(passes, "fields").if_array();
    if (fields == nullptr) throw BadTable{"\"fields\" is no list"};
    for (const json::value& v : *fields) {
      if (v.is_object() && text(v.get_object(), "name") == "inputs") {
        made_.signals_.inputs = signals_of(v.get_object());
      }
    }
    made_.signals_.outputs = signals_of(object(table_, "outputs"));
    made_.signals_.states = signals_of(object(table_, "states"));
    const std::size_t count = number(passes, "count");
    if (count > most_passes) throw BadTable{"too many passes"};
    const json::object* const images = images_of(table_);
    const std::size_t sampled = images == nullptr ? 0 : values_in(*images);
    if (const json::object* const counts = images == nullptr ? nullptr : counts_in(*images)) {
      made_.signals_.counts = signals_of(*counts);
    }
    made_.layout_ = io::FrameLayout(count, made_.signals_.inputs.size(),
                                    made_.signals_.outputs.size(), made_.signals_.states.size(),
                                    images == nullptr ? 0 : number(*images, "count"), sampled,
                                    made_.signals_.counts.size());
    if (made_.layout_.images() > most_passes) throw BadTable{"too many images"};
    if (made_.layout_.bytes() > most_record_bytes) throw BadTable{"too many signals"};
    made_.record_.resize((made_.layout_.bytes() + 7) / 8);
    add_header();
    const ArrayPlaces to = places_of(made_.layout_);
    for (const json::value& v : *fields) {
      if (v.is_object()) add_pass_field(v.get_object(), passes, count, to);
    }
    add_doubles(number(object(table_, "outputs"), "offset"), to.outputs,
                made_.signals_.outputs.size());
    add_doubles(number(object(table_, "states"), "offset"), to.states,
                made_.signals_.states.size());
    if (images != nullptr) add_images(*images, to);
    return std::move(made_);
  }

 private:
  // What was sampled as a whole: older logs have none of it.
  static const json::object* images_of(const json::object& table) {
    return table.contains("images") ? &object(table, "images") : nullptr;
  }
  static const json::object* find_image_field(const json::object& images, std::string_view name) {
    const auto* fields = at(images, "fields").if_array();
    if (fields == nullptr) throw BadTable{"\"fields\" is no list"};
    for (const json::value& v : *fields) {
      if (v.is_object() && text(v.get_object(), "name") == name) return &v.get_object();
    }
    return nullptr;
  }
  static const json::object& image_field(const json::object& images, std::string_view name) {
    if (const json::object* const field = find_image_field(images, name)) return *field;
    throw BadTable{fmt::format("an image has no {:?}", name)};
  }
  // Logs of format 1 have none.
  static const json::object* counts_in(const json::object& images) {
    return find_image_field(images, "counts");
  }
  static std::size_t values_in(const json::object& images) {
    return number(image_field(images, "values"), "count");
  }

  void add_images(const json::object& images, const ArrayPlaces& to) {
    const std::size_t first = number(images, "offset");
    const std::size_t stride = number(images, "stride");
    constexpr std::array<std::pair<std::string_view, std::size_t>, 3> parts{
        {{"sampled", 0}, {"waited", 8}, {"values", 16}}};
    for (const auto& [name, place] : parts) {
      const json::object& field = image_field(images, name);
      if (width_of(text(field, "type"), name == "values") != 8) {
        throw BadTable{"an image is not made of numbers of eight bytes"};
      }
      const std::size_t count = name == "values" ? made_.layout_.sampled() : 1;
      for (std::size_t i = 0; i < made_.layout_.images(); ++i) {
        const std::size_t from = first + i * stride + number(field, "offset");
        add({from, to.images + i * to.image_stride + place, 8, 8, count, true});
      }
    }
    const json::object* const counts = counts_in(images);
    if (counts == nullptr) return;
    if (text(*counts, "type") != "uint32") throw BadTable{"raw counts are not of type uint32"};
    const std::size_t place = 16 + 8 * made_.layout_.sampled();
    for (std::size_t i = 0; i < made_.layout_.images(); ++i) {
      const std::size_t from = first + i * stride + number(*counts, "offset");
      add({from, to.images + i * to.image_stride + place, 4, 4, made_.layout_.counted(), false});
    }
  }

  void add_header() {
    const auto* fields = at(table_, "header").if_array();
    if (fields == nullptr) throw BadTable{"\"header\" is no list"};
    for (const json::value& v : *fields) {
      if (!v.is_object()) throw BadTable{"a field is no object"};
      const json::object& field = v.get_object();
      const std::string name = text(field, "name");
      const auto* known = std::ranges::find(header_fields, name, &HeaderField::name);
      if (known == header_fields.end()) continue;
      const std::string type = text(field, "type");
      const std::size_t width = width_of(type, false);
      const std::size_t count = field.contains("count") ? number(field, "count") : 1;
      const std::size_t offset = number(field, "offset");
      if (name == "phases") {
        add_phases(field, offset, width, count, *known);
        continue;
      }
      add({offset, known->offset, width, scalar_bytes[static_cast<std::size_t>(known->type)], 1,
           type.front() == 'i'});
      if (name == "cause") add_causes(field, known->offset);
      if (is_bool(*known)) made_.bools_.push_back(known->offset);
    }
  }

  // A phase goes where this program has it, by its name.
  void add_phases(const json::object& field, std::size_t offset, std::size_t width,
                  std::size_t count, const HeaderField& known) {
    const auto labels = labels_in(field);
    const auto own = labels_of("phases");
    for (std::size_t i = 0; i < std::min(count, labels.size()); ++i) {
      const auto place = std::ranges::find(own, labels[i]);
      if (place == own.end()) continue;
      const auto index = static_cast<std::size_t>(place - own.begin());
      add({offset + width * i, known.offset + 8 * index, width, 8, 1, true});
    }
  }

  void add_causes(const json::object& field, std::size_t at) {
    const auto own = labels_of("cause");
    FrameDecoder::Renumber renumber{at, {}};
    for (const std::string& label : labels_in(field)) {
      const auto place = std::ranges::find(own, label);
      renumber.to.push_back(place == own.end() ? static_cast<std::uint8_t>(io::Cause::unknown)
                                               : static_cast<std::uint8_t>(place - own.begin()));
    }
    made_.renumbers_.push_back(std::move(renumber));
  }

  static std::vector<std::string> labels_in(const json::object& field) {
    const auto* list = at(field, "labels").if_array();
    if (list == nullptr || list->size() > 256) throw BadTable{"\"labels\" is no list of names"};
    std::vector<std::string> labels;
    for (const json::value& v : *list) {
      if (!v.is_string()) throw BadTable{"a label is no text"};
      labels.emplace_back(v.get_string());
    }
    return labels;
  }

  void add_pass_field(const json::object& field, const json::object& passes, std::size_t count,
                      const ArrayPlaces& to) {
    const std::string name = text(field, "name");
    const std::size_t place = name == "sampled" ? 0 : name == "cost" ? 8 : 16;
    if (place == 16 && name != "inputs") return;
    const std::size_t width = width_of(text(field, "type"), place == 16);
    const std::size_t values = place == 16 ? made_.signals_.inputs.size() : 1;
    const std::size_t stride = number(passes, "stride");
    for (std::size_t pass = 0; pass < count; ++pass) {
      const std::size_t from = number(passes, "offset") + pass * stride + number(field, "offset");
      add({from, to.passes + pass * to.pass_stride + place, width, 8, values, true});
    }
  }

  void add_doubles(std::size_t from, std::size_t to, std::size_t count) {
    add({from, to, 8, 8, count, true});
  }

  void add(const FrameDecoder::Copy& copy) {
    if (copy.from + copy.from_width * copy.count > made_.stored_bytes_) {
      throw BadTable{"a field lies behind the end of the record"};
    }
    if (copy.count > 0) made_.copies_.push_back(copy);
  }

  const json::object& table_;
  FrameDecoder made_;
};

Result<FrameDecoder> FrameDecoder::make(std::string_view table) {
  boost::system::error_code error;
  const json::value parsed = json::parse({table.data(), table.size()}, error);
  if (error || !parsed.is_object()) return fail("the table of the frames is not JSON");
  try {
    return TableReader(parsed.get_object()).read();
  } catch (const BadTable& bad) {
    return fail("the table of the frames cannot be used: {}", bad.what);
  }
}

const std::byte* FrameDecoder::decode(std::span<const std::byte> stored) {
  if (stored.size() < stored_bytes_) return nullptr;
  auto* const record = reinterpret_cast<std::byte*>(record_.data());
  io::FrameSlot(layout_, record).begin();
  for (const Copy& c : copies_) copy(c, stored);
  for (const Renumber& r : renumbers_) {
    auto& number = record[r.at];
    const auto old = static_cast<std::size_t>(number);
    number = static_cast<std::byte>(
        old < r.to.size() ? r.to[old] : static_cast<std::uint8_t>(io::Cause::unknown));
  }
  for (const std::size_t at : bools_) record[at] = std::byte{record[at] != std::byte{0}};
  io::FrameHeader& header = io::FrameSlot(layout_, record).header();
  header.passes = std::clamp(header.passes, 0, static_cast<std::int32_t>(layout_.passes()));
  return plausible(header) ? record : nullptr;
}

void FrameDecoder::copy(const Copy& c, std::span<const std::byte> stored) {
  auto* const record = reinterpret_cast<std::byte*>(record_.data());
  if (c.from_width == c.to_width) {
    std::memcpy(record + c.to, stored.data() + c.from, c.count * c.to_width);
    return;
  }
  for (std::size_t i = 0; i < c.count; ++i) {
    std::uint64_t n = 0;
    std::memcpy(&n, stored.data() + c.from + i * c.from_width, c.from_width);
    const std::size_t unused = 64 - 8 * c.from_width;
    if (c.is_signed)
      n = static_cast<std::uint64_t>(static_cast<std::int64_t>(n << unused) >> unused);
    std::memcpy(record + c.to + i * c.to_width, &n, c.to_width);
  }
}

}  // namespace hild::framelog
