/** Sees to it that nothing which a run leaves behind holds a secret, whatever went wrong before. */
import { readFileSync, rmSync, statSync } from 'node:fs';
import type { Scanner } from '../../exchange/secrets/scanner.ts';
import type { Traffic } from '../../exchange/traffic.ts';
import { render } from '../../render/index.ts';
import type { FormatName } from '../../settings/settings-table.ts';
import type { Report } from '../../report/report.ts';
import { withoutBodies } from '../../report/without-bodies.ts';
import { judge, plan } from '../../run/run.ts';
import type { Settings } from '../../settings.ts';
import { UsageError } from '../../usage-error.ts';

export interface WrittenFile {
  readonly path: string;
  readonly format: FormatName;
}

export interface SecretGuard {
  /** Whether a secret stands in what was made of the report in this format. */
  leaks(content: Uint8Array | string, format: FormatName): boolean;
  /** Removes the files in which one stands. Their paths. */
  removeLeaks(files: readonly WrittenFile[]): readonly string[];
}

export function guardSecrets(scanner: Scanner, report: Report, settings: Settings): SecretGuard {
  const leaks: SecretGuard['leaks'] = (content, format) => {
    const { pieces, whole } = scanner.scan(content);
    if (pieces.size === 0) return false;
    // A key such as `sk-service-test-gateway` holds ordinary words, and so does every report.
    const own = scanner.scan(wordsOfOurs(settings, format)).pieces;
    const strange = [...pieces].filter((piece) => !own.has(piece));
    if (strange.length === 0 || whole) return strange.length > 0;
    const unquoted = scanner.scan(render(withoutBodies(report), format)).pieces;
    return strange.some((piece) => !unquoted.has(piece));
  };
  return {
    leaks,
    removeLeaks: (files) => {
      const leaking = files.filter(({ path, format }) => isFile(path) && leaks(readFileSync(path), format));
      for (const { path } of leaking) rmSync(path, { force: true });
      return leaking.map(({ path }) => path);
    },
  };
}

/** Of the commands that repeat a request. */
const REPEATING =
  'curl -sS "$WIRECHECK_BASE_URL" -X DELETE -H "Authorization: Bearer $WIRECHECK_API_KEY" -H "content-type: application/json" --data-raw wirecheck run --only';

/** What a format says about a run in which nothing was sent, what would be sent, and the name of the host. */
function wordsOfOurs(settings: Settings, format: FormatName): string {
  const { proxy: _, model: __, ...others } = settings;
  const open = { ...others, headers: [] };
  const planned = plan(open);
  const nothing = { requests: 0, completions: 0, tokens: 0 };
  const bindings = { sample: [], replyTokens: 0, streamTokens: 0, briefTokens: 0, withoutMaxTokens: false };
  const traffic: Traffic = {
    exchanges: [],
    bindings,
    keys: [],
    ending: { kind: 'complete' },
    used: nothing,
    notices: [],
    startedAt: 0,
    endedAt: 0,
  };
  const sent = JSON.stringify(planned.steps);
  return `${new URL(settings.baseUrl).host}\n${REPEATING}\n${sent}\n${render(judge({ plan: planned, traffic }, open), format)}`;
}

/** What every report shows of its settings must not hold a key: said before anything is sent. */
export function refuseOpenSecrets(scanner: Scanner, { baseUrl, headers, userAgent }: Settings): void {
  const shown: readonly (readonly [text: string, remedy: string])[] = [
    [
      new URL(baseUrl).pathname,
      'The path of the base URL holds a key, and every report shows it: use another address.',
    ],
    [userAgent, 'The User-Agent holds a key, and every report shows it: choose another with --user-agent.'],
    ...headers
      .filter(({ secret }) => !secret)
      .map(
        ({ name, value }) =>
          [value, `The header ${name} holds a key: give it with --header-env ${name}=VARIABLE.`] as const,
      ),
  ];
  const [, remedy] = shown.find(([text]) => scanner.scan(text).whole) ?? [];
  if (remedy !== undefined) throw new UsageError(remedy);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** A fault of ours, so the process ends as with any bug; but the user has to know which files are gone. */
export function leakError(places: readonly string[]): Error {
  return new Error(`a secret stood in ${places.join(', ')}: it was removed, or not shown`);
}

/** An error may quote what was being handled when it came up. */
export function withoutSecrets(error: unknown, scanner: Scanner): unknown {
  if (!(error instanceof Error)) return error;
  error.message = scanner.clean(error.message);
  if (error.stack !== undefined) error.stack = scanner.clean(error.stack);
  return error;
}
