// SPDX-License-Identifier: Apache-2.0
#include "app/completion.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sepx::app {
namespace {

std::string functionName(std::string program) {
  std::replace(program.begin(), program.end(), '-', '_');
  return "_" + program;
}

/// The text in single quotes for a shell; a newline becomes a space.
std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char letter : text) {
    if (letter == '\'') {
      out += "'\\''";
    } else {
      out += letter == '\n' ? ' ' : letter;
    }
  }
  return out + "'";
}

std::string header(const char* begin) {
  return fmt::format("{}# SPDX-License-Identifier: Apache-2.0\n", begin);
}

// --- bash ---

std::string namesOf(const CommandTable& command) {
  std::string text;
  for (const OptionRow& row : command.options) {
    if (row.positional) continue;
    for (const std::string& name : row.names)
      text += (text.empty() ? "" : " ") + name;
  }
  return text;
}

/// A case "VERB:--theme) choices='dark light' ;;" for every option with a value. A verb's options are matched before
/// the common ones.
std::string bashValues(const CommandTable& command, const std::string& verb) {
  std::string text;
  for (const OptionRow& row : command.options) {
    if (row.positional || row.value.empty()) continue;
    std::string pattern;
    for (const std::string& name : row.names)
      pattern += fmt::format("{}{}:{}", pattern.empty() ? "" : "|", verb, name);
    const std::string action = !row.choices.empty() ? fmt::format("choices='{}'", fmt::join(row.choices, " "))
                               : row.isPath()       ? "files=1"
                                                    : "return";
    text += fmt::format("    {}) {} ;;\n", pattern, action);
  }
  return text;
}

std::string bashArguments(const CommandTable& command, const std::string& verb) {
  for (const OptionRow& row : command.options) {
    if (!row.positional) continue;
    if (!row.choices.empty()) return fmt::format("    {}:) choices='{}' ;;\n", verb, fmt::join(row.choices, " "));
    if (row.isPath()) return fmt::format("    {}:) files=1 ;;\n", verb);
  }
  return {};
}

}  // namespace

std::string bashCompletion(const CommandTable& program) {
  std::string verbs, options, values, arguments;
  for (const CommandTable& command : program.commands) {
    verbs += (verbs.empty() ? "" : " ") + command.name;
    options += fmt::format("    {}) options=\"{} $options\" ;;\n", command.name, namesOf(command));
    values += bashValues(command, command.name);
    arguments += bashArguments(command, command.name);
  }
  const std::string function = functionName(program.name);
  std::string text = header("");
  text += fmt::format("{}() {{\n", function);
  text += "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb='' choices='' files='' one\n";
  text += fmt::format("  local verbs='{}' options='{}'\n", verbs, namesOf(program));
  text += "  COMPREPLY=()\n";
  text += "  for one in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n";
  text += "    case \" $verbs \" in *\" $one \"*) verb=$one; break ;; esac\n";
  text += "  done\n";
  if (!options.empty()) text += "  case $verb in\n" + options + "  esac\n";
  // The options of every verb are listed under the empty verb.
  text += "  case $verb:$before in\n" + values + "    *) case :$before in\n" + bashValues(program, "") +
          "    esac ;;\n  esac\n";
  text += "  if [ -z \"$choices$files\" ]; then\n    case $word in\n";
  text += "    -*) choices=$options ;;\n";
  text += "    *) if [ -z \"$verb$verbs\" ]; then files=1; elif [ -z \"$verb\" ]; then choices=$verbs; else\n";
  text += "      case $verb: in\n" + arguments + "      *) ;;\n      esac\n    fi ;;\n    esac\n  fi\n";
  text += "  if [ -n \"$files\" ]; then\n    compopt -o filenames 2>/dev/null\n";
  text += "    mapfile -t COMPREPLY < <(compgen -f -- \"$word\")\n";
  text += "  else\n    mapfile -t COMPREPLY < <(compgen -W \"$choices\" -- \"$word\")\n  fi\n}\n";
  text += fmt::format("complete -F {} {}\n", function, program.name);
  return text;
}

