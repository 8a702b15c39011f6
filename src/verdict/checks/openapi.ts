import type { Check } from '../check.ts';
import { compareOperations } from '../openapi/agreement.ts';
import {
  bearerContradictions,
  interfaceVersionContradictions,
  operationContradictions,
  versionContradictions,
} from '../openapi/basics.ts';
import { type Contradiction, findingsOf } from '../openapi/contradiction.ts';
import { DescriptionReader } from '../openapi/reader.ts';
import { quoteText } from '../../text/quote.ts';
import type { Reason } from '../reason.ts';
import type { CheckResult } from '../verdict.ts';
import { broken, HOLDS, inconclusive, skipped } from '../finding.ts';

type Judge = (reader: DescriptionReader) => readonly Contradiction[] | CheckResult;

/** By clause; a result says why there was nothing to judge. */
const JUDGES: Readonly<Record<string, Judge>> = {
  'openapi.version': versionContradictions,
  'openapi.interface-version': interfaceVersionContradictions,
  'openapi.operations': operationContradictions,
  'openapi.bearer': bearerContradictions,
  'openapi.agrees': (reader) => {
    const { contradictions, operations, uncompared } = compareOperations(reader);
    if (contradictions.length > 0) return contradictions;
    if (operations === 0) return skipped({ kind: 'no-operations' });
    if (uncompared.length === 0) return contradictions;
    return inconclusive({ kind: 'no-json-schema', bodies: uncompared });
  },
};

export const openapi: Check = {
  summary: 'The description that the deployment publishes says what the contract says.',
  needsNoExchange: true,
  execute: ({ clause, run }) => {
    const { description } = run.traffic;
    if (!description) return inconclusive({ kind: 'description-not-read' });
    if (description.kind === 'unavailable') {
      const { source, reason } = description;
      return inconclusive({ kind: 'description-unavailable', source, problem: reason });
    }
    const judge = JUDGES[clause];
    if (!judge) throw new Error(`A description says nothing about ${clause}.`);
    const reader = new DescriptionReader(description.value);
    const found = judge(reader);
    const whyLeft = reader.leftAlone.size === 0 ? undefined : notFollowed([...reader.leftAlone]);
    if ('kind' in found) return whyLeft === undefined ? found : skipped(whyLeft);
    // What may stand behind a reference is not missing.
    const certain = whyLeft === undefined ? found : found.filter(({ mismatch }) => mismatch !== 'absent');
    if (certain.length > 0) return broken(findingsOf(certain));
    return whyLeft === undefined ? HOLDS : skipped(whyLeft);
  },
};

function notFollowed([first = '', ...others]: readonly string[]): Reason {
  return { kind: 'reference-not-followed', first: quoteText(first), more: others.length };
}
