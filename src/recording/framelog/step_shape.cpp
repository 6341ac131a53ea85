// SPDX-License-Identifier: Apache-2.0
#include "recording/framelog/step_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json.hpp>
#include <charconv>
#include <cmath>

#include "recording/framelog/step_fields.hpp"

namespace hild::framelog {
namespace {

namespace json = boost::json;
using proto::Field;
using proto::Type;

constexpr std::size_t most_record_bytes = 64U << 20U;
constexpr std::size_t most_passes = io::max_slots + io::ImageHistory::depth;  // and images
constexpr std::size_t most_more = 4096;  // values read that are no inputs of the model
constexpr std::size_t most_groups = 65536;
constexpr std::size_t most_heard = 65536;
constexpr std::size_t longest_spacing = std::size_t{1} << 58U;  // ns

SignalGroup group_of(const std::vector<SignalName>& signals, const std::vector<bool>& selected) {
  SignalGroup group{signals, {}, {}};
  std::vector<std::string> taken;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    group.fields.push_back(proto::identifier(signals[i].name, taken));
    group.selected.push_back(i < selected.size() && selected[i]);
  }
  return group;
}

/// The raw counts of the inputs that are recorded.
std::vector<bool> selected_counts(const Signals& signals, const std::vector<bool>& inputs) {
  std::vector<bool> selected;
  for (const SignalName& count : signals.counts) {
    const auto input = std::ranges::find(signals.inputs, count.name, &SignalName::name);
    const auto i = static_cast<std::size_t>(input - signals.inputs.begin());
    selected.push_back(i < inputs.size() && inputs[i]);
  }
  return selected;
}

/// What is declared of a kind of signals: two messages, each only where it has a field.
class Declared {
 public:
  Declared(proto::File& file, const SignalGroup& group, const std::string& name, Type type)
      : name_(name) {
    for (const bool chosen : {true, false}) {
      proto::Message message{fmt::format("{}{}", chosen ? "" : "Other", name), {}};
      for (const auto& place : group.places(chosen)) {
        message.fields.push_back({group.fields[place.from], place.number, type});
      }
      (chosen ? any_ : any_other_) = !message.fields.empty();
      if (!message.fields.empty()) file.messages.push_back(std::move(message));
    }
  }
  void selected(proto::Message& of, std::string_view name, std::uint32_t number) const {
    if (any_) of.fields.push_back({std::string(name), number, Type::message, name_});
  }
  void field(proto::Message& of, std::string_view name, std::uint32_t number,
             std::uint32_t other) const {
    selected(of, name, number);
    if (!any_other_) return;
    of.fields.push_back(
        {fmt::format("other_{}", name), other, Type::message, fmt::format("Other{}", name_)});
  }

 private:
  std::string name_;
  bool any_ = false;
  bool any_other_ = false;
};

proto::Message phases_message() {
  proto::Message m{"Phases", {}};
  for (std::size_t p = 0; p < io::phase_count; ++p) {
    const auto phase = static_cast<io::Phase>(p);
    m.fields.push_back(
        {fmt::format("{}_ns", io::to_string(phase)), step_field::number_of(phase), Type::sfixed64});
  }
  return m;
}

std::vector<std::string> causes() {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < io::cause_count; ++i) {
    names.push_back(io::to_string(static_cast<io::Cause>(i)));
  }
  return proto::enumerators("cause", names);
}

json::array in_json(const SignalGroup& group) {
  json::array all;
  for (std::size_t i = 0; i < group.signals.size(); ++i) {
    json::object one{{"name", group.signals[i].name},
                     {"unit", group.signals[i].unit},
                     {"field", group.fields[i]}};
    if (!group.selected[i]) one["selected"] = false;
    all.push_back(std::move(one));
  }
  return all;
}

json::object in_json(const ImageRules& rules) {
  json::array inputs;
  for (const io::SampledInput& input : rules.inputs) {
    json::object one{{"group", input.group}};
    if (input.held) one["held"] = true;
    if (std::isfinite(input.jump))
      one["restart_above"] = fmt::format("{}", input.jump);  // to the bit
    inputs.push_back(std::move(one));
  }
  return {{"inputs", std::move(inputs)},
          {"degree", rules.rule.degrees.within},
          {"extrapolation", rules.rule.degrees.beyond},
          {"spacing_ns", rules.rule.spacing.ns},
          {"as_taken", rules.rule.as_taken}};
}

/// Reads what may be any JSON at all.
class ShapeReader {
 public:
  explicit ShapeReader(const json::object& from) : from_(from) {}

