// SPDX-License-Identifier: Apache-2.0
/// `hild methods`: the catalogue, and what follows from each tableau.
#include "cli/report/methods.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <memory>

#include "cli/main/commands.hpp"
#include "cli/report/pretty_json.hpp"
#include "cli/report/write_file.hpp"
#include "cli/terminal/print.hpp"
#include "config/method_names.hpp"
#include "core/doc_page.hpp"
#include "hild/numerics/catalogue.hpp"

namespace hild::commands {
namespace {

struct MethodsArguments {
  std::string name;
  std::string svg;
  bool as_json = false;
};

ExitCode all_methods(bool as_json) {
  std::vector<analysis::Properties> all;
  for (const auto* m : numerics::catalogue()) all.push_back(analysis::properties(*m));
  if (!as_json) {
    cli::print_text(report::methods_table(all, report::style_for(STDOUT_FILENO)));
    return ExitCode::done;
  }
  boost::json::array list;
  for (const auto& p : all) list.push_back(report::method_summary(p));
  cli::print_text(report::pretty(list));
  return ExitCode::done;
}

ExitCode one_method(const MethodsArguments& arguments) {
  if (arguments.name == "multirate") {
    return complain(
        {"multirate has no tableau of its own: it takes a method of this list for each partition "
         "of a model, as " +
         doc_page("configuration") + " tells under `integrator`"});
  }
  const auto* method = numerics::find_method(arguments.name);
  if (method == nullptr) {
    return complain({fmt::format("no method \"{}\", {}; `hild methods` lists them", arguments.name,
                                 config::suggest_method(arguments.name))});
  }
  const auto p = analysis::properties(*method);
  if (!arguments.svg.empty()) {
    const auto written = report::write_file(arguments.svg, report::method_figures(p));
    if (!written) return complain(written.error());
    if (!arguments.as_json) return ExitCode::done;
  }
  cli::print_text(arguments.as_json ? report::pretty(report::method_details(p))
                                    : report::method_page(p, report::style_for(STDOUT_FILENO)));
  return ExitCode::done;
}

ExitCode methods(const MethodsArguments& arguments) {
  if (!arguments.name.empty()) return one_method(arguments);
  if (!arguments.svg.empty()) {
    return complain({"--svg draws one method: `hild methods NAME --svg FILE`"});
  }
  return all_methods(arguments.as_json);
}

}  // namespace

void add_methods(CLI::App& app, ExitCode& exit_code) {
  auto* command = app.add_subcommand(
      "methods", "list the integration methods: order, passes, errors, stability; or show one");
  const auto arguments = std::make_shared<MethodsArguments>();
  command->add_option("NAME", arguments->name,
                      "show this one: formulas, order conditions with what is left of each, gain "
                      "and phase errors, stability boundary");
  command->add_flag("--json", arguments->as_json, "for programs");
  command
      ->add_option("--svg", arguments->svg,
                   "draw stability boundary, root error, gain and phase errors of NAME")
      ->type_name("FILE");
  command->footer(
      "e_I: the fractional error of a characteristic root is -e_I (lambda h)^k, k the order;\n"
      "e_I N^k: the same for N passes in the time of one. Stable: how far lambda h may lie on the\n"
      "negative real and the imaginary axis. Explained and compared in " +
      doc_page("methods"));
  command->callback([=, &exit_code] { exit_code = methods(*arguments); });
}

}  // namespace hild::commands
