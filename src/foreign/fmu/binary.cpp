// SPDX-License-Identifier: Apache-2.0
#include "foreign/fmu/binary.hpp"

#include <dlfcn.h>
#include <fmt/ranges.h>

#include <cstdlib>

#include "hild/numerics/float_control.hpp"

namespace hild::fmu {
namespace {

namespace fs = std::filesystem;

#if defined(__x86_64__)
constexpr const char* platform_of_three = "x86_64-linux";
#else
constexpr const char* platform_of_three = "aarch64-linux";
#endif

/// Looks functions up and remembers what was missing.
class Symbols {
 public:
  Symbols(void* handle, const char* prefix) : handle_(handle), prefix_(prefix) {}

  template <class F>
  void find(F& function, const char* name, bool required = true) {
    const std::string full = std::string(prefix_) + name;
    // dlsym() gives an object pointer for a function.
    function = reinterpret_cast<F>(::dlsym(handle_, full.c_str()));  // NOLINT
    if (function == nullptr && required) missing_.push_back(full);
  }
  template <class T>
  void find(fmi::v3::Access<T>& access, const char* type) {
    find(access.get, (std::string("Get") + type).c_str());
    find(access.set, (std::string("Set") + type).c_str());
  }
  [[nodiscard]] const std::vector<std::string>& missing() const { return missing_; }