  /// 0 where it is absent.
  std::size_t number_if_any(std::string_view key, std::size_t most) {
    return from_.contains(key) ? number(key, most) : 0;
  }
  std::size_t number(std::string_view key, std::size_t most) {
    const json::value* v = from_.if_contains(key);
    const bool good = v != nullptr && v->is_int64() && v->get_int64() >= 0 &&
                      static_cast<std::size_t>(v->get_int64()) <= most;
    if (!good) refuse(key);
    return good ? static_cast<std::size_t>(v->get_int64()) : 0;
  }
  SignalGroup group(std::string_view key) {
    SignalGroup group;
    const json::value* v = from_.if_contains(key);
    if (v == nullptr || !v->is_array()) {
      refuse(key);
      return group;
    }
    for (const json::value& entry : v->get_array()) {
      const json::object* const signal = entry.if_object();
      const auto text = [&](std::string_view name) {
        const json::value* t = signal != nullptr ? signal->if_contains(name) : nullptr;
        if (t == nullptr || !t->is_string()) refuse(key);
        return t != nullptr && t->is_string() ? std::string(t->get_string()) : std::string();
      };
      group.signals.push_back({text("name"), text("unit")});
      group.fields.push_back(text("field"));
      const json::value* no = signal != nullptr ? signal->if_contains("selected") : nullptr;
      group.selected.push_back(no == nullptr || !no->is_bool() || no->get_bool());
    }
    return group;
  }
  ImageRules rules(std::string_view key) {
    const json::value* v = from_.if_contains(key);
    const json::object* const object = v != nullptr ? v->if_object() : nullptr;
    const json::value* inputs = object != nullptr ? object->if_contains("inputs") : nullptr;
    if (inputs == nullptr || !inputs->is_array()) {
      refuse(key);
      return {};
    }
    ShapeReader within(*object);
    constexpr std::size_t most_degree = io::ImageHistory::depth - 1;
    ImageRules rules;
    rules.rule.degrees = {.within = static_cast<int>(within.number("degree", most_degree)),
                          .beyond = static_cast<int>(within.number("extrapolation", most_degree))};
    rules.rule.spacing = {static_cast<std::int64_t>(within.number("spacing_ns", longest_spacing))};
    const json::value* taken = object->if_contains("as_taken");
    rules.rule.as_taken = taken != nullptr && taken->is_bool() && taken->get_bool();
    for (const json::value& entry : inputs->get_array()) {
      const json::object* const one = entry.if_object();
      if (one == nullptr) {
        refuse(key);
        break;
      }
      ShapeReader of(*one);
      io::SampledInput input{.group = of.number("group", most_groups)};
      const json::value* held = one->if_contains("held");
      input.held = held != nullptr && held->is_bool() && held->get_bool();
      const json::value* jump = one->if_contains("restart_above");
      if (jump != nullptr && jump->is_string()) {
        const std::string_view text = jump->get_string();
        std::from_chars(text.data(), text.data() + text.size(), input.jump);
      }
      rules.inputs.push_back(input);
      if (!of.good()) refuse(key);
    }
    if (!within.good()) refuse(key);
    return rules;
  }
  [[nodiscard]] const Result<void>& good() const noexcept { return good_; }

 private:
  void refuse(std::string_view key) {
    if (good_) good_ = fail("what its steps are made of cannot be used: {:?}", key);
  }
  const json::object& from_;
  Result<void> good_;
};

}  // namespace

std::vector<SignalName> SignalGroup::selection() const {
  std::vector<SignalName> chosen;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (selected[i]) chosen.push_back(signals[i]);
  }
  return chosen;
}

std::vector<proto::Template::Place> SignalGroup::places(bool chosen) const {
  std::vector<proto::Template::Place> all;
  for (std::size_t i = 0; i < signals.size(); ++i) {
    if (selected[i] == chosen) all.push_back({step_field::number_of(i), i});
  }
  return all;
}

io::FrameLayout StepShape::layout() const {
  return {passes,
          inputs.signals.size(),
          outputs.signals.size(),
          states.signals.size(),
          images,
          sampled,
          counts.signals.size(),
          groups,
          runs,
          heard};
}

StepShape shape_of(const io::FrameLayout& layout, const Signals& signals, const ImageRules& rules,
                   const config::Record& settings) {
  return {layout.passes(),
          layout.images(),
          layout.sampled(),
          layout.groups(),
          group_of(signals.inputs, settings.inputs),
          group_of(signals.outputs, settings.outputs),
          group_of(signals.states, settings.states),
          group_of(signals.counts, selected_counts(signals, settings.inputs)),
          rules,
          layout.runs(),
          layout.heard()};
}

