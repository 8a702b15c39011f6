/** A recording: a run as it happened, one JSON value per line, so that it can be judged again offline and for free. */
import type { Exchange } from '../exchange/exchange.ts';
import type { LoadEvent } from '../exchange/load-traffic.ts';
import type { Notice } from '../exchange/notice.ts';
import { type Settings, DEFAULT_SETTINGS } from '../settings.ts';
import type { EndFacts, EndLine, ItemLine, RecordedSettings, StartFacts, StartLine } from './recording-line.ts';

/** What was recorded. An exploration is a run of a gateway, with settings of its own. */
export type RecordedSubject = StartLine['subject']['kind'];

/** What the first line of a recording says. */
export type StartOf<Subject extends RecordedSubject> = StartFacts &
  Omit<Extract<StartLine['subject'], { readonly kind: Subject }>, 'kind'>;

/** What the last line of a recording says. */
export type EndOf<Subject extends RecordedSubject> = EndFacts &
  Omit<Extract<EndLine['subject'], { readonly kind: Subject }>, 'kind'>;

export type RecordedItem =
  /** `again`: replaces the earlier exchange with the same id. */
  | { readonly kind: 'exchange'; readonly exchange: Exchange; readonly again: boolean }
  | { readonly kind: 'load-event'; readonly event: LoadEvent }
  | Exclude<ItemLine, { readonly kind: 'exchange' | 'load-event' }>;

/** The recording of a subject. `end` and `notices` are complete once all items were read. */
export interface Recording<Subject extends RecordedSubject> {
  readonly subject: Subject;
  /** The path as the user wrote it. */
  readonly file: string;
  readonly start: StartOf<Subject>;
  items(): AsyncIterable<RecordedItem>;
  /** Undefined if the recording is truncated. */
  end(): EndOf<Subject> | undefined;
  /** What the user should know about the file. */
  notices(): readonly Notice[];
}

export type RecordedRun = Recording<'gateway'>;
export type RecordingStart = StartOf<'gateway'>;
export type RecordingEnd = EndOf<'gateway'>;
export type AnyRecording = { [Subject in RecordedSubject]: Recording<Subject> }[RecordedSubject];

/** The exchanges of a recording that is small enough to be read whole, with what was learned about them later. */
export async function readExchanges(recorded: AnyRecording): Promise<readonly Exchange[]> {
  const exchanges = new Map<string, Exchange>();
  for await (const item of recorded.items()) {
    if (item.kind === 'exchange') exchanges.set(item.exchange.id, item.exchange);
    const amended = item.kind === 'amendment' ? exchanges.get(item.id) : undefined;
    if (amended && item.kind === 'amendment') exchanges.set(item.id, { ...amended, controlAfter: item.controlAfter });
  }
  return [...exchanges.values()];
}

/** Keeps everything that judging depends on, and nothing secret. */
export function stripSecrets(settings: Settings): Settings {
  const { proxy, headers, ...rest } = settings;
  return {
    ...rest,
    headers: headers.map((header) => (header.secret ? { ...header, value: '' } : header)),
    ...(proxy !== undefined && { proxy: removeUser(proxy) }),
  };
}

function removeUser(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}

/** Settings that the recorded run did not have yet get their defaults. */
export function restoreSettings({ settings }: { readonly settings: RecordedSettings }): Settings {
  const { timeouts, limits, relay, ...rest } = settings;
  return {
    ...DEFAULT_SETTINGS,
    ...rest,
    timeouts: { ...DEFAULT_SETTINGS.timeouts, ...timeouts },
    limits: { ...DEFAULT_SETTINGS.limits, ...limits },
    relay: { ...DEFAULT_SETTINGS.relay, ...relay },
  };
}