 private:
  void* handle_;
  const char* prefix_;
  std::vector<std::string> missing_;
};

// Of an FMU that says it has them; without one of them its state cannot be saved.
fmi::StateFunctions find_state(Symbols& s, const Interface& interface, int version) {
  fmi::StateFunctions f{};
  if (!interface.saves_state) return f;
  const bool two = version == 2;
  s.find(f.get, two ? "GetFMUstate" : "GetFMUState", false);
  s.find(f.set, two ? "SetFMUstate" : "SetFMUState", false);
  s.find(f.release, two ? "FreeFMUstate" : "FreeFMUState", false);
  s.find(f.size, two ? "SerializedFMUstateSize" : "SerializedFMUStateSize", false);
  s.find(f.serialize, two ? "SerializeFMUstate" : "SerializeFMUState", false);
  s.find(f.deserialize, two ? "DeSerializeFMUstate" : "DeserializeFMUState", false);
  return f;
}

// What both versions name alike.
template <class Functions>
void find_common(Symbols& s, const Interface& interface, Kind kind, Functions& f) {
  s.find(f.free_instance, "FreeInstance");
  s.find(f.enter_initialization, "EnterInitializationMode");
  s.find(f.exit_initialization, "ExitInitializationMode");
  s.find(f.reset, "Reset");
  if (kind == Kind::co_simulation) return s.find(f.do_step, "DoStep");
  s.find(f.get_directional_derivative, "GetDirectionalDerivative",
         interface.directional_derivatives);
  s.find(f.enter_event_mode, "EnterEventMode");
  s.find(f.enter_continuous_time_mode, "EnterContinuousTimeMode");
  s.find(f.completed_integrator_step, "CompletedIntegratorStep");
  s.find(f.set_time, "SetTime");
  s.find(f.set_continuous_states, "SetContinuousStates");
  s.find(f.get_event_indicators, "GetEventIndicators");
  s.find(f.get_continuous_states, "GetContinuousStates");
  s.find(f.get_nominals, "GetNominalsOfContinuousStates");
}

fmi::v2::Functions find_two(Symbols& s, const Interface& interface, Kind kind) {
  fmi::v2::Functions f{};
  s.find(f.instantiate, "Instantiate");
  find_common(s, interface, kind, f);
  s.find(f.setup_experiment, "SetupExperiment");
  s.find(f.get_real, "GetReal");
  s.find(f.get_integer, "GetInteger");
  s.find(f.get_boolean, "GetBoolean");
  s.find(f.set_real, "SetReal");
  s.find(f.set_integer, "SetInteger");
  s.find(f.set_boolean, "SetBoolean");
  f.state = find_state(s, interface, 2);
  if (kind == Kind::co_simulation) {
    s.find(f.get_real_status, "GetRealStatus", false);
    s.find(f.get_boolean_status, "GetBooleanStatus", false);
    return f;
  }
  s.find(f.new_discrete_states, "NewDiscreteStates");
  s.find(f.get_derivatives, "GetDerivatives");
  return f;
}

fmi::v3::Functions find_three(Symbols& s, const Interface& interface, Kind kind,
                              bool restructured) {
  fmi::v3::Functions f{};
  const bool exchange = kind == Kind::model_exchange;
  s.find(f.instantiate_model_exchange, "InstantiateModelExchange", exchange);
  s.find(f.instantiate_co_simulation, "InstantiateCoSimulation", !exchange);
  find_common(s, interface, kind, f);
  s.find(f.enter_configuration, "EnterConfigurationMode", restructured);
  s.find(f.exit_configuration, "ExitConfigurationMode", restructured);
  s.find(f.float64, "Float64");
  s.find(f.float32, "Float32");
  s.find(f.int8, "Int8");
  s.find(f.uint8, "UInt8");
  s.find(f.int16, "Int16");
  s.find(f.uint16, "UInt16");
  s.find(f.int32, "Int32");
  s.find(f.uint32, "UInt32");
  s.find(f.int64, "Int64");
  s.find(f.uint64, "UInt64");
  s.find(f.boolean, "Boolean");
  f.state = find_state(s, interface, 3);
  if (!exchange) return f;
  s.find(f.update_discrete_states, "UpdateDiscreteStates");
  s.find(f.get_derivatives, "GetContinuousStateDerivatives");
  s.find(f.get_number_of_states, "GetNumberOfContinuousStates");
  s.find(f.get_number_of_indicators, "GetNumberOfEventIndicators");
  return f;
}

// The structural parameters that were given a value, each with it.
std::vector<fmi::Group> structure_of(const ModelDescription& d) {
  std::vector<fmi::Group> groups;
  for (const std::size_t i : d.structure) {
    const Variable& v = d.variables[i];
    fmi::Group group{.type = v.type};
    group.add(v.ref, 0, 1);
    group.values = v.start;
    groups.push_back(std::move(group));
  }
  return groups;
}

// Of 2.0: the message is a format.
void log_two(void* environment, const char* /*instance*/, int status, const char* /*category*/,
             const char* message, ...) {  // NOLINT: as the standard has it
  std::va_list arguments;
  va_start(arguments, message);
  static_cast<Messages*>(environment)->add_formatted(status, message, arguments);
  va_end(arguments);
}

void log_three(void* environment, int status, const char* /*category*/, const char* message) {
  static_cast<Messages*>(environment)->add(status, message);
}

Instantiate instances_of(const fmi::v2::Functions& f, Kind kind, const fs::path& resources) {
  return [=, uri = "file://" + resources.string()](const ModelDescription& d,
                                                   Host& host) -> std::unique_ptr<fmi::Instance> {
    const numerics::FloatControl kept;
    host.callbacks = {log_two, std::calloc, std::free, nullptr, &host.messages};
    const auto of =
        kind == Kind::model_exchange ? fmi::v2::Kind::model_exchange : fmi::v2::Kind::co_simulation;
    void* const component =
        f.instantiate(d.name.c_str(), of, d.token.c_str(), uri.c_str(), &host.callbacks, 0, 0);
    if (component == nullptr) return nullptr;
    return std::make_unique<fmi::v2::Instance2>(f, component);
  };
}

Instantiate instances_of(const fmi::v3::Functions& f, Kind kind, const fs::path& resources) {
  return [=](const ModelDescription& d, Host& host) -> std::unique_ptr<fmi::Instance> {
    const numerics::FloatControl kept;
    void* const handle =
        kind == Kind::model_exchange
            ? f.instantiate_model_exchange(d.name.c_str(), d.token.c_str(), resources.c_str(),
                                           false, false, &host.messages, log_three)
            : f.instantiate_co_simulation(d.name.c_str(), d.token.c_str(), resources.c_str(), false,
                                          false, false, d.co_simulation->variable_steps, nullptr, 0,
                                          &host.messages, log_three, nullptr);
    if (handle == nullptr) return nullptr;
    return std::make_unique<fmi::v3::Instance3>(f, handle, structure_of(d));
  };
}

std::string platforms_there(const fs::path& folder) {
  std::vector<std::string> there;
  std::error_code none;
  for (const auto& one : fs::directory_iterator(folder / "binaries", none)) {
    there.push_back(one.path().filename().string());
  }
  return there.empty() ? "none" : fmt::format("{}", fmt::join(there, ", "));
}

}  // namespace

Result<Instantiate> open_binary(const ModelDescription& d, Kind kind, const fs::path& folder) {
  const Interface& interface = kind == Kind::model_exchange ? *d.model_exchange : *d.co_simulation;
  const char* const platform = d.version == 2 ? "linux64" : platform_of_three;
  const fs::path file = folder / "binaries" / platform / (interface.identifier + ".so");
  if (!fs::exists(file)) {
    return fail("holds no binary {} for this platform; binaries there: {}",
                fs::relative(file, folder).string(), platforms_there(folder));
  }
  const numerics::FloatControl kept;  // what its constructors change, too
  void* const handle = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return fail("its binary cannot be loaded: {}", ::dlerror());
  Symbols symbols(handle, d.version == 2 ? "fmi2" : "fmi3");
  const fs::path resources = folder / "resources" / "";
  const bool restructured = !d.structure.empty();
  const Instantiate instantiate =
      d.version == 2
          ? instances_of(find_two(symbols, interface, kind), kind, resources)
          : instances_of(find_three(symbols, interface, kind, restructured), kind, resources);
  if (symbols.missing().empty()) return instantiate;
  return fail("its binary lacks {}", fmt::join(symbols.missing(), ", "));
}

}  // namespace hild::fmu
