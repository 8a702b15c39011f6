/** Requests that every exploration begins with, whatever its seed: what real servers were seen to answer with 500. */
import type { Contract } from '../../contract/contract.ts';
import { isObject, type Json } from '../../json.ts';
import { loadRequests } from '../../suite/read-suites.ts';
import { classify } from './classify.ts';
import { plainly, withBody } from './change-request.ts';
import { type DrawnRequest, FORM_MISTAKE } from './drawn-request.ts';
import { addedIn } from './request-schema.ts';
import { UNKNOWN_PREFIX } from './requests.ts';
import { USUAL_MESSAGE, USUAL_TOKENS } from './simpler.ts';

/** Some parsers of JSON give up at 64. */
const DEPTH = 40;
const nested = (wrap: (inner: Json) => Json): Json => Array.from({ length: DEPTH }).reduce<Json>(wrap, 1);
const DEEP = `${UNKNOWN_PREFIX}deep`;
const DEEP_OBJECT = { [DEEP]: nested((a) => ({ a })) };

const says = (content: string) => ({ messages: [{ ...USUAL_MESSAGE, content }] });
const WITH_NULL = { messages: [USUAL_MESSAGE, null] };
const STREAM = { stream: true };

/** Those that have to be refused come first: they are sent however few completions are allowed. */
const FIXED: readonly DrawnRequest['body'][] = [
  WITH_NULL,
  { ...WITH_NULL, ...STREAM },
  // Half a character. A model that repeats it would break its own stream.
  says('\uD800'),
  says('a\u0000b'),
  { ...says('a\u0000b'), ...STREAM },
  says('\u0001\b\u000B\u001B[31m\u007F\u0085'),
  says(''),
  { ...says(''), ...STREAM },
  { max_tokens: 2 ** 31 },
  { max_tokens: 2 ** 31, ...STREAM },
  { max_tokens: 2 ** 63 },
  DEEP_OBJECT,
  { ...DEEP_OBJECT, ...STREAM },
  { messages: [{ ...USUAL_MESSAGE, [DEEP]: nested((inner) => [inner]) }] },
];

/** A request that a contract says nothing about is left out. */
export function fixedRequests(contract: Contract): readonly DrawnRequest[] {
  const { body } = loadRequests(contract).get('chat') ?? {};
  const added = isObject(body) ? addedIn(body, contract) : {};
  const usual = plainly({ model: '${model}', messages: [USUAL_MESSAGE], max_tokens: USUAL_TOKENS, ...added });
  const others = FIXED.map((own) => withBody(usual, { ...usual.body, ...own }));
  const isClear = (request: DrawnRequest): boolean => classify(request, contract).kind !== 'unclear';
  return [{ ...usual, mistake: FORM_MISTAKE }, ...others].filter(isClear);
}
