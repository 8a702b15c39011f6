/** The version of a recording, and its lines as version 3 has them. */
import type { Identity, Occasion } from '../exchange/identity.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { quoteText } from '../text/quote.ts';
import { usageError } from '../usage-error.ts';
import { RECORDING_FORMAT, RECORDING_VERSION } from './recording-line.ts';

/** Makes lines of version 3 of a line of the recording. Early recordings have more in their last line. */
export type UpgradeLine = (line: unknown) => readonly unknown[];

/** The first line says which version the file has. `shown`: the path as the user wrote it. */
export function findUpgrade(first: unknown, shown: string): UpgradeLine {
  const refuse = (message: string) => usageError.FILE_INVALID(`${shown} ${message}`);
  if (!isObject(first) || first['format'] !== RECORDING_FORMAT) {
    throw refuse('is not a wirecheck recording. Pass a file written by --record, or a HAR file.');
  }
  const { version, kind } = first;
  if (version === RECORDING_VERSION) return (line) => [line];
  if (version === 2) return upgradeVersion2;
  if (version !== 1) {
    throw refuse(
      `has version ${JSON.stringify(version)} of the recording format. Use a wirecheck that reads it; this one reads versions 1 to ${RECORDING_VERSION}.`,
    );
  }
  if (kind === 'start') return (line) => upgradeVersion2(upgradeVersion1(line));
  throw refuse('has version 1 of the recording format, which has gateways only. Record the client or the relay again.');
}

/** The first and the last lines of version 2: each subject had its own, and a gateway's had no name. */
const FIRST_OR_LAST = /^(?:(client|relay|load)-)?(start|end)$/;

function upgradeVersion2(line: unknown): readonly unknown[] {
  if (!isObject(line)) return [line];
  const { kind, ending, endedAt, startedAt, ...rest }: Readonly<Record<string, Json | undefined>> = line;
  const [, ofSubject = 'gateway', edge] = FIRST_OR_LAST.exec(typeof kind === 'string' ? kind : '') ?? [];
  if (edge === 'start') {
    const { format, version: _version, tool, contractHash, ...subject } = rest;
    const facts = { format, version: RECORDING_VERSION, tool, contractHash, startedAt };
    return [{ kind: 'start', ...facts, subject: { kind: ofSubject, ...subject } }];
  }
  if (edge !== 'end') return [line];
  // Early recordings have no line for each scenario or case.
  const { played, cases, ...subject } = rest;
  const ofKind = (item: string, list: Json | undefined) =>
    Array.isArray(list) ? list.map((each) => (isObject(each) ? { kind: item, ...each } : each)) : [];
  return [
    ...ofKind('played', played),
    ...ofKind('asked', cases),
    { kind: 'end', ending, endedAt, subject: { kind: ofSubject, ...subject } },
  ];
}

/** Makes a line of version 2 of one of version 1, which knew gateways only. */
export function upgradeVersion1(line: unknown): unknown {
  if (!isObject(line)) return line;
  if (line['kind'] === 'exchange') return { ...line, ...readId(line) };
  return line['kind'] === 'end' ? upgradeEnd(line) : line;
}

/** The mark of an id that was given up. Later versions have fields for it, and for the others. */
const GIVEN_UP = /~given-up$/;
/** The first that fits counts. */
const MARKS: readonly (readonly [mark: RegExp, occasion?: Occasion])[] = [
  [/~after#(\d+)$/, 'control-again'],
  [/~again#(\d+)$/, 'list-again'],
  [/~(\d+)$/, 'other-model'],
  // The last mark of `chat~round#2` is that of the round, which was a field before.
  [/(?<!~round)#(\d+)$/],
];

function readId({ id, step }: Readonly<Record<string, Json | undefined>>): Partial<Identity> {
  if (typeof id !== 'string' || typeof step !== 'string') return {};
  const name = id.replace(/[~#].*$/, '');
  return {
    ...(name !== step && { name }),
    ...(GIVEN_UP.test(id) ? { givenUp: id.replace(GIVEN_UP, '') } : readTurn(id, step)),
  };
}

function readTurn(id: string, step: string): Partial<Identity> {
  for (const [mark, occasion] of id === step ? [] : MARKS) {
    const digits = mark.exec(id)?.[1];
    if (digits !== undefined) return { ...(occasion && { occasion }), number: Number(digits) };
  }
  return {};
}

function upgradeEnd(end: JsonObject): unknown {
  const { ending, description, notices } = end;
  return {
    ...end,
    ...(isObject(ending) && { ending: upgradeEnding(ending) }),
    ...(isObject(description) && { description: upgradeDescription(description) }),
    // Notices were sentences.
    ...(Array.isArray(notices) && {
      notices: notices.map((each) => (typeof each === 'string' ? { kind: 'recorded', sentence: each } : each)),
    }),
  };
}

/** Early ones named one suspect if the target stopped answering. */
function upgradeEnding(ending: JsonObject): unknown {
  const { suspect, ...rest } = ending;
  return typeof suspect === 'string' ? { ...rest, suspects: [suspect] } : ending;
}

/** Early ones had the sentence that says why there is no description. */
function upgradeDescription(description: JsonObject): unknown {
  const { reason, ...rest }: Readonly<Record<string, Json | undefined>> = description;
  if (description['kind'] !== 'unavailable' || typeof reason !== 'string') return description;
  return { ...rest, problem: { kind: 'recorded', sentence: quoteText(reason) } };
}
