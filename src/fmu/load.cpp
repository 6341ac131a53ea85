// SPDX-License-Identifier: Apache-2.0
#include "fmu/load.hpp"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <utility>

#include "fmi/exchange.hpp"
#include "fmi/subject.hpp"
#include "fmu/archive.hpp"
#include "fmu/binary.hpp"
#include "fmu/layout_of.hpp"
#include "hild/core/trust.hpp"
#include "hild/core/whole_file.hpp"
#include "plugin/load.hpp"

namespace hild::fmu {
namespace {

namespace fs = std::filesystem;

/// An FMU in this process; all that is made of it shares it.
struct Loaded {
  explicit Loaded(Folder where) : folder(std::move(where)) {}
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;
  ~Loaded() {
    const std::string said = host.messages.text("hild: model " + description.name + ": ");
    if (!said.empty() && ready) std::fputs(said.c_str(), stderr);
  }

  Folder folder;
  ModelDescription description;
  Kind kind = Kind::model_exchange;
  Interface interface;
  std::optional<Binary> binary;
  std::optional<Binary> unused;  ///< of one that bears one instance: as it was loaded
  pid_t loaded_by = ::getpid();
  Host host;
  NamedLayout layout;
  int copies = 0;
  bool has_directions = false;
  std::string jacobian;
  bool ready = false;  ///< until then what it says is in the error

  /// An FMU that bears one instance in a process gets a copy of its binary for each: they share
  /// nothing then. In a process made by fork() its one is there already: nobody has used it.
  Result<std::unique_ptr<fmi::Instance>> instantiate() {
    if (interface.once_per_process && unused && ::getpid() != loaded_by) {
      binary = std::exchange(unused, std::nullopt);
    } else if (interface.once_per_process) {
      auto copied = open_copy();
      if (!copied) return tl::make_unexpected(copied.error());
      binary = std::move(*copied);
    }
    auto instance = binary->instantiate(description, host);
    if (!instance) {
      return fail("it refuses to be instantiated{}{}", host.messages.count() > 0 ? ": " : "",
                  host.messages.last());
    }
    if (!fmi::good(instance->configure())) {
      return fail("it refuses the values of `structure`{}{}", host.messages.count() > 0 ? ": " : "",
                  host.messages.last());
    }
    return instance;
  }

