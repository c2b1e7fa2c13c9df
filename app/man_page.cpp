// SPDX-License-Identifier: Apache-2.0
#include "app/man_page.h"

#include <string_view>

#include "app/options.h"
#include "ui/properties/tr.h"

namespace sepx::app {
namespace {

/// Escapes text for man(7): no line is read as a request, and dashes can be copied as they are typed.
std::string escaped(std::string_view text) {
  std::string out;
  bool lineBegins = true;
  for (const char letter : text) {
    if (lineBegins && (letter == '.' || letter == '\'')) out += "\\&";
    lineBegins = letter == '\n';
    if (letter == '\\') {
      out += "\\e";
    } else if (letter == '-') {
      out += "\\-";
    } else if (letter == '^') {
      out += "\\(ha";
    } else if (letter == '~') {
      out += "\\(ti";
    } else if (letter == '`') {
      out += "\\(ga";
    } else if (letter == '\'') {
      out += "\\(aq";
    } else {
      out += letter;
    }
  }
  return out;
}

std::string section(const char* title) {
  return std::string(".SH ") + title + "\n";
}

std::string bold(std::string_view text) {
  return "\\fB" + escaped(text) + "\\fR";
}

std::string italic(std::string_view text) {
  return "\\fI" + escaped(text) + "\\fR";
}

std::string optionEntry(const OptionRow& row) {
  std::string head;
  for (const std::string& name : row.names)
    head += (head.empty() ? "" : ", ") + (row.positional ? italic(name) : bold(name));
  if (!row.positional && !row.value.empty()) head += " " + italic(row.value);
  if (row.repeats) head += " ...";
  std::string help = escaped(row.help);
  if (row.required && !row.positional) help += std::string(help.empty() ? "" : ". ") + ui::tr("Required.");
  return ".TP\n" + head + "\n" + (help.empty() ? "\\&" : help) + "\n";
}

std::string entries(const CommandTable& command, bool positional) {
  std::string text;
  for (const OptionRow& row : command.options)
    if (row.positional == positional) text += optionEntry(row);
  return text;
}

/// The footer, preformatted because the footer of a verb is a table.
std::string footerOf(const CommandTable& command) {
  if (command.footer.empty()) return {};
  return ".PP\n.nf\n" + escaped(command.footer) + "\n.fi\n";
}

std::string entry(const std::string& head, const std::string& text) {
  return ".TP\n" + bold(head) + "\n" + escaped(text) + "\n";
}

std::string statuses() {
  return section("EXIT STATUS") + entry("0", ui::tr("Done.")) +
         entry("1", ui::tr("A check or an expectation did not hold.")) + entry("2", ui::tr("Wrong usage.")) +
         entry("3", ui::tr("An input file is unusable. The message names the file, the place and why.")) +
         entry("4", ui::tr("There is no usable Vulkan device or display where one is needed.")) +
         entry("5", ui::tr("Interrupted. The work is saved.")) + entry("6", ui::tr("Output could not be written.")) +
         entry("7", ui::tr("Internal error."));
}

std::string environment() {
  return section("ENVIRONMENT") +
         entry("SEPX_DATA_DIR", ui::tr("The folder with the lessons, configs and models that ship with the program. "
                                       "By default it is found relative to the program: ../share/separatrix.")) +
         entry(
             "SEPX_LOG",
             ui::tr(
                 "The level of log lines on standard error: trace, debug, info, warn (default), error, critical, off.")) +
         entry("SEPX_LANGUAGE",
               ui::tr("The language of the interface and of messages: en or zh_CN. By default it is the language of "
                      "the system; windows use the language chosen in their menu.")) +
         entry("SEPX_SIMD",
               ui::tr("The widest instruction set that computations use: generic or avx2. By default the widest that "
                      "the processor supports.")) +
         entry("TMPDIR", ui::tr("The folder of temporary files. By default /tmp.")) +
         entry("XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME, XDG_DATA_HOME",
               ui::tr("The folders of settings, of unsaved work, of the cache and of runs.")) +
         entry("XDG_RUNTIME_DIR", ui::tr("The folder of the socket that connects studio and stage."));
}

std::string seeAlso(const CommandTable& program, const CommandTable* verb) {
  std::string text = section("SEE ALSO");
  if (verb != nullptr) return text + ".BR " + program.name + " (1)\n";
  std::string last;
  const auto add = [&text, &last](const std::string& page) {
    if (!last.empty()) text += ".BR " + last + " (1),\n";
    last = page;
  };
  for (const CommandTable& command : program.commands)
    add(escaped(program.name + "-" + command.name));
  for (const char* other : {"separatrix", "separatrix-stage", "sepx"})
    if (program.name != other) add(escaped(other));
  return text + ".BR " + last + " (1)\n";
}

std::string commandsOf(const CommandTable& program) {
  if (program.commands.empty()) return {};
  std::string text = section("VERBS");
  for (const CommandTable& command : program.commands)
    text += ".TP\n.BR " + escaped(program.name + "-" + command.name) + " (1)\n" + escaped(command.description) + "\n";
  return text;
}

}  // namespace

std::string manPage(const CommandTable& program, const CommandTable* verb) {
  const CommandTable& page = verb != nullptr ? *verb : program;
  const std::string name = verb != nullptr ? program.name + "-" + verb->name : program.name;
  std::string text = ".\\\" SPDX-License-Identifier: Apache-2.0\n.TH \"" + escaped(name) + "\" 1 \"\" \"" +
                     escaped(version()) + "\" \"Separatrix\"\n.nh\n";
  text += section("NAME") + escaped(name) + " \\- " + escaped(page.description) + "\n";
  text += section("SYNOPSIS") + ".nf\n" + bold(page.synopsis(verb != nullptr ? program.name : "")) + "\n.fi\n";
  const std::string arguments = entries(page, true);
  if (!arguments.empty()) text += section("ARGUMENTS") + arguments;
  text += section("OPTIONS") + entries(page, false) + footerOf(page);
  if (verb != nullptr) {
    text += ".PP\n" + escaped(ui::tr("The options common to all verbs can be given too; they are described in")) +
            "\n.BR " + program.name + " (1).\n";
  }
  text += commandsOf(page) + statuses() + environment() + seeAlso(program, verb);
  return text;
}

}  // namespace sepx::app