proto::File step_file(const StepShape& shape) {
  namespace f = step_field;
  proto::File file{"hild", {{"Step", {}}}, {{"Cause", causes()}}};
  const Declared inputs(file, shape.inputs, "Inputs", Type::float64);
  const Declared outputs(file, shape.outputs, "Outputs", Type::float64);
  const Declared states(file, shape.states, "States", Type::float64);
  const Declared counts(file, shape.counts, "Counts", Type::fixed32);

  proto::Message image{"Image",
                       {{"sampled_ns", f::image::sampled, Type::sfixed64},
                        {"waited", f::image::waited, Type::boolean},
                        {"more", f::image::more, Type::float64, "", true},
                        {"groups_ns", f::image::groups, Type::sfixed64, "", true}}};
  inputs.field(image, "inputs", f::image::inputs, f::image::other_inputs);
  counts.field(image, "counts", f::image::counts, f::image::other_counts);
  proto::Message pass{"Pass",
                      {{"cost_ns", f::pass::cost, Type::sfixed64},
                       {"nominal_ns", f::pass::nominal, Type::sfixed64, "", false, true},
                       {"images", f::pass::images, Type::uint32, "", false, true}}};
  inputs.field(pass, "inputs", f::pass::inputs, f::pass::other_inputs);

  proto::Message step{"Step", {}};
  for (const HeaderField& h : header_fields) {
    step.fields.push_back(
        {std::string(h.name), h.number, h.type, h.type == Type::enumeration ? "Cause" : ""});
  }
  states.field(step, "states", f::states, f::other_states);
  outputs.field(step, "outputs", f::outputs, f::other_outputs);
  inputs.selected(step, "inputs", f::inputs);  // of a brief step
  step.fields.push_back({"images", f::images, Type::message, "Image", true});
  step.fields.push_back({"passes", f::passes, Type::message, "Pass", true});
  step.fields.push_back({"phases", f::phases, Type::message, "Phases"});
  step.fields.push_back({"brief", f::brief, Type::boolean});
  step.fields.push_back({"t_ns", f::t, Type::sfixed64, "", false, true});
  step.fields.push_back({"end_ns", f::end, Type::sfixed64, "", false, true});
  step.fields.push_back({"passes_run", f::passes_run, Type::uint32, "", false, true});
  step.fields.push_back({"images_read", f::images_read, Type::uint32, "", false, true});
  step.fields.push_back({"images_begin", f::images_begin, Type::boolean});
  if (shape.runs > 0) step.fields.push_back({"runs", f::runs, Type::message, "Run", true});
  if (shape.heard > 0) step.fields.push_back({"writes", f::writes, Type::message, "Write", true});
  std::ranges::sort(step.fields, {}, &Field::number);
  file.messages.front() = std::move(step);
  file.messages.push_back(std::move(image));
  file.messages.push_back(std::move(pass));
  file.messages.push_back(phases_message());
  if (shape.runs > 0) {
    file.messages.push_back({"Run",
                             {{"start_ns", f::run::start, Type::sfixed64},
                              {"took_ns", f::run::took, Type::uint32},
                              {"model", f::run::model, Type::uint32},
                              {"place", f::run::place, Type::uint32}}});
  }
  if (shape.heard > 0) {
    file.messages.push_back({"Write",
                             {{"at_ns", f::write::at, Type::sfixed64},
                              {"values", f::write::values, Type::float64, "", true}}});
  }
  return file;
}

std::string to_json(const StepShape& shape) {
  json::object all{{"passes", shape.passes},
                   {"images", shape.images},
                   {"sampled", shape.sampled},
                   {"groups", shape.groups},
                   {"interpolation", in_json(shape.images_of)},
                   {"inputs", in_json(shape.inputs)},
                   {"outputs", in_json(shape.outputs)},
                   {"states", in_json(shape.states)},
                   {"counts", in_json(shape.counts)}};
  if (shape.runs > 0) all["runs"] = shape.runs;
  if (shape.heard > 0) all["heard"] = shape.heard;
  return json::serialize(all);
}

Result<StepShape> shape_from_json(std::string_view text) {
  boost::system::error_code error;
  const json::value parsed = json::parse({text.data(), text.size()}, error);
  if (error || !parsed.is_object()) return fail("what its steps are made of is not JSON");
  ShapeReader from(parsed.get_object());
  StepShape shape{from.number("passes", most_passes),
                  from.number("images", most_passes),
                  from.number("sampled", most_record_bytes),
                  from.number("groups", most_groups),
                  from.group("inputs"),
                  from.group("outputs"),
                  from.group("states"),
                  from.group("counts"),
                  from.rules("interpolation"),
                  from.number_if_any("runs", most_passes),
                  from.number_if_any("heard", most_heard)};
  if (!from.good()) return tl::make_unexpected(from.good().error());
  if (shape.sampled > shape.inputs.signals.size() + most_more) {
    return fail("what its steps are made of cannot be used: {} values are read for {} inputs",
                shape.sampled, shape.inputs.signals.size());
  }
  if (shape.sampled < shape.inputs.signals.size() && shape.images > 0) {
    return fail(
        "what its steps are made of cannot be used: fewer values are read than there are "
        "inputs");
  }
  const auto beyond = [&](const io::SampledInput& input) { return input.group >= shape.groups; };
  if (shape.groups == 0 || std::ranges::any_of(shape.images_of.inputs, beyond)) {
    return fail("what its steps are made of cannot be used: an input is of no image group");
  }
  if (shape.layout().bytes() > most_record_bytes) {
    return fail("what its steps are made of cannot be used: a step of {} bytes",
                shape.layout().bytes());
  }
  return shape;
}

}  // namespace hild::framelog
