// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/encoder.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <protozero/pbf_writer.hpp>

#include "recording/framelog/changes.hpp"
#include "recording/framelog/step_fields.hpp"

namespace hild::framelog {
namespace {

namespace f = step_field;
using protozero::pbf_writer;

bool same(std::span<const double> a, std::span<const double> b) {
  return std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

/// Which image a pass had its sample from, where it was one.
std::optional<std::size_t> image_of(const io::FrameView& record, std::size_t pass,
                                    std::size_t images) {
  for (std::size_t i = 0; i < images; ++i) {
    if (record.image_time(i) == record.sampled(pass)) return i;
  }
  return std::nullopt;
}

std::size_t stored(std::int32_t count, std::size_t most) {
  return std::min(static_cast<std::size_t>(std::max(count, 0)), most);
}

}  // namespace

Encoder::Encoder(const Description& description, const io::FrameLayout& layout,
                 const config::Record& settings)
    : clock_(description.clock),
      shape_(shape_of(layout, description.signals, settings)),
      layout_(layout),
      states_(shape_.states, proto::Type::float64, f::states, f::other_states),
      outputs_(shape_.outputs, proto::Type::float64, f::outputs, f::other_outputs),
      inputs_(shape_.inputs, proto::Type::float64, f::inputs, f::other_inputs),
      pass_inputs_(shape_.inputs, proto::Type::float64, f::pass::inputs, f::pass::other_inputs),
      image_inputs_(shape_.inputs, proto::Type::float64, f::image::inputs, f::image::other_inputs),
      image_counts_(shape_.counts, proto::Type::fixed32, f::image::counts, f::image::other_counts) {
}

void Encoder::declare(mcap::Writer& writer) const {
  const auto stream = [&](Topic topic, std::string_view name, std::string_view schema_encoding,
                          std::string_view schema, std::string_view encoding, mcap::Map metadata) {
    writer.declare(mcap::Schema{channel_of(topic), std::string(name), std::string(schema_encoding),
                                std::string(schema)});
    writer.declare(mcap::Channel{channel_of(topic), channel_of(topic),
                                 std::string(to_string(topic)), std::string(encoding),
                                 std::move(metadata)});
  };
  stream(Topic::step, "hild.Step", protobuf, proto::describe(step_file(shape_)), protobuf,
         {{std::string(step_signals), to_json(shape_)}});
  stream(Topic::gap, "hild.Gap", protobuf, proto::describe(gap_file()), protobuf, {});
  stream(Topic::change, change_schema, change_schema_encoding, effect_schema(), change_encoding,
         {});
}

// What is alike from step to step stands together, and so does what is not: it is to be compressed.
void Encoder::step(const io::FrameView& record, const Wanted& wanted, Block& block) {
  if (!wanted.whole && !wanted.inputs && !wanted.results) return;
  const io::FrameHeader& h = record.header();
  const std::size_t passes = stored(h.passes, layout_.passes());
  const std::size_t images = stored(h.images, layout_.images());
  message_.clear();
  header(h, true);
  if (wanted.whole || wanted.results) {
    states_.append(message_, record.states().data(), wanted.whole);
    outputs_.append(message_, record.outputs().data(), wanted.whole);
  }
  if (wanted.whole || wanted.inputs) {
    if (passes > 0) inputs_.append(message_, record.inputs(0).data(), wanted.whole);
    for (std::size_t i = 0; i < (wanted.whole ? images : std::min<std::size_t>(images, 1)); ++i) {
      image(record, i, wanted.whole);
    }
    for (std::size_t p = 0; p < passes && wanted.whole; ++p) pass(record, p);
    phases(h);
    header(h, false);
  }
  if (!wanted.whole) pbf_writer(message_).add_bool(f::brief, true);
  exceptions(h, wanted.whole ? passes : 0, wanted.whole ? images : 0);
  put(Topic::step, message_, h.due, block.steps);
}

void Encoder::header(const io::FrameHeader& h, bool identity) {
  pbf_writer out(message_);
  for (const HeaderField& field : header_fields) {
    if (field.identity != identity) continue;
    const std::int64_t n = field.get(h);
    if (field.type == proto::Type::sfixed64) {
      out.add_sfixed64(field.number, n);
    } else if (n != 0) {
      out.add_int64(field.number, n);
    }
  }
}

// Its values are those of the first pass that used it, where no more was done to them.
void Encoder::image(const io::FrameView& record, std::size_t image, bool whole) {
  const io::FrameHeader& h = record.header();
  part_.clear();
  pbf_writer out(part_);
  const std::span<const double> values = record.image(image);
  const std::size_t plain = layout_.inputs();
  if (whole) {
    out.add_sfixed64(f::image::sampled, (record.image_time(image) - h.due).ns);
    if (record.image_waited(image)) out.add_bool(f::image::waited, true);
    const std::size_t passes = stored(h.passes, layout_.passes());
    std::size_t user = 0;
    while (user < passes && image_of(record, user, image + 1) != image) ++user;
    if (user == passes || !same(record.inputs(user), values.first(plain))) {
      image_inputs_.append(part_, values.data(), true);
    }
    if (values.size() > plain) {
      out.add_packed_double(f::image::more, values.data() + plain, values.data() + values.size());
    }
  }
  image_counts_.append(part_, record.image_counts(image).data(), whole);
  if (!part_.empty()) pbf_writer(message_).add_message(f::images, part_);
}

// Its inputs are those of the pass before, where they are not told.
void Encoder::pass(const io::FrameView& record, std::size_t pass) {
  const io::FrameHeader& h = record.header();
  part_.clear();
  pbf_writer out(part_);
  out.add_sfixed64(f::pass::cost, record.cost(pass).ns);
  if (const auto from = image_of(record, pass, stored(h.images, layout_.images())); !from) {
    out.add_sfixed64(f::pass::sampled, (record.sampled(pass) - h.due).ns);
  } else if (*from != 0) {
    out.add_uint32(f::pass::image, static_cast<std::uint32_t>(*from));
  }
  if (pass > 0 && !same(record.inputs(pass), record.inputs(pass - 1))) {
    pass_inputs_.append(part_, record.inputs(pass).data(), true);
  }
  pbf_writer(message_).add_message(f::passes, part_);
}

void Encoder::phases(const io::FrameHeader& h) {
  part_.clear();
  pbf_writer out(part_);
  for (std::size_t p = 0; p < io::phase_count; ++p) {
    out.add_sfixed64(static_cast<std::uint32_t>(p + 1), h.phases[p].ns);
  }
  pbf_writer(message_).add_message(f::phases, part_);
}

// What follows from the rest of the step, where it does not.
void Encoder::exceptions(const io::FrameHeader& h, std::size_t passes, std::size_t images) {
  pbf_writer out(message_);
  if (h.t != clock_.t_of(h.frame)) out.add_sfixed64(f::t, h.t.ns);
  if (h.end != h.deadline + h.lateness) out.add_sfixed64(f::end, (h.end - h.due).ns);
  if (h.passes != static_cast<std::int32_t>(passes)) out.add_int32(f::passes_run, h.passes);
  if (h.images != static_cast<std::int32_t>(images)) out.add_int32(f::images_read, h.images);
}

void Encoder::gap(const Gap& gap, MonoTime at, Block& block) {
  write_gap(gap, message_);
  put(Topic::gap, message_, at, block.events);
}

void Encoder::change(std::string_view effect, MonoTime at, Block& block) {
  put(Topic::change, effect, at, block.events);
}

void Encoder::put(Topic topic, std::string_view message, MonoTime at, mcap::Chunk& chunk) const {
  std::byte* const place = chunk.add(channel_of(topic), 0, clock_.log_time(at), message.size());
  std::memcpy(place, message.data(), message.size());
}

}  // namespace hild::framelog
