/** Whether a coding agent runs the command: the variables that std-env, and so vitest, look for. */
import { AGENT } from '../../settings/settings-without-flag.ts';
import { toggle } from '../../settings/value-types.ts';
import type { CommandIo } from '../command-io.ts';

/** Set by an agent, whatever the value. */
const VARIABLES = [
  ...['AI_AGENT', 'CLAUDECODE', 'CLAUDE_CODE', 'REPL_ID', 'GEMINI_CLI', 'CODEX_SANDBOX', 'CODEX_THREAD_ID'],
  ...['OPENCODE', 'AUGMENT_AGENT', 'GOOSE_PROVIDER', 'JUNIE_DATA', 'JUNIE_SHIM_PATH', 'COPILOT_AGENT', 'COPILOT_CLI'],
  'CURSOR_AGENT',
] as const;

/** Everybody may have set these; an agent sets them to a value of its own. */
const VALUES: Readonly<Record<string, RegExp>> = {
  PATH: /\.pi[\\/]agent/,
  EDITOR: /devin/,
  TERM_PROGRAM: /kiro/,
};

/** `AI_AGENT is set` or `EDITOR names one`; undefined where nothing says so, or a person reads along. */
export function detectAgent({ env, stdout }: Pick<CommandIo, 'env' | 'stdout'>): string | undefined {
  const isOff = toggle.parse((env[AGENT.variable] ?? '').trim()) === false;
  if (stdout.isTerminal === true || isOff) return undefined;
  const variable = VARIABLES.find((name) => (env[name] ?? '') !== '');
  if (variable !== undefined) return `${variable} is set`;
  const named = Object.entries(VALUES).find(([name, pattern]) => pattern.test(env[name] ?? ''));
  return named && `${named[0]} names one`;
}
