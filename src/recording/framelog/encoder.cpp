// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/encoder.hpp"

#include <algorithm>
#include <cstring>
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

/// How many images had been read before a pass, where nobody says.
std::int64_t usual_images(std::size_t pass, std::size_t images) {
  return static_cast<std::int64_t>(std::min(pass + 1, images));
}

}  // namespace

Encoder::Encoder(const Description& description, const io::FrameLayout& layout,
                 const config::Record& settings)
    : clock_(description.clock),
      shape_(shape_of(layout, description.signals, description.images, settings)),
      layout_(layout),
      states_(shape_.states, proto::Type::float64, f::states, f::other_states),
      outputs_(shape_.outputs, proto::Type::float64, f::outputs, f::other_outputs),
      inputs_(f::inputs, proto::Type::float64, shape_.inputs.places(true)),
      pass_inputs_(shape_.inputs, proto::Type::float64, f::pass::inputs, f::pass::other_inputs),
      image_inputs_(shape_.inputs, proto::Type::float64, f::image::inputs, f::image::other_inputs),
      image_counts_(shape_.counts, proto::Type::fixed32, f::image::counts, f::image::other_counts),
      prediction_(shape_.images_of, layout),
      predicted_(layout.passes()) {}

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
  stream(Topic::keyframe, "hild.Keyframe", protobuf, proto::describe(keyframe_file()), protobuf,
         {});
}

