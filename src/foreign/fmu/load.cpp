// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmu/load.hpp"

#include <chrono>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "foreign/fmi/exchange.hpp"
#include "foreign/fmi/jacobian.hpp"
#include "foreign/fmu/archive.hpp"
#include "foreign/fmu/binary.hpp"
#include "foreign/fmu/layout_of.hpp"
#include "foreign/plugin/load.hpp"
#include "hild/core/trust.hpp"
#include "hild/core/whole_file.hpp"
#include "hild/model/check_structure.hpp"

namespace hild::fmu {
namespace {

namespace fs = std::filesystem;

// ": " and what an FMU said last; empty when it said nothing.
std::string last_words(const Host& host) {
  return host.messages.count() > 0 ? ": " + host.messages.last() : std::string();
}

/// An FMU in this process; all that is made of it shares it.
struct Loaded {
  explicit Loaded(std::shared_ptr<const Folder> where)
      : kept(std::move(where)), folder(kept->path()) {}
  Loaded(fs::path where, std::span<std::byte> said) : folder(std::move(where)) {
    host.messages = Messages(said);
  }
  ~Loaded() {
    if (kept == nullptr || !ready) return;  // what it says is the business of who unpacked it
    const std::string said = host.messages.text("hild: model " + description.name + ": ");
    if (!said.empty()) std::fputs(said.c_str(), stderr);
  }

  std::shared_ptr<const Folder> kept;
  fs::path folder;
  ModelDescription description;
  Kind kind = Kind::model_exchange;
  Interface interface;
  Instantiate make_instance;
  Host host;
  NamedLayout layout;
  int copies = 0;
  bool used = false;  ///< its binary has been instantiated as it was opened
  bool has_directions = false;
  std::string jacobian;
  bool ready = false;  ///< until then what it says is in the error

  /// An FMU that bears one instance in a process gets a copy of its binary for each but the first:
  /// they share nothing then.
  Result<std::unique_ptr<fmi::Instance>> instantiate() {
    if (interface.once_per_process && used) {
      auto copied = open_copy();
      if (!copied) return tl::make_unexpected(copied.error());
      make_instance = std::move(*copied);
    }
    used = true;
    auto instance = make_instance(description, host);
    if (!instance) return fail("it refuses to be instantiated{}", last_words(host));
    if (!fmi::good(instance->configure())) {
      return fail("it refuses the values of `structure`{}", last_words(host));
    }
    return instance;
  }

