// SPDX-License-Identifier: Apache-2.0
#include "offline/advise/yaml.hpp"

#include <fmt/format.h>

#include <cmath>

namespace hild::advise {
namespace {

std::string frame_line(double h, const config::Frame& frame) {
  std::string line =
      fmt::format("frame: {{period: {}, clock: {}", time_text(h), rt::to_string(frame.clock));
  if (frame.margin) line += fmt::format(", margin: {}", time_text(seconds(*frame.margin)));
  if (frame.cpu >= 0) line += fmt::format(", cpu: {}", frame.cpu);
  return line + fmt::format(", priority: {}}}", frame.priority);
}

std::string partitions(const model::Multirate& rates, const model::Description& model) {
  std::string all;
  for (std::size_t i = 0; i < rates.count; ++i) {
    const auto& [method, ratio] = rates.rates[i];
    all += fmt::format("{}{}: {{method: {}", i == 0 ? "" : ", ", model.partitions[i].name,
                       method->name);
    all += ratio == 1 ? "}" : fmt::format(", ratio: {}}}", ratio);
  }
  const bool hold = rates.interface == model::Interface::hold;
  return fmt::format(", interface: {}, partitions: {{{}}}", hold ? "hold" : "extrapolate", all);
}

std::string integrator_line(const Window& w, const config::Config& config) {
  std::string line = fmt::format("integrator: {{method: {}, sampling: {}", w.candidate.name,
                                 config::word_of(w.sampling));
  const int degree = config.settings.extrapolation_under(w.sampling);
  if (degree != exec::usual_extrapolation(w.sampling)) {
    line += fmt::format(", extrapolation: {}",
                        config::extrapolations[static_cast<std::size_t>(degree)]);
  }
  if (w.candidate.rates) line += partitions(*w.candidate.rates, config.model.description);
  if (config.settings.outputs == exec::OutputTime::early) line += ", outputs: early";
  return line + "}";
}

}  // namespace

std::string time_text(double s) {
  const double ns = std::round(s * 1e9);
  if (!(ns < 1e15)) return "unlimited";
  if (ns >= 1e9) return fmt::format("{:.9g} s", ns * 1e-9);
  if (ns >= 1e6) return fmt::format("{:.6g} ms", ns * 1e-6);
  if (ns >= 1e3) return fmt::format("{:.6g} us", ns * 1e-3);
  return fmt::format("{:.0f} ns", ns);
}

std::vector<std::string> yaml_lines(const Window& window, double h, const config::Config& config) {
  return {frame_line(h, config.frame), integrator_line(window, config)};
}

}  // namespace hild::advise
