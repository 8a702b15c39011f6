/** What the user should know about a run besides its verdicts: the data, and the one table that formats it. */
import { type RowsOf, wordsFor } from '../kinds.ts';
import { count, groupDigits, listFirst } from '../text/layout.ts';
import { formatQuote, formatValue, type Quote, quoteText } from '../text/quote.ts';

/** Why an exchange of a HAR file is not judged. */
export const UNUSABLE = {
  'no-answer': 'without an answer',
  'no-request-body': 'without a request body',
  'no-answer-body': 'without an answer body',
} as const;

export type Unusable = keyof typeof UNUSABLE;

/** The waiver that a notice is about. */
export interface NamedWaiver {
  readonly file: string;
  readonly line: number;
  readonly case?: string;
  readonly clause?: string;
  readonly fingerprint?: string;
}

const MAX_CLAUSES = 4;

/** A kind and its words, with the data that they are made of. */
const NOTICES = {
  /** Not redacted in answers. `name`: the role of a key, or the name of a header. `least`: characters. */
  'short-secret': ({ of, name, least }: ShortSecret) =>
    `${SECRETS[of](name)} has fewer than ${least} characters, so it looks like an ordinary word. It is redacted in requests, but not in answers.`,
  /** Redacted only as a whole. */
  'short-key': ({ role, least }: { readonly role: string; readonly least: number }) =>
    `The ${role} key has fewer than ${least} random characters, so only the whole key is redacted. If an answer repeats a part of it, the report shows that part.`,
  /** The list lacks the model of `--forbidden-model`. `closest`: a listed model that may be meant. */
  'forbidden-unlisted': ({ model, closest }: { readonly model: string; readonly closest?: Quote }) => {
    const guess = closest && closest.quote !== null ? ` Did you mean ${formatValue(closest)}?` : '';
    return `The model list has no ${formatValue(quoteText(model))} (--forbidden-model). That the restricted key neither lists nor calls it may prove nothing.${guess}`;
  },
  /** `wrong`: those to requests that must be refused. */
  'constant-text': ({ replies, wrong }: { readonly replies: number; readonly wrong: number }) =>
    `All ${groupDigits(replies)} replies have the same text. Of these, ${groupDigits(wrong)} answer requests that must be refused: the target may not read its requests.`,
  /** The report on one target of a fleet. */
  'other-key': "This target's answer contained another target's key. It is redacted in the report; rotate that key.",
  /** The scripted upstream of a relay. `first`: methods and paths. `counts`: how often each of the first ones came. */
  'other-requests': ({ count: number, first, counts = [] }: OtherRequests) => {
    const times = first.length > 1 ? counts.map((each) => ` (${groupDigits(each)})`) : [];
    const listed = first.map((each, index) => `${formatQuote(each)}${times[index] ?? ''}`);
    return `The upstream rejected ${count(number, 'request')} that do not belong to this run: ${listed.join(', ')}.`;
  },
  /** Of CHALLENGES.md. */
  challenged: ({ clause, since }: { readonly clause: string; readonly since: string }) =>
    `${clause} is excluded: it has been challenged since ${since}. It is recorded, and breaks nothing.`,
  'no-fallback':
    'The gateway never called its second upstream. It is judged as one without a fallback, which the contract allows.',
  rounds: ({ count: number }: { readonly count: number }) =>
    `${number} rounds of --watch: cases that the last round did not send keep their earlier verdicts. A run conforms only after a round that sends everything.`,
  overflow: ({ count: number }: { readonly count: number }) =>
    `The upstream rejected ${count(number, 'request')} beyond its limits (10 MiB each, 32 MiB in total, 25 calls per question, 2,000 per run).`,
  /** The driver of a client. `exit`, `signal`: how it ended first. */
  'driver-restarted': ({ count: times, exit, signal }: { readonly count: number } & Ended) =>
    `The driver ended by itself (${signal ?? `exit ${exit ?? 0}`})${times === 1 ? '' : `, ${count(times, 'time')} in all,`} and was started again.`,
  /** Of a clients file. `exit`, `signal`, `code`: how it ended, or why it did not start. `said`: the line with the error. */
  'version-unknown': ({ said, ...end }: VersionEnd & { readonly said?: Quote }) =>
    `The version command of this client ${formatVersionEnd(end)}${said ? `: ${formatQuote(said)}` : ''}. The report has no version: mend the command in the clients file, or remove it.`,
  'waiver-undecided': (waiver: NamedWaiver) =>
    `${formatNamedWaiver(waiver)} may be unused: nothing it names failed, but not everything was judged.`,
  /** `matchesNothing`: no case of that name judges the clause. */
  'waiver-unused': ({ matchesNothing, ...waiver }: { readonly matchesNothing?: true } & NamedWaiver) =>
    matchesNothing
      ? `${formatNamedWaiver(waiver)} matches nothing: no case of that name judges the clause. Remove it.`
      : `${formatNamedWaiver(waiver)} is unused: everything it names passed. Remove it.`,
  'waiver-expired': ({ until, isBroken, ...waiver }: ExpiredWaiver) =>
    isBroken
      ? `${formatNamedWaiver(waiver)} expired on ${until}: the failure counts again. Fix it, or set a later date.`
      : `${formatNamedWaiver(waiver)} expired on ${until}, and nothing it names failed. Remove it.`,
  'waiver-pending': ({ date, ...waiver }: { readonly date: string } & NamedWaiver) =>
    `${formatNamedWaiver(waiver)} does not apply yet: the removal was announced for ${date}, and is a failure before that day.`,
  'gzip-cut': ({ file }: { readonly file: string }) =>
    `${file}: the gzip data is damaged or cut off, but nothing is missing.`,
  /** `line`: the one that is cut off, or the last one. */
  'recording-cut': ({ file, line, isLineCut, isGzipCut }: CutRecording) => {
    const where = isLineCut ? `line ${line} is cut off and was ignored` : `the file ends after line ${line}`;
    return `${file}: ${isGzipCut ? 'the gzip data is damaged or cut off, ' : ''}${where}. The rest of the run is missing.`;
  },
  'other-contract': 'The recording was made with other clauses or suites. Cases that it does not have are not judged.',
  /** By another profile than that of the run. `cases`: how many. */
  'asked-otherwise': ({ cases, clauses }: { readonly cases: number; readonly clauses: readonly string[] }) =>
    `${count(cases, 'case')} ${cases === 1 ? 'was' : 'were'} not judged, since the recording has other requests than this contract asks for. Run again with this profile to judge ${listFirst(clauses, MAX_CLAUSES)} in full.`,
  'no-must': 'No exchange in this file is evidence about a must clause.',
  'suite-changed': ({ file }: { readonly file: string }) =>
    `The suite ${file} has changed since the recording was made.`,
  'evidence-thinned': ({ judged }: { readonly judged: number }) =>
    `${groupDigits(judged)} exchanges were judged. The report keeps only those that a finding points to.`,
  har: ({ file, judged, entries, baseUrl }: JudgedHar) =>
    `${file} is a HAR file. Judged: ${judged} of its ${entries} entries, the exchanges with ${baseUrl}, each on its own.`,
  'har-other-apis': ({ entries }: { readonly entries: number }) =>
    `Ignored: ${count(entries, 'entry', 'entries')} with another path or method than GET …/models and POST …/chat/completions.`,
  'har-other-base': ({ exchanges, baseUrl }: { readonly exchanges: number; readonly baseUrl: string }) =>
    `Ignored: ${count(exchanges, 'exchange')} with ${baseUrl}.`,
  'har-unusable': ({ exchanges }: { readonly exchanges: readonly UnusableExchanges[] }) =>
    `Exchanges not judged: ${exchanges.map(({ why, count: number }) => `${number} ${UNUSABLE[why]}`).join(', ')}.`,
  /** The sentence of an older recording. */
  recorded: ({ sentence }: { readonly sentence: string }) => sentence,
};