 private:
  Result<Binary> open_copy() {
    const fs::path copy = folder.path() / fmt::format("copy-{}", ++copies);
    std::error_code error;
    fs::create_directories(copy, error);
    fs::copy(folder.path() / "binaries", copy / "binaries", fs::copy_options::recursive, error);
    if (error) return fail("no copy of its binary in {}: {}", copy.string(), error.message());
    fs::create_directory_symlink(folder.path() / "resources", copy / "resources", error);
    return Binary::open(description, kind, copy);
  }
};

Result<void> choose_interface(Loaded& fmu, std::optional<Kind> wanted) {
  const ModelDescription& d = fmu.description;
  fmu.kind = wanted.value_or(d.model_exchange ? Kind::model_exchange : Kind::co_simulation);
  const bool exchange = fmu.kind == Kind::model_exchange;
  const auto& found = exchange ? d.model_exchange : d.co_simulation;
  if (!found) {
    return fail("offers {} only", exchange ? "co-simulation" : "model exchange");
  }
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
std::string describe_jacobian(fmi::Subject& subject, std::span<const double> x, bool directions) {
  const fmi::Layout& layout = subject.layout();
  std::vector<double> u;
  for (const auto& input : layout.inputs) u.push_back(input.start);
  std::vector<double> dx(x.size());
  std::vector<double> j(x.size() * x.size());
  const double by_differences = time_of([&] {
    subject.derivatives(0, x, u, dx);
    subject.jacobian_by_differences(0, x, u, dx, j);
  });
  const std::string differences =
      fmt::format("{:.1f} us, {} evaluations for {} states", by_differences,
                  layout.colouring.states.size() + 1, x.size());
  if (!directions) return fmt::format("differences, {}", differences);
  const double by_directions = time_of([&] { subject.jacobian_by_directions(0, x, u, j); });
  return layout.directional_derivatives
             ? fmt::format("directional derivatives, {:.1f} us; differences would take {}",
                           by_directions, differences)
             : fmt::format("differences, {}; directional derivatives would take {:.1f} us",
                           differences, by_directions);
}

// Its own start: what states and nominal values are then belongs to the description.
Result<void> probe(const std::shared_ptr<Loaded>& fmu) {
  auto instance = fmu->instantiate();
  if (!instance) return tl::make_unexpected(instance.error());
  fmi::Layout& layout = fmu->layout.layout;
  fmi::Subject subject({fmu, &layout}, std::move(*instance));
  std::vector<double> x(layout.states.size());
  std::vector<double> p;
  for (const auto& one : layout.parameters) p.push_back(one.value);
  subject.start(p, x);
  if (subject.failure() != nullptr) {
    return fail("it cannot be initialised: `{}` fails{}{}", subject.failure(),
                fmu->host.messages.count() > 0 ? ": " : "", fmu->host.messages.last());
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double nominal = std::abs(subject.nominals()[i]);
    layout.nominals[i] = nominal > 0 && std::isfinite(nominal) ? nominal : 1;
    model::State& state = layout.states[i];
    state.start = x[i];
    state.nominal = layout.nominals[i];
    // A start beyond its own limits is the FMU's affair, and so is a range of one value.
    state.low = std::min(state.low, x[i]);
    state.high = std::max(state.high, x[i]);
    if (!(state.low < state.high)) {
      state.low = -model::unlimited;
      state.high = model::unlimited;
    }
  }
  if (!x.empty()) fmu->jacobian = describe_jacobian(subject, x, fmu->has_directions);
  return {};
}

Result<std::shared_ptr<Loaded>> open(const fs::path& file, const Options& options) {
  if (auto good = check_trusted(file); !good) return tl::make_unexpected(good.error());
  auto folder = Folder::make();
  if (!folder) return tl::make_unexpected(folder.error());
  const auto fmu = std::make_shared<Loaded>(std::move(*folder));
  Result<void> good = unpack(file, fmu->folder.path());
  if (!good) return tl::make_unexpected(good.error());
  auto description = parse(whole_file(fmu->folder.path() / "modelDescription.xml").value_or(""),
                           options.structure);
  if (!description) return tl::make_unexpected(description.error());
  fmu->description = std::move(*description);
  if (good = choose_interface(*fmu, options.kind); !good) return tl::make_unexpected(good.error());
  auto layout = layout_of(fmu->description, fmu->kind);
  if (!layout) return tl::make_unexpected(layout.error());
  fmu->layout = std::move(*layout);
  fmi::Layout& made = fmu->layout.layout;
  made.caps = options.caps;
  made.step = options.step;
  fmu->has_directions = made.directional_derivatives;
  made.directional_derivatives = made.directional_derivatives && !options.differences;
  auto binary = Binary::open(fmu->description, fmu->kind, fmu->folder.path());
  if (!binary) return tl::make_unexpected(binary.error());
  fmu->binary = std::move(*binary);
  if (fmu->interface.once_per_process) fmu->unused = fmu->binary;
  if (fmu->kind == Kind::model_exchange) good = probe(fmu);
  if (!good) return tl::make_unexpected(good.error());
  if (good = plugin::check_description(fmu->layout.layout.description); !good) {
    return tl::make_unexpected(good.error());
  }
  fmu->ready = true;
  return fmu;
}

}  // namespace

Result<Model> load(const fs::path& file, const Options& options) {
  auto fmu = open(file, options);
  if (!fmu) return fail(fmu.error().code, "FMU {}: {}", file.string(), fmu.error().message);
  const std::shared_ptr<Loaded> kept = *fmu;
  const auto make = [kept](const numerics::Method& method) {
    auto instance = kept->instantiate();
    if (!instance) {
      throw std::runtime_error("FMU " + kept->description.name + ": " + instance.error().message);
    }
    const std::shared_ptr<const fmi::Layout> layout(kept, &kept->layout.layout);
    return kept->kind == Kind::model_exchange
               ? fmi::make_exchange(layout, std::move(*instance), method)
               : fmi::make_co_simulation(layout, std::move(*instance), method);
  };
  return Model{kept->layout.layout.description, kept->kind, kept->jacobian,
               kept->interface.fixed_step, make};
}

}  // namespace hild::fmu
