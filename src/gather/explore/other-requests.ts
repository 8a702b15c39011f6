/** Requests with unknown fields, requests that the contract does not promise to take, and requests with one violation. */
import fc from 'fast-check';
import type { Contract, JsonSchema } from '../../contract/contract.ts';
import { loadContract } from '../../contract/load-contract.ts';
import type { Json, JsonObject } from '../../json.ts';
import { type DrawnRequest, fieldsOf, messagesIn, requestSchema, resolve, withBody, without } from './drawn-request.ts';
import { makeMistake, MOST_MISTAKES } from './violations.ts';
import { integerBeyond, MOST_TOKENS, numberBeyond } from './valid-requests.ts';
import { isWellFormed, openText } from './texts.ts';
import { unknownName, unknownValue } from './unknown-fields.ts';

/** Unknown fields are at the top, in messages, or both; up to three. */
export function tolerantRequest(valid: fc.Arbitrary<DrawnRequest>): fc.Arbitrary<DrawnRequest> {
  const field = fc.tuple(unknownName, unknownValue, fc.nat(1000));
  return fc
    .tuple(valid, fc.array(field, { minLength: 1, maxLength: 3 }))
    .map(([request, fields]) => fields.reduce(withUnknown, request));
}

function withUnknown(request: DrawnRequest, [name, value, place]: readonly [string, Json, number]): DrawnRequest {
  // Before all others, after them, or in a message.
  if (place % 6 === 0) return withBody(request, { [name]: value, ...request.body });
  if (place % 2 === 0) return withBody(request, { ...request.body, [name]: value });
  const messages = messagesIn(request);
  const index = (place >> 1) % messages.length;
  return withMessages(
    request,
    messages.map((message, at) => (at === index ? { ...message, [name]: value } : message)),
  );
}

function withMessages(request: DrawnRequest, messages: readonly JsonObject[]): DrawnRequest {
  return withBody(request, { ...request.body, messages });
}

/** Bytes of a large body, and the most messages. */
const LARGE = { min: 2_500, max: 20_000 };
const MANY = { min: 51, max: 120 };

export function openRequest(valid: fc.Arbitrary<DrawnRequest>, contract: Contract): fc.Arbitrary<DrawnRequest> {
  const required = requestSchema(contract).required ?? [];
  const optional = [...fieldsOf(contract).keys()].filter((field) => !required.includes(field));
  const withText = fc.tuple(valid, openText, fc.nat(1000)).map(([request, text, place]) => {
    const messages = messagesIn(request);
    const index = place % messages.length;
    // A model that repeats half a character would break its own stream.
    const whole = isWellFormed(text) ? request : withBody(request, without(request.body, 'stream'));
    return withMessages(
      whole,
      messages.map((message, at) => (at === index ? { ...message, content: text } : message)),
    );
  });
  return fc.oneof(
    { weight: 4, arbitrary: withText },
    { weight: 1, arbitrary: valid.map((request) => withMessages(request, [])) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(valid, fc.constantFrom(...optional))
        .map(([request, field]) => withBody(request, { ...without(request.body, field), [field]: null })),
    },
    { weight: 1, arbitrary: fc.tuple(valid, fc.integer(MANY)).map(([request, count]) => withMany(request, count)) },
    { weight: 2, arbitrary: fc.tuple(valid, fc.integer(LARGE)).map(([request, size]) => withLarge(request, size)) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(valid, fc.constantFrom(MOST_TOKENS + 1, 8192, 65_536, 2_147_483_648))
        .map(([request, tokens]) => withBody(request, { ...request.body, max_tokens: tokens })),
    },
  );
}

function withMany(request: DrawnRequest, count: number): DrawnRequest {
  const messages = Array.from({ length: count }, (_, index) => ({ role: 'user', content: `Line ${index}.` }));
  return withMessages(request, messages);
}

function withLarge(request: DrawnRequest, size: number): DrawnRequest {
  const content = 'The sea is wide. '.repeat(size).slice(0, size - 300);
  return withMessages(request, [{ role: 'user', content }, ...messagesIn(request).slice(0, 1)]);
}

/** A valid request with exactly one violation that is a must. */
export function invalidRequest(proper: fc.Arbitrary<DrawnRequest>, contract: Contract): fc.Arbitrary<DrawnRequest> {
  const valid = fc.oneof({ weight: 7, arbitrary: proper }, { weight: 1, arbitrary: tolerantRequest(proper) });
  const limits = [...fieldsOf(contract)].flatMap(([field, schema]) => beyond(field, schema, contract));
  const setting = limits.map((value) => ({
    weight: 4,
    arbitrary: fc.tuple(valid, value).map(([request, members]) => {
      const rest = Object.keys(members).reduce(without, request.body);
      return withBody({ ...request, written: {} }, { ...rest, ...members });
    }),
  }));
  const required = requestSchema(contract).required ?? [];
  return fc.oneof(
    ...setting,
    ...required.map((field) => ({
      weight: 2,
      arbitrary: valid.map((request) => withBody(request, without(request.body, field))),
    })),
    { weight: 6, arbitrary: missingInMessage(valid, contract) },
    {
      weight: 4,
      arbitrary: fc.tuple(valid, fc.nat(MOST_MISTAKES - 1)).map(([request, way]) => makeMistake(request, way)),
    },
  );
}

/** Values beyond the edges of a field, each as the field with its value. */
function beyond(field: string, schema: JsonSchema, contract: Contract): readonly fc.Arbitrary<JsonObject>[] {
  const limits = contract.rules.limits[field];
  const usual = loadContract().rules.limits[field];
  const beyondEdge = (edge: number | undefined, sign: 1 | -1, isOwn: boolean) =>
    edge === undefined ? [] : [schema.type === 'integer' ? integerBeyond(edge, sign) : numberBeyond(edge, sign, isOwn)];
  return [
    ...beyondEdge(limits?.minimum, -1, limits?.minimum !== usual?.minimum),
    ...beyondEdge(limits?.maximum, 1, limits?.maximum !== usual?.maximum),
  ].map((value) => value.map((drawn) => ({ [field]: drawn })));
}

function missingInMessage(valid: fc.Arbitrary<DrawnRequest>, contract: Contract): fc.Arbitrary<DrawnRequest> {
  const items = fieldsOf(contract).get('messages')?.items ?? {};
  const { required = [] } = resolve(items, contract);
  return fc.tuple(valid, fc.constantFrom(...required), fc.nat(1000)).map(([request, field, place]) => {
    const messages = messagesIn(request);
    const index = place % messages.length;
    return withMessages(
      request,
      messages.map((message, at) => (at === index ? without(message, field) : message)),
    );
  });
}
