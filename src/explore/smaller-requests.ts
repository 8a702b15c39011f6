/** Smaller forms of one request, from the boldest to the most careful. */
import type { Contract } from '../contract/contract.ts';
import { type Json, type JsonObject, pointerTokens } from '../json.ts';
import { classify, violationsIn, type Standing } from './classify.ts';
import { type DrawnRequest, isStreamed, messagesIn, plainly, withBody, without } from './drawn-request.ts';
import { bodyOfMistake, mendRequest, withMistake } from './mistakes.ts';
import { fieldsOf, requestSchema } from './request-schema.ts';
import { smallerMessages, USUAL_MESSAGE } from './smaller-messages.ts';
import { simplerJson, simplerNumbers, type SmallerValue } from './smaller-values.ts';

export const USUAL_TOKENS = '${replyTokens}';

/**
 * Those of the same kind: a smaller form of an invalid request breaks the same rule. Before them comes the request without
 * its violation, which may not be what makes it fail.
 */
export function smallerRequests(request: DrawnRequest, contract: Contract): readonly SmallerValue<DrawnRequest>[] {
  const standing = classify(request, contract);
  const alike = formsOf(request, contract).filter(({ value }) => isLike(classify(value, contract), standing));
  if (standing.kind !== 'invalid') return alike;
  const { mended } = mendRequest(request, contract);
  return isClear(mended, contract) ? [{ way: 'mended', value: mended }, ...alike] : alike;
}

function isClear(request: DrawnRequest, contract: Contract): boolean {
  const { kind } = classify(request, contract);
  return kind !== 'invalid' && kind !== 'unclear';
}

/** Of a request before the one that fails: any will do that is as clear. */
export function smallerEarlier(request: DrawnRequest, contract: Contract): readonly SmallerValue<DrawnRequest>[] {
  return formsOf(request, contract).filter(({ value }) => classify(value, contract).kind !== 'unclear');
}

export function isLike(form: Standing, standing: Standing): boolean {
  if (standing.kind === 'invalid') return form.kind === 'invalid' && form.clause === standing.clause;
  if (standing.kind === 'tolerant') return form.kind === 'tolerant' || form.kind === 'valid';
  if (standing.kind === 'open') return form.kind !== 'invalid' && form.kind !== 'unclear';
  return form.kind === standing.kind;
}

/** The control, as a stream if the request is one. */
export function usualRequest({ body }: DrawnRequest, contract: Contract): DrawnRequest {
  const kept = keepFields(body, addedNames(contract));
  return plainly({
    model: '${model}',
    messages: [USUAL_MESSAGE],
    max_tokens: USUAL_TOKENS,
    ...kept,
    ...(body['stream'] === true && { stream: true }),
  });
}

/** The same with nothing but its violation. */
export function barest(request: DrawnRequest, contract: Contract): DrawnRequest {
  const standing = classify(request, contract);
  const usual = usualRequest(request, contract);
  if (request.raw !== undefined) return withMistake(request, usual.body);
  const forms = [usual, withFields(request, contract), keptMessages(request, contract)];
  return forms.find((form) => isLike(classify(form, contract), standing)) ?? request;
}

/** The usual request with the field that is wrong, or without the one that is missing. */
function withFields({ body, ...request }: DrawnRequest, contract: Contract): DrawnRequest {
  const usual = usualRequest({ body, ...request }, contract).body;
  const [field = ''] = wrongPlace(body, contract);
  return plainly(field in body ? { ...usual, ...keepFields(body, [field]) } : without(usual, field));
}

/** Nothing but the messages. */
function keptMessages(request: DrawnRequest, contract: Contract): DrawnRequest {
  const usual = usualRequest(request, contract).body;
  const messages = messagesIn(request);
  const [field, index] = wrongPlace(request.body, contract);
  const wrong = field === 'messages' ? messages[Number(index)] : undefined;
  return plainly({ ...usual, messages: wrong ? [wrong] : messages });
}

function wrongPlace(body: JsonObject, contract: Contract): readonly string[] {
  const [issue] = violationsIn(body, contract);
  return pointerTokens(issue?.pointer ?? '');
}

function keepFields(body: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([name]) => names.includes(name)));
}

function addedNames({ rules }: Contract): readonly string[] {
  return Object.keys(rules.added).map((pointer) => pointer.split('/')[1] ?? '');
}