// --- zsh ---

namespace {

/// Escapes brackets, colons and backslashes, which have a meaning in a specification of _arguments.
std::string zshText(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '[' || letter == ']' || letter == ':' || letter == '\\') out += '\\';
    out += letter;
  }
  return out;
}

std::string zshValue(const OptionRow& row) {
  if (!row.choices.empty()) return fmt::format(":value:({})", fmt::join(row.choices, " "));
  if (row.isPath()) return ":file:_files";
  return row.value.empty() ? "" : fmt::format(":{}: ", zshText(row.value));
}

std::string zshSpecs(const CommandTable& command) {
  std::string text;
  for (const OptionRow& row : command.options) {
    if (row.positional) {
      text += fmt::format(" \\\n    {}",
                          quoted((row.repeats    ? "*"
                                  : row.required ? ""
                                                 : ":") +
                                 (zshValue(row).empty() ? ":" + zshText(row.names.front()) + ": " : zshValue(row))));
      continue;
    }
    for (const std::string& name : row.names)
      text += fmt::format(" \\\n    {}",
                          quoted((row.repeats ? "*" : "") + name + "[" + zshText(row.help) + "]" + zshValue(row)));
  }
  return text;
}

}  // namespace

std::string zshCompletion(const CommandTable& program) {
  std::string text = header(fmt::format("#compdef {}\n", program.name).c_str());
  if (program.commands.empty()) return text + "_arguments -s" + zshSpecs(program) + "\n";
  text += "local curcontext=$curcontext state line\ntypeset -A opt_args\n";
  text += "local -a common verbs\ncommon=(" + zshSpecs(program) + ")\nverbs=(";
  for (const CommandTable& command : program.commands)
    text += " \\\n    " + quoted(command.name + ":" + zshText(command.description));
  text += ")\n_arguments -C $common '1:verb:->verb' '*::argument:->arguments' && return\ncase $state in\n";
  text += fmt::format("  verb) _describe -t verbs '{} verb' verbs ;;\n  arguments) case $words[1] in\n", program.name);
  for (const CommandTable& command : program.commands)
    text += fmt::format("  {}) _arguments -s $common{} ;;\n", command.name, zshSpecs(command));
  return text + "  esac ;;\nesac\n";
}

// --- fish ---

namespace {

std::string fishRows(const CommandTable& command, const std::string& program, const std::string& condition) {
  std::string text;
  for (const OptionRow& row : command.options) {
    std::string line = fmt::format("complete -c {}", program) + condition;
    if (row.positional) {
      if (row.choices.empty()) continue;
      text += line + fmt::format(" -f -a '{}'\n", fmt::join(row.choices, " "));
      continue;
    }
    for (const std::string& name : row.names)
      line += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    if (!row.choices.empty()) {
      line += fmt::format(" -x -a '{}'", fmt::join(row.choices, " "));
    } else if (row.isPath()) {
      line += " -r -F";
    } else if (!row.value.empty()) {
      line += " -x";
    }
    text += line + " -d " + quoted(row.help) + "\n";
  }
  return text;
}

}  // namespace

std::string fishCompletion(const CommandTable& program) {
  std::string text = header("") + fishRows(program, program.name, "");
  std::string verbs;
  for (const CommandTable& command : program.commands)
    verbs += (verbs.empty() ? "" : " ") + command.name;
  for (const CommandTable& command : program.commands) {
    text += fmt::format("complete -c {} -f -n 'not __fish_seen_subcommand_from {}' -a {} -d {}\n", program.name, verbs,
                        command.name, quoted(command.description));
    text += fishRows(command, program.name, " -n '__fish_seen_subcommand_from " + command.name + "'");
  }
  return text;
}

}  // namespace sepx::app
