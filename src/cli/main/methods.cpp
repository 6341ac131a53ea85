// SPDX-License-Identifier: Apache-2.0
/// `hild methods`: the catalogue, and what follows from each tableau.
#include "cli/report/methods.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/json.hpp>

#include "cli/main/commands.hpp"
#include "cli/report/pretty_json.hpp"
#include "cli/report/write_file.hpp"
#include "cli/terminal/print.hpp"
#include "config/near_names.hpp"
#include "core/doc_page.hpp"
#include "core/json_parts.hpp"
#include "hild/numerics/catalogue.hpp"

namespace hild::commands {
namespace {

struct MethodsArguments {
  std::string name;
  std::string svg;
  bool as_json = false;
};

std::string all_methods(bool as_json) {
  std::vector<analysis::Properties> all;
  for (const auto* m : numerics::catalogue()) all.push_back(analysis::properties(*m));
  return as_json ? report::pretty(array_of(all, report::method_summary))
                 : report::methods_table(all, report::style_for(STDOUT_FILENO));
}

const numerics::Method& find_method(const std::string& name) {
  if (name == "multirate") {
    throw Error{
        "multirate has no tableau of its own: it takes a method of this list for each partition "
        "of a model, as " +
        doc_page("configuration") + " tells under `integrator`"};
  }
  if (const auto* method = numerics::find_method(name)) return *method;
  throw Error{fmt::format("no method \"{}\", {}; `hild methods` lists them", name,
                          config::suggest(name, config::method_names()))};
}

void methods(const MethodsArguments& a) {
  if (a.name.empty()) {
    if (!a.svg.empty()) throw Error{"--svg draws one method: `hild methods NAME --svg FILE`"};
    cli::print_text(all_methods(a.as_json));
    return;
  }
  const auto p = analysis::properties(find_method(a.name));
  if (!a.svg.empty()) needed(report::write_file(a.svg, report::method_figures(p)));
  if (a.as_json) {
    cli::print_text(report::pretty(report::method_details(p)));
  } else if (a.svg.empty()) {
    cli::print_text(report::method_page(p, report::style_for(STDOUT_FILENO)));
  }
}

}  // namespace

void add_methods(CLI::App& app, ExitCode& exit_code) {
  auto [command, a] = add_command(
      app, exit_code, "methods",
      "list the integration methods: order, passes, errors, stability; or show one", methods);
  command.add_option("NAME", a.name,
                     "show this one: formulas, order conditions with what is left of each, gain "
                     "and phase errors, stability boundary");
  command.add_flag("--json", a.as_json, "for programs");
  add_option(command, "--svg", a.svg, "FILE",
             "draw stability boundary, root error, gain and phase errors of NAME");
  command.footer(
      "e_I: the fractional error of a characteristic root is -e_I (lambda h)^k, k the order;\n"
      "e_I N^k: the same for N passes in the time of one. Stable: how far lambda h may lie on the\n"
      "negative real and the imaginary axis; from...to where only a stretch away from 0 is "
      "stable.\n"
      "Explained and compared in " +
      doc_page("methods"));
}

}  // namespace hild::commands