function formsOf(request: DrawnRequest, contract: Contract): readonly SmallerValue<DrawnRequest>[] {
  if (request.raw !== undefined) {
    const inside = formsOf(bodyOfMistake(request), contract);
    return inside.map(({ way, value }) => ({ way, value: withMistake(request, value.body) }));
  }
  const { body, written, spellings } = request;
  const messages = messagesIn(request);
  const usual = usualRequest(request, contract).body;
  const [wrong = ''] = wrongPlace(body, contract);
  const withMessages = (list: readonly JsonObject[]): DrawnRequest => withBody(request, { ...body, messages: list });
  const isPlain = spellings.length === 0 && Object.keys(written).length === 0;
  return [
    ...(isPlain ? [] : [{ way: 'spelling', value: { ...request, written: {}, spellings: [] } }]),
    { way: 'barest', value: barest(request, contract) },
    { way: 'no fields', value: withBody(request, { ...usual, ...keepFields(body, [wrong, 'messages']) }) },
    { way: 'usual messages', value: withMessages([USUAL_MESSAGE]) },
    ...fieldsLess(request, contract),
    ...(messages.length > 0 ? smallerMessages(messages) : []).map(({ way, value }) => ({
      way: `messages ${way}`,
      value: withMessages(value),
    })),
    ...spellings.map((spelling) => ({
      way: spelling,
      value: { ...request, spellings: spellings.filter((other) => other !== spelling) },
    })),
    ...Object.entries(written).flatMap(([name, text]) => plainerNumber(request, name, text)),
    ...simplerFields(request, contract),
  ];
}

/** Without an optional field. The limit of tokens stays, since somebody pays for the reply. */
function fieldsLess(request: DrawnRequest, contract: Contract): readonly SmallerValue<DrawnRequest>[] {
  const { body } = request;
  const kept = ['model', 'messages', ...addedNames(contract), ...(requestSchema(contract).required ?? [])];
  return Object.keys(body)
    .filter((name) => !kept.includes(name))
    .map((name) => ({
      way: `no ${name}`,
      value: withBody(request, name === 'max_tokens' ? { ...body, [name]: USUAL_TOKENS } : without(body, name)),
    }));
}

/** Written as usual, or 1 written in the same way. */
function plainerNumber(request: DrawnRequest, name: string, text: string): readonly SmallerValue<DrawnRequest>[] {
  const { body, written } = request;
  const others = Object.fromEntries(Object.entries(written).filter(([other]) => other !== name));
  const simplest = { body: { ...body, [name]: 1 }, written: { ...others, [name]: /e/i.test(text) ? '1e0' : '1.0' } };
  return [
    { way: `written ${name}`, value: { ...request, written: others } },
    ...(written[name] === simplest.written[name]
      ? []
      : [{ way: `written one ${name}`, value: { ...request, ...simplest } }]),
  ];
}

/** Simpler numbers in known fields, and less inside of unknown ones. */
function simplerFields(request: DrawnRequest, contract: Contract): readonly SmallerValue<DrawnRequest>[] {
  const { body, written } = request;
  const known = fieldsOf(contract);
  const simpler = (name: string, value: Json): readonly SmallerValue<Json>[] => {
    if (!known.has(name)) return simplerJson(value);
    if (typeof value !== 'number' || name in written) return [];
    return simplerNumbers(value, contract.rules.limits[name] ?? {}, known.get(name)?.type === 'integer');
  };
  return Object.entries(body).flatMap(([name, member]) =>
    simpler(name, member).map(({ way, value }) => ({
      way: `${name} ${way}`,
      value: withBody(request, { ...body, [name]: value }),
    })),
  );
}

/** Steps between whole numbers, the boldest first. */
const STEPS = [2048, 1024, 512, 256, 128, 64, 32, 16, 8, 4, 2, 1];

/** The same with a larger whole number. */
export function largerNumbers(request: DrawnRequest, contract: Contract): readonly SmallerValue<DrawnRequest>[] {
  const { body, written, raw } = request;
  const standing = classify(request, contract);
  const known = fieldsOf(contract);
  if (raw !== undefined || standing.kind === 'invalid') return [];
  return Object.entries(body)
    .flatMap(([name, value]) =>
      typeof value === 'number' && known.get(name)?.type === 'integer' && !(name in written)
        ? STEPS.map((step) => ({
            way: `${name} ${step} more`,
            value: withBody(request, { ...body, [name]: value + step }),
          }))
        : [],
    )
    .filter(({ value }) => isLike(classify(value, contract), standing));
}

/** Whether it is the control, which was answered. */
export function isControl(request: DrawnRequest, contract: Contract): boolean {
  const usual = usualRequest(request, contract);
  return !isStreamed(request) && JSON.stringify(usual) === JSON.stringify(request);
}