export type Notice = RowsOf<typeof NOTICES>;
export type NoticeOf<Kind extends Notice['kind']> = Extract<Notice, { readonly kind: Kind }>;

type ShortSecret = { readonly of: 'key' | 'header' | 'proxy'; readonly name: string; readonly least: number };
type OtherRequests = Readonly<{ count: number; first: readonly Quote[]; counts?: readonly number[] }>;
type Ended = { readonly exit?: number; readonly signal?: string };
type VersionEnd = Ended & { readonly code?: string };
type ExpiredWaiver = { readonly until: string; readonly isBroken: boolean } & NamedWaiver;
type CutRecording = Readonly<{ file: string; line: number; isLineCut: boolean; isGzipCut: boolean }>;
type JudgedHar = Readonly<{ file: string; judged: number; entries: number; baseUrl: string }>;
type UnusableExchanges = { readonly why: Unusable; readonly count: number };

const SECRETS: Readonly<Record<ShortSecret['of'], (name: string) => string>> = {
  key: (name) => `The ${name} key`,
  header: (name) => `The secret header ${name}`,
  proxy: () => 'The password of the proxy',
};

function formatVersionEnd({ exit, signal, code }: VersionEnd): string {
  if (code !== undefined) return `could not be started (${code})`;
  if (signal !== undefined) return `was ended by ${signal}`;
  return exit === 0 ? 'printed no version' : `failed with exit code ${exit ?? 1}`;
}

export function formatNamedWaiver({ file, line, ...waiver }: NamedWaiver): string {
  return `${file}:${line}: the waiver for ${nameWaived(waiver)}`;
}

/** `errors.code in auth/*` */
function nameWaived({ case: caseGlob, clause, fingerprint }: Omit<NamedWaiver, 'file' | 'line'>): string {
  const names = [clause, fingerprint].filter((name) => name !== undefined);
  if (caseGlob === undefined) return names.join(', ');
  return names.length === 0 ? caseGlob : `${names.join(', ')} in ${caseGlob}`;
}

export function formatNotice(notice: Notice): string {
  return wordsFor(NOTICES, notice);
}