// What is alike from step to step stands together, and so does what is not: it is to be compressed.
// The order of fields within an image makes three bytes.
void Encoder::step(const io::FrameView& record, const Wanted& wanted, Block& block) {
  if (!wanted.whole && !wanted.inputs && !wanted.results) return;
  const io::FrameHeader& h = record.header();
  const std::size_t passes = record.passes();
  const std::size_t images = record.images();
  message_.clear();
  header(h, true);
  const bool follows = follow(record, wanted, block);
  predict(record, wanted.whole ? passes : 0, images);
  if (wanted.whole || wanted.results) {
    states_.append(message_, record.states().data(), wanted.whole);
    outputs_.append(message_, record.outputs().data(), wanted.whole);
  }
  if (wanted.whole || wanted.inputs) {
    if (passes > 0 && !wanted.whole) inputs_.append(message_, record.inputs(0).data());
    const std::size_t tick = record.tick_image();
    for (std::size_t i = 0; i < images; ++i) {
      if (wanted.whole || i == tick) image(record, i, wanted.whole);
    }
    for (std::size_t p = 0; p < passes && wanted.whole; ++p) pass(record, p, images);
    phases(h);
    if (layout_.runs() > 0) runs(record);
    if (wanted.whole) writes(record);
    header(h, false);
  }
  if (!wanted.whole) pbf_writer(message_).add_bool(f::brief, true);
  if (wanted.whole && prediction_.any() && !follows) {
    pbf_writer(message_).add_bool(f::images_begin, true);
  }
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

// Whether a reader knows the images before this step. What it cannot know does not count.
bool Encoder::follow(const io::FrameView& record, const Wanted& wanted, const Block& block) {
  const io::FrameHeader& h = record.header();
  const bool follows = wanted.whole && !block.steps.empty() && prediction_.follows(h);
  if (!follows) prediction_.begin_anew();
  prediction_.begin(h);
  prediction_.end(wanted.whole &&
                  record.images() == static_cast<std::size_t>(std::max(h.images, 0)));
  return follows;
}

// Of which passes the inputs are what a reader makes of the images by itself.
void Encoder::predict(const io::FrameView& record, std::size_t passes, std::size_t images) {
  std::size_t image = 0;
  for (std::size_t p = 0; p < passes; ++p) {
    const auto before =
        static_cast<std::size_t>(std::max<std::int64_t>(record.images_before(p), 0));
    for (; prediction_.any() && image < std::min(before, images); ++image) {
      prediction_.image(record.instants(image), record.image(image));
    }
    predicted_[p] =
        prediction_.any() && image > 0 && same(record.inputs(p), prediction_.at(record.nominal(p)));
  }
  for (; prediction_.any() && image < images; ++image) {
    prediction_.image(record.instants(image), record.image(image));
  }
}

void Encoder::image(const io::FrameView& record, std::size_t image, bool whole) {
  const MonoTime due = record.header().due;
  part_.clear();
  pbf_writer out(part_);
  const std::span<const double> values = record.image(image);
  const std::size_t plain = layout_.inputs();
  if (whole) image_inputs_.append(part_, values.data(), true);
  if (whole && values.size() > plain) {
    out.add_packed_double(f::image::more, values.data() + plain, values.data() + values.size());
  }
  image_counts_.append(part_, record.image_counts(image).data(), whole);
  if (whole) {
    if (record.image_waited(image)) out.add_bool(f::image::waited, true);
    const std::span<const MonoTime> instants = record.instants(image);
    out.add_sfixed64(f::image::sampled, (instants[0] - due).ns);
    if (instants.size() > 1) {
      protozero::packed_field_sfixed64 groups(out, f::image::groups);
      for (const MonoTime t : instants.subspan(1)) groups.add_element((t - due).ns);
    }
  }
  if (!part_.empty()) pbf_writer(message_).add_message(f::images, part_);
}

// Its inputs are told where they do not follow from the images.
void Encoder::pass(const io::FrameView& record, std::size_t pass, std::size_t images) {
  const io::FrameHeader& h = record.header();
  part_.clear();
  pbf_writer out(part_);
  out.add_sfixed64(f::pass::cost, record.cost(pass).ns);
  const Duration nominal = record.nominal(pass) - h.due;
  if (prediction_.nominal(pass) != nominal) out.add_sfixed64(f::pass::nominal, nominal.ns);
  prediction_.note_nominal(pass, nominal);
  const std::int64_t before = record.images_before(pass);
  if (before != usual_images(pass, images)) {
    out.add_uint32(f::pass::images, static_cast<std::uint32_t>(before));
  }
  if (!predicted_[pass]) pass_inputs_.append(part_, record.inputs(pass).data(), true);
  pbf_writer(message_).add_message(f::passes, part_);
}

void Encoder::phases(const io::FrameHeader& h) {
  part_.clear();
  pbf_writer out(part_);
  for (std::size_t p = 0; p < io::phase_count; ++p) {
    const auto phase = static_cast<io::Phase>(p);
    if (phase == io::Phase::workers && h.phases[p].ns == 0) continue;  // most runs have none
    out.add_sfixed64(f::number_of(phase), h.phases[p].ns);
  }
  pbf_writer(message_).add_message(f::phases, part_);
}

// A place is a worker's number + 1.
void Encoder::runs(const io::FrameView& record) {
  for (const io::ModelRun& run : record.runs()) {
    part_.clear();
    pbf_writer out(part_);
    out.add_sfixed64(f::run::start, run.start.ns);
    out.add_uint32(f::run::took, static_cast<std::uint32_t>(std::max(run.took, 0)));
    out.add_uint32(f::run::model, run.model);
    out.add_uint32(f::run::place, static_cast<std::uint32_t>(run.worker + 1));
    pbf_writer(message_).add_message(f::runs, part_);
  }
}

void Encoder::writes(const io::FrameView& record) {
  for (std::size_t w = 0; w < record.writes(); ++w) {
    part_.clear();
    pbf_writer out(part_);
    const std::span<const double> values = record.written(w);
    out.add_sfixed64(f::write::at, (record.written_at(w) - record.header().due).ns);
    out.add_packed_double(f::write::values, values.data(), values.data() + values.size());
    pbf_writer(message_).add_message(f::writes, part_);
  }
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

void Encoder::change(std::string_view effect, std::int64_t number, MonoTime at, Block& block) {
  put(Topic::change, effect, at, block.events, static_cast<std::uint32_t>(number));
}

void Encoder::keyframe(const exec::KeyframeView& keyframe, Block& block) {
  write_keyframe(keyframe, message_);
  put(Topic::keyframe, message_, keyframe.head.tick, block.keyframes);
}

void Encoder::put(Topic topic, std::string_view message, MonoTime at, mcap::Chunk& chunk,
                  std::uint32_t sequence) const {
  std::byte* const place =
      chunk.add(channel_of(topic), sequence, clock_.log_time(at), message.size());
  std::memcpy(place, message.data(), message.size());
}

}  // namespace hild::framelog
