import { type Check, textOption } from '../check.ts';
import {
  bearerContradictions,
  compareConstant,
  compareOperations,
  operationContradictions,
} from '../openapi/agreement.ts';
import type { Contradiction } from '../openapi/compare-schemas.ts';
import { DescriptionReader, member } from '../openapi/reader.ts';
import type { JsonObject } from '../../json.ts';
import { cutText, quoteText } from '../../text/quote.ts';
import type { Reason } from '../reason.ts';
import type { CheckResult, Finding } from '../verdict.ts';
import { mergeFindings } from '../finding.ts';
import { broken, HOLDS, inconclusive, skipped } from '../check-result.ts';

type Judge = (reader: DescriptionReader, contract: JsonObject) => readonly Contradiction[] | CheckResult;

/** A result says why there was nothing to judge. */
const PARTS: Readonly<Record<string, Judge>> = {
  version: ({ root }) => compareConstant(member(root, 'openapi'), '3.0.3'),
  'interface-version': ({ root }) => compareConstant(member(member(root, 'info'), 'version'), '1.0.0'),
  operations: operationContradictions,
  bearer: bearerContradictions,
  agreement: (reader, contract) => {
    const { contradictions, operations, uncompared } = compareOperations(reader, contract);
    if (contradictions.length > 0) return contradictions;
    if (operations === 0) return skipped({ kind: 'no-operations' });
    if (uncompared.length === 0) return contradictions;
    return inconclusive({ kind: 'no-json-schema', bodies: uncompared });
  },
};

export const openapi: Check = {
  summary: 'The published OpenAPI description agrees with the contract.',
  options: { part: { type: 'string', enum: Object.keys(PARTS), default: 'agreement' } },
  needsNoExchange: true,
  execute: ({ options, run }) => {
    const { description } = run.traffic;
    if (!description) return inconclusive({ kind: 'description-not-read' });
    if (description.kind === 'unavailable') {
      const { source, problem } = description;
      return inconclusive({ kind: 'description-unavailable', source, problem });
    }
    const part = textOption(options, 'part', 'agreement');
    const judge = PARTS[part];
    if (!judge) throw new Error(`A description has no part ${part}.`);
    const reader = new DescriptionReader(description.value);
    const found = judge(reader, run.contract.description);
    const whyLeft = reader.leftAlone.size === 0 ? undefined : notFollowed([...reader.leftAlone]);
    if ('kind' in found) return whyLeft === undefined ? found : skipped(whyLeft);
    // It may be behind an unresolved reference, so it does not count as missing.
    const certain = whyLeft === undefined ? found : found.filter(({ mismatch }) => mismatch !== 'absent');
    if (certain.length > 0) return broken(findingsOf(certain));
    return whyLeft === undefined ? HOLDS : skipped(whyLeft);
  },
};

function notFollowed([first = '', ...others]: readonly string[]): Reason {
  return { kind: 'reference-not-followed', first: quoteText(first), more: others.length };
}

/** Used as the exchange id in findings, since the description is not an exchange. */
const DESCRIPTION = 'openapi';
const MAX_FINDINGS = 50;
/** Characters. The document chooses the names in a pointer. */
const MAX_POINTER_LENGTH = 300;

/** A schema that is referenced several times is reported once. */
function findingsOf(contradictions: readonly Contradiction[]): readonly Finding[] {
  const once = new Map(contradictions.map((contradiction) => [JSON.stringify(contradiction), contradiction]));
  const findings = [...once.values()].map((contradiction) => ({
    ...contradiction,
    pointer: cutPointer(contradiction.pointer),
    exchange: DESCRIPTION,
    attempt: 0,
    more: 0,
  }));
  const merged = mergeFindings(findings, []);
  const listed = merged.slice(0, MAX_FINDINGS);
  const last = listed.pop();
  return last ? [...listed, { ...last, more: last.more + merged.length - listed.length - 1 }] : [];
}

/** Part of fingerprints: this form must not change. */
function cutPointer(pointer: string): string {
  const start = cutText(pointer, MAX_POINTER_LENGTH);
  return start === pointer ? pointer : `${start}… (${pointer.length} characters)`;
}

export const OPENAPI_CHECKS = {
  openapi,
} satisfies Record<string, Check>;
