/** Completion for zsh, as a function for a folder of `$fpath`. */
import type { CompletedCommand, CompletedFlag, CompletedValue } from './completed.ts';
import { AFTER_INSTALL } from './shells.ts';

export function zshCompletion(commands: readonly CompletedCommand[]): string {
  const described = commands.map(({ name, summary }) => `    ${quote(`${name}:${summary}`)}`).join('\n');
  return `#compdef wirecheck
# Completion of wirecheck for zsh, made by \`wirecheck completion zsh\`.
${AFTER_INSTALL.posix}
_wirecheck_either() { # any or folders, then names
  local kind=$1
  shift
  compadd -- "$@"
  if [[ $kind == folders ]]; then _files -/; else _files; fi
}

_wirecheck() {
  local -a commands
  commands=(
${described}
  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  # The flags of the command follow its name, which takes the place of the program's.
  shift words
  ((CURRENT--))
  case $command in
${commands.map(commandCase).join('\n')}
  esac
}
if [[ $funcstack[1] == _wirecheck ]]; then _wirecheck "$@"; else compdef _wirecheck wirecheck; fi
`;
}

function commandCase({ name, flags, value }: CompletedCommand): string {
  // A blank would be a message, which keeps zsh from completing a flag that stands in the place of an argument.
  const specs = [...flags.flatMap(flagSpecs), quote(`*:argument:${action(value).trimEnd() || '()'}`)];
  return `    ${name}) _arguments -S \\\n      ${specs.join(' \\\n      ')} ;;`;
}

/** `*` before a flag: it may be repeated. Whether it has a meaning is for the command to say. */
function flagSpecs({ long, short, summary, value }: CompletedFlag): readonly string[] {
  const words = `[${summary.replaceAll(/[[\]\\:]/g, String.raw`\$&`)}]`;
  return [long, ...(short === undefined ? [] : [short])].map((flag) =>
    quote(value ? `*${flag}${flag === long ? '=' : '+'}${words}:value:${action(value)}` : `*${flag}${words}`),
  );
}

/** No name has a blank, a quote, a colon or a parenthesis: a test sees to that. */
function action({ names, files }: CompletedValue): string {
  if (files === 'none') return names.length === 0 ? ' ' : `(${names.join(' ')})`;
  if (names.length === 0) return files === 'folders' ? '_files -/' : '_files';
  // The blank before it keeps zsh from adding arguments.
  return ` _wirecheck_either ${files} ${names.join(' ')}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
