/** Completion for bash, from version 3.2 on, which macOS has. */
import type { CompletedCommand, CompletedFlag, CompletedValue } from './completed.ts';
import { AFTER_INSTALL } from './shells.ts';

export function bashCompletion(commands: readonly CompletedCommand[]): string {
  const names = commands.map(({ name }) => name).join(' ');
  return `# Completion of wirecheck for bash, made by \`wirecheck completion bash\`.
${AFTER_INSTALL.posix}
_wirecheck_offer() { # names, then any, folders or none
  local kind=$2 word=$WIRECHECK_WORD line
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -W "$1" -- "$word")
  [[ $kind == none ]] && return
  # bash 3.2 has no compopt.
  compopt -o filenames 2>/dev/null
  local what=-f
  [[ $kind == folders ]] && what=-d
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$what" -- "$word")
}

_wirecheck() {
  local WIRECHECK_WORD=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} i
  for ((i = 1; i < COMP_CWORD; i++)); do
    # The command of a client follows, which is not ours.
    if [[ \${COMP_WORDS[i]} == -- ]]; then _wirecheck_offer '' any; return; fi
  done
  # bash makes three words of --flag=value and of html=FILE.
  if [[ $WIRECHECK_WORD == = ]]; then WIRECHECK_WORD=; before='='; COMP_CWORD=$((COMP_CWORD + 1)); fi
  if [[ $before == = ]]; then
    before=\${COMP_WORDS[COMP_CWORD-2]}
    if [[ $before != -* ]]; then _wirecheck_offer '' any; return; fi
  fi
  if ((COMP_CWORD == 1)); then _wirecheck_offer '${names} --help --version' none; return; fi
  case "$command $before" in
${commands.flatMap(valueCases).join('\n')}
  esac
  case "$command" in
${commands.map(wordCase).join('\n')}
  esac
}
complete -F _wirecheck wirecheck
`;
}

function valueCases({ name, flags }: CompletedCommand): readonly string[] {
  return flags.flatMap(({ long, short, value }) => {
    if (!value) return [];
    const patterns = [long, ...(short === undefined ? [] : [short])].map((flag) => `'${name} ${flag}'`);
    return [`    ${patterns.join(' | ')}) ${offer(value)}; return ;;`];
  });
}

function wordCase({ name, flags, value }: CompletedCommand): string {
  const longs = flags.flatMap(({ long, short }: CompletedFlag) => [long, ...(short === undefined ? [] : [short])]);
  const all = { ...value, names: longs };
  return `    ${name}) if [[ $WIRECHECK_WORD == -* ]]; then ${offer({ ...all, files: 'none' })}; else ${offer(value)}; fi ;;`;
}

/** No name has a quote or a blank: a test sees to that. */
function offer({ names, files }: CompletedValue): string {
  return `_wirecheck_offer '${names.join(' ')}' ${files}`;
}