 private:
  Result<Instantiate> open_copy() {
    const fs::path copy = folder / fmt::format("copy-{}", ++copies);
    std::error_code error;
    fs::create_directories(copy, error);
    fs::copy(folder / "binaries", copy / "binaries", fs::copy_options::recursive, error);
    if (error) return fail("no copy of its binary in {}: {}", copy.string(), error.message());
    fs::create_directory_symlink(folder / "resources", copy / "resources", error);
    return open_binary(description, kind, copy);
  }
};

Result<void> choose_interface(Loaded& fmu, std::optional<Kind> wanted) {
  const ModelDescription& d = fmu.description;
  fmu.kind = wanted.value_or(d.model_exchange ? Kind::model_exchange : Kind::co_simulation);
  const bool exchange = fmu.kind == Kind::model_exchange;
  const auto& found = exchange ? d.model_exchange : d.co_simulation;
  if (!found) return fail("offers {} only", exchange ? "co-simulation" : "model exchange");
  fmu.interface = *found;
  const auto& other = exchange ? d.co_simulation : d.model_exchange;
  if (fmu.interface.needs_execution_tool && other && !other->needs_execution_tool) {
    return fail("needs the tool that made it to run under {}; take `kind: {}`",
                exchange ? "model exchange" : "co-simulation",
                exchange ? "co-simulation" : "model-exchange");
  }
  if (fmu.interface.needs_execution_tool) {
    return fail("needs the tool that made it to run: export it with its solver included");
  }
  return {};
}

// In microseconds, the least of some calls.
template <class Call>
double time_of(Call&& call) {
  auto least = std::chrono::steady_clock::duration::max();
  for (int n = 0; n < 5; ++n) {
    const auto start = std::chrono::steady_clock::now();
    call();
    least = std::min(least, std::chrono::steady_clock::now() - start);
  }
  return std::chrono::duration<double, std::micro>(least).count();
}

// "directional derivatives, 1.2 us; differences would take 0.9 us, 2 evaluations for 13 states".
// Which way it is made is the configuration's choice and not the clock's: two runs are alike.
std::string describe_jacobian(fmi::ModelExchange& subject, std::span<const double> x,
                              bool directions) {
  const fmi::Layout& layout = subject.layout();
  std::vector<double> u;
  for (const auto& input : layout.inputs) u.push_back(input.start);
  std::vector<double> dx(x.size());
  const numerics::Structure& structure = layout.description.structure;
  std::vector<double> values(structure.room(x.size()));
  const numerics::Jacobian j(values.data(), x.size(), structure);
  fmi::FmuJacobian jacobian(layout);
  const double by_differences = time_of([&] {
    subject.derivatives(0, x, u, dx);
    jacobian.by_differences(subject, 0, x, u, dx, j);
  });
  const std::string differences =
      fmt::format("{:.1f} us, {} evaluations for {} states", by_differences,
                  layout.dependencies().colours(x.size()) + 1, x.size());
  if (!directions) return fmt::format("differences, {}", differences);
  const double by_directions = time_of([&] { jacobian.by_directions(subject, 0, x, u, j); });
  return layout.directional_derivatives
             ? fmt::format("directional derivatives, {:.1f} us; differences would take {}",
                           by_directions, differences)
             : fmt::format("differences, {}; directional derivatives would take {:.1f} us",
                           differences, by_directions);
}

// What a state is at its own start. One beyond its own limits is the FMU's affair, and so is a
// range of one value.
void settle(fmi::Layout& layout, std::size_t i, double start, double nominal) {
  model::State& state = layout.states[i];
  state.start = start;
  state.nominal = nominal != 0 && std::isfinite(nominal) ? std::abs(nominal) : 1;
  layout.nominals[i] = state.nominal;
  state.low = std::min(state.low, state.start);
  state.high = std::max(state.high, state.start);
  if (state.low < state.high) return;
  state.low = -model::unlimited;
  state.high = model::unlimited;
}

// What states are at its own start, and their sizes, are part of the description.
Result<void> take_found(NamedLayout& named, const Found& found) {
  fmi::Layout& layout = named.layout;
  if (found.states.size() != layout.states.size()) {
    return fail("it has {} states, where its description has {}", found.states.size(),
                layout.states.size());
  }
  for (std::size_t i = 0; i < layout.states.size(); ++i) {
    settle(layout, i, found.states[i].start, found.states[i].nominal);
  }
  return plugin::check_description(layout.description);
}

// Its own start: what states and nominal values are then belongs to the description.
Result<void> probe(const std::shared_ptr<Loaded>& fmu) {
  auto instance = fmu->instantiate();
  if (!instance) return tl::make_unexpected(instance.error());
  fmi::Layout& layout = fmu->layout.layout;
  fmi::ModelExchange subject({fmu, &layout}, std::move(*instance));
  std::vector<double> x(layout.states.size());
  subject.start(x);
  if (subject.failure() != nullptr) {
    return fail("it cannot be initialised: `{}` fails{}", subject.failure(), last_words(fmu->host));
  }
  for (std::size_t i = 0; i < x.size(); ++i) settle(layout, i, x[i], subject.nominals()[i]);
  if (!x.empty() && !model::beyond_dense(layout.description))
    fmu->jacobian = describe_jacobian(subject, x, fmu->has_directions);
  return plugin::check_description(layout.description);
}

// All that is known of it without running any of its code.
Result<void> read(Loaded& fmu, const LoadOptions& options) {
  auto description =
      parse(whole_file(fmu.folder / "modelDescription.xml").value_or(""), options.structure);
  if (!description) return tl::make_unexpected(description.error());
  fmu.description = std::move(*description);
  if (auto good = choose_interface(fmu, options.kind); !good) return good;
  auto layout = layout_of(fmu.description, fmu.kind);
  if (!layout) return tl::make_unexpected(layout.error());
  fmu.layout = std::move(*layout);
  fmi::Layout& made = fmu.layout.layout;
  made.caps = options.caps;
  made.step = options.step;
  fmu.has_directions = made.directional_derivatives;
  made.directional_derivatives = made.directional_derivatives && !options.differences;
  return {};
}

Result<std::shared_ptr<const Folder>> unpack_trusted(const fs::path& file) {
  if (auto good = check_trusted(file); !good) return tl::make_unexpected(good.error());
  auto folder = Folder::make();
  if (!folder) return tl::make_unexpected(folder.error());
  auto kept = std::make_shared<const Folder>(std::move(*folder));
  if (auto good = unpack(file, kept->path()); !good) return tl::make_unexpected(good.error());
  return kept;
}

// Of an FMU that has been read.
Result<Model> opened(const std::shared_ptr<Loaded>& fmu, const Found* found) {
  auto binary = open_binary(fmu->description, fmu->kind, fmu->folder);
  if (!binary) return tl::make_unexpected(binary.error());
  fmu->make_instance = std::move(*binary);
  const bool exchange = fmu->kind == Kind::model_exchange;
  const auto good = !exchange          ? plugin::check_description(fmu->layout.layout.description)
                    : found == nullptr ? probe(fmu)
                                       : take_found(fmu->layout, *found);
  if (!good) return tl::make_unexpected(good.error());
  fmu->ready = true;
  const auto instance = [fmu] {
    auto made = fmu->instantiate();
    if (!made) {
      throw std::runtime_error("FMU " + fmu->description.name + ": " + made.error().message);
    }
    return std::move(*made);
  };
  const std::shared_ptr<const fmi::Layout> layout(fmu, &fmu->layout.layout);
  const auto make_system = [=] {
    return exchange ? fmi::exchange_system(layout, instance())
                    : fmi::co_simulation_system(layout, instance());
  };
  const auto make = [=](const numerics::Method& method) {
    return exchange ? fmi::make_exchange(layout, instance(), method)
                    : fmi::make_co_simulation(layout, instance(), method);
  };
  return Model{fmu->layout.layout.description, fmu->kind,   fmu->jacobian,
               fmu->interface.fixed_step,      make_system, make};
}

tl::unexpected<Error> of_file(const fs::path& file, const Error& e) {
  return fail(e.code, "FMU {}: {}", file.string(), e.message);
}

}  // namespace

Result<void> Unopened::take(const Found& found) { return take_found(*layout, found); }

Result<Unopened> unpacked(const fs::path& file, const LoadOptions& options) {
  auto folder = unpack_trusted(file);
  if (!folder) return of_file(file, folder.error());
  Loaded fmu(*folder);
  if (auto good = read(fmu, options); !good) return of_file(file, good.error());
  return Unopened{*folder, std::make_shared<NamedLayout>(std::move(fmu.layout)), fmu.kind,
                  fmu.interface.fixed_step};
}

Result<Model> open_unpacked(const fs::path& folder, const LoadOptions& options,
                            std::span<std::byte> said, const Found* found) {
  const auto fmu = std::make_shared<Loaded>(folder, said);
  if (auto good = read(*fmu, options); !good) return tl::make_unexpected(good.error());
  return opened(fmu, found);
}

Result<Model> load(const fs::path& file, const LoadOptions& options) {
  auto folder = unpack_trusted(file);
  if (!folder) return of_file(file, folder.error());
  const auto fmu = std::make_shared<Loaded>(*folder);
  if (auto good = read(*fmu, options); !good) return of_file(file, good.error());
  auto model = opened(fmu, nullptr);
  if (!model) return of_file(file, model.error());
  return model;
}

}  // namespace hild::fmu
