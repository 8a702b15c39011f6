/** Lines of version 1 of the recording format, as version 2 has them. Version 1 knew gateways only. */
import type { Identity } from '../exchange/identity.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { quoteText } from '../text/quote.ts';
import { RECORDING_VERSION } from './recording.ts';

export function upgradeLine(line: unknown): unknown {
  if (!isObject(line)) return line;
  if (line['kind'] === 'start') return { ...line, version: RECORDING_VERSION };
  if (line['kind'] === 'exchange') return { ...line, ...readId(line) };
  return line['kind'] === 'end' ? upgradeEnd(line) : line;
}

/** The marks of an id. Later versions have fields for them. */
const GIVEN_UP = /~given-up$/;
const CONTROL_AGAIN = /~after#(\d+)$/;
const LIST_AGAIN = /~again#(\d+)$/;
const OTHER_MODEL = /~(\d+)$/;
const REPEATED = /#(\d+)$/;

function readId({ id, step }: Readonly<Record<string, Json | undefined>>): Partial<Identity> {
  if (typeof id !== 'string' || typeof step !== 'string') return {};
  const name = id.replace(/[~#].*$/, '');
  return {
    ...(name !== step && { name }),
    ...(GIVEN_UP.test(id) ? { givenUp: id.replace(GIVEN_UP, '') } : readTurn(id, step)),
  };
}

function readTurn(id: string, step: string): Partial<Identity> {
  if (id === step) return {};
  const numberIn = (mark: RegExp): number | undefined => {
    const [, digits] = mark.exec(id) ?? [];
    return digits === undefined ? undefined : Number(digits);
  };
  const [after, again, model] = [CONTROL_AGAIN, LIST_AGAIN, OTHER_MODEL].map(numberIn);
  if (after !== undefined) return { occasion: 'control-again', number: after };
  if (again !== undefined) return { occasion: 'list-again', number: again };
  if (model !== undefined) return { occasion: 'other-model', number: model };
  // The last mark of `chat~round#2` is that of the round, which was a field before.
  const number = /~round#\d+$/.test(id) ? undefined : numberIn(REPEATED);
  return number === undefined ? {} : { number };
}

function upgradeEnd(end: JsonObject): unknown {
  const { ending, description, notices } = end;
  return {
    ...end,
    ...(isObject(ending) && { ending: upgradeEnding(ending) }),
    ...(isObject(description) && { description: upgradeDescription(description) }),
    ...(Array.isArray(notices) && { notices: notices.map(upgradeNotice) }),
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

/** Notices were sentences. */
function upgradeNotice(notice: Json): unknown {
  return typeof notice === 'string' ? { kind: 'recorded', sentence: notice } : notice;
}
