/** Lines of version 1 of the recording format, as version 2 has them. Version 1 knew gateways only. */
import { isObject, type Json, type JsonObject } from '../json.ts';
import { quoteText } from '../text/quote.ts';
import { RECORDING_VERSION } from './recording.ts';

export function upgradeLine(line: unknown): unknown {
  if (!isObject(line)) return line;
  if (line['kind'] === 'start') return { ...line, version: RECORDING_VERSION };
  return line['kind'] === 'end' ? upgradeEnd(line) : line;
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
