/**
 * Simpler forms of a draw, as fast-check shrinks them: which parts are kept is a `subarray`, and how far a number is from
 * the usual one is an `integer`. The list depends on the draw alone, so that a path of places in it leads to the same
 * request again.
 */
import fc from 'fast-check';
import { insideOf } from './requests.ts';
import type { Contract, Range } from '../../contract/contract.ts';
import { isObject, type Json, type JsonObject, pointerTokens } from '../../json.ts';
import { classify, isLike, mendRequest, violationsIn } from './classify.ts';
import { allMessagesIn, type Draw, type DrawnRequest, isStreamed, messagesIn } from './drawn-request.ts';
import { addedFields, addedIn, fieldsOf } from './request-schema.ts';
import { plainly, withBody, withMessages, without } from './change-request.ts';

/** What the control says. */
export const USUAL_MESSAGE = { role: 'user', content: 'Say hello.' } as const;
export const USUAL_TOKENS = '${replyTokens}';
/** The usual limit, unless the user sets another. */
const FEW_TOKENS = 16;

type Requests = readonly DrawnRequest[];

/** Those of a sequence begin with its first requests, which are there for paths: none of them ends with the request that fails. */
export function* simplerForms({ number, path, requests }: Draw, contract: Contract): Generator<Draw> {
  const known = new Set([JSON.stringify(requests)]);
  const [only, ...more] = requests;
  if (only && more.length === 0) known.add(JSON.stringify([controlFor(only, contract)]));
  let place = 0;
  for (const form of formsOf(requests, contract)) {
    const text = JSON.stringify(form);
    if (known.has(text)) continue;
    known.add(text);
    yield { number, path: `${path}:${place}`, requests: form };
    place += 1;
  }
}

function* formsOf(requests: Requests, contract: Contract): Generator<Requests> {
  const [earlier, last] = [requests.slice(0, -1), requests.slice(-1)];
  for (const place of earlier.keys()) yield requests.slice(0, place + 1);
  if (earlier.length > 0) {
    const plain = [usualRequest, barest].map((make) => earlier.map((request) => make(request, contract)));
    for (const each of plain) yield [...each, ...last.map((request) => barest(request, contract))];
    for (const kept of keepSome(earlier)) yield [...kept, ...last];
    for (const each of plain) {
      for (const kept of keepSome([...earlier.keys()]))
        yield [...each.map((less, place) => (kept.includes(place) ? (earlier[place] ?? less) : less)), ...last];
    }
  }
  for (const request of last) for (const form of simplerRequests(request, contract)) yield [...earlier, form];
  for (const [place, request] of earlier.entries()) {
    for (const form of simplify(request, contract))
      if (classify(form, contract).kind !== 'unclear') yield requests.with(place, form);
  }
}

/**
 * Those of the same kind: a simpler form of an invalid request breaks the same rule. Before them comes nothing but its violation,
 * and the request without it, which may not be what makes it fail.
 */
function* simplerRequests(request: DrawnRequest, contract: Contract): Generator<DrawnRequest> {
  const requestClass = classify(request, contract);
  if (requestClass.kind === 'invalid') {
    yield barest(request, contract);
    const { mended } = mendRequest(request, contract);
    if (!['invalid', 'unclear'].includes(classify(mended, contract).kind)) yield mended;
  }
  for (const form of simplify(request, contract)) if (isLike(classify(form, contract), requestClass)) yield form;
}

/** Which parts are kept: none at first, then the last half, and in the end all but one. */
function* keepSome<Part>(parts: readonly Part[]): Generator<readonly Part[]> {
  for (const { value } of fc.subarray([...parts]).shrink([...parts], undefined)) yield value;
}

/** The target at first, then half of the way to it, and in the end one step. */
function* nearer(value: number, target: number): Generator<number> {
  const distance = Math.abs(value - target);
  for (const { value: less } of fc.integer({ min: 0, max: distance }).shrink(distance, undefined))
    yield target + Math.sign(value - target) * less;
}

/** The control, as a stream if the request is one. */
export function usualRequest(request: DrawnRequest, contract: Contract): DrawnRequest {
  const control = controlFor(request, contract);
  return isStreamed(request) ? withBody(control, { ...control.body, stream: true }) : control;
}

function controlFor({ body }: DrawnRequest, contract: Contract): DrawnRequest {
  const usual = { model: '${model}', messages: [USUAL_MESSAGE], max_tokens: USUAL_TOKENS };
  return plainly({ ...usual, ...addedIn(body, contract) });
}

/** The same with nothing but its violation. */
function barest(request: DrawnRequest, contract: Contract): DrawnRequest {
  const requestClass = classify(request, contract);
  for (let bare = request; ;) {
    const less = [...fewerParts(bare, contract)].find(
      (form) => isLike(classify(form, contract), requestClass) && JSON.stringify(form) !== JSON.stringify(bare),
    );
    if (!less) return bare;
    bare = less;
  }
}

/** Whether nothing but its violation is special about a request. */
export function isBarest(request: DrawnRequest, contract: Contract): boolean {
  return JSON.stringify(barest(request, contract)) === JSON.stringify(request);
}

function* simplify(request: DrawnRequest, contract: Contract): Generator<DrawnRequest> {
  yield* fewerParts(request, contract);
  if (isStreamed(request)) yield withBody(request, without(request.body, 'stream'));
  yield* simplerMembers(request, contract);
}

/** Leaves out some of what is written in another way, of its fields, its messages and what is special about them. */
function* fewerParts(request: DrawnRequest, contract: Contract): Generator<DrawnRequest> {
  const { body, written, spellings } = request;
  for (const kept of keepSome([...spellings, ...Object.keys(written)])) {
    const numbers = Object.entries(written).filter(([name]) => kept.includes(name));
    yield {
      ...request,
      spellings: spellings.filter((spelling) => kept.includes(spelling)),
      written: Object.fromEntries(numbers),
    };
  }
  const removable = removableFields(request, contract);
  for (const kept of keepSome(removable)) {
    const left = removable.filter((name) => !kept.includes(name));
    // The limit of tokens stays, since somebody pays for the reply.
    const tokens = left.includes('max_tokens') ? { max_tokens: USUAL_TOKENS } : {};
    yield withBody(request, { ...left.reduce(without<Json>, body), ...tokens });
  }
  for (const messages of fewerMessages(messagesIn(request))) yield withMessages(request, messages);
}

function removableFields({ body }: DrawnRequest, contract: Contract): readonly string[] {
  const [issue] = violationsIn(body, contract);
  const [wrong = ''] = pointerTokens(issue?.pointer ?? '');
  // What is null is no violation.
  const kept = [
    'model',
    'messages',
    ...(body[wrong] === null ? [] : [wrong]),
    ...contract.rules.required,
    ...addedFields(contract),
  ];
  const isUsual = (name: string): boolean => body[name] === USUAL_TOKENS || (name === 'stream' && body[name] === true);
  return Object.keys(body).filter((name) => !kept.includes(name) && !isUsual(name));
}

function* fewerMessages(messages: readonly JsonObject[]): Generator<readonly JsonObject[]> {
  yield [USUAL_MESSAGE];
  // Where their number is the reason, it is found sooner if they are alike.
  for (const name of ['content', 'role'] as const)
    yield messages.map((each) => (name in each ? { ...each, [name]: USUAL_MESSAGE[name] } : each));
  for (const kept of keepSome(messages)) if (kept.length > 0) yield kept;
  const places = [...messages.keys()];
  for (const name of ['content', 'role'] as const) {
    const special = places.filter((place) => (messages[place]?.[name] ?? USUAL_MESSAGE[name]) !== USUAL_MESSAGE[name]);
    for (const kept of keepSome(special)) {
      const isUsual = (place: number): boolean => special.includes(place) && !kept.includes(place);
      yield messages.map((each, place) => (isUsual(place) ? { ...each, [name]: USUAL_MESSAGE[name] } : each));
    }
  }
  const unknown = messages.flatMap((each, place) =>
    Object.keys(each).flatMap((name) => (name in USUAL_MESSAGE ? [] : [{ place, name }])),
  );
  for (const kept of keepSome(unknown)) {
    const left = unknown.filter((member) => !kept.includes(member));
    yield messages.map((each, at) =>
      left.flatMap(({ place, name }) => (place === at ? [name] : [])).reduce(without<Json>, each),
    );
  }
}

/** Shorter texts, less inside of unknown fields, and numbers nearer to the usual ones. */
function* simplerMembers(request: DrawnRequest, contract: Contract): Generator<DrawnRequest> {
  const { body, written } = request;
  const messages = messagesIn(request);
  for (const [place, message] of messages.entries()) {
    for (const [name, value] of Object.entries(message)) {
      if (name === 'role' || value === USUAL_MESSAGE.content) continue;
      for (const form of typeof value === 'string' && name === 'content' ? shorterTexts(value) : simplerJson(value))
        yield withBody(request, { ...body, messages: messages.with(place, { ...message, [name]: form }) });
    }
  }
  const known = fieldsOf(contract);
  for (const [name, value] of Object.entries(body)) {
    const isNumber = typeof value === 'number' && !(name in written);
    const forms = !known.has(name)
      ? simplerJson(value)
      : isNumber
        ? simplerNumbers(name, value, contract.rules.limits[name] ?? {}, known.get(name)?.type === 'integer')
        : [];
    for (const form of forms) yield withBody(request, { ...body, [name]: form });
  }
}

/** Parts that a text is cut into: each of a short text is a character. */
const MOST_PARTS = 16;
/** As long as the word that no other request has. */
const ANY_WORD = 'a'.repeat(10);

/** A text of which nothing but its length can be the reason. */
export const isRun = (text: string): boolean => /^a+$/.test(text);

/** Nothing of the text but its length. */
export const asRun = (text: string): string => 'a'.repeat(text.replaceAll('${word}', ANY_WORD).length);

function* shorterTexts(text: string): Generator<string> {
  const plain = text.replaceAll(/ ?\$\{word\} ?/g, '');
  if (plain !== text) {
    if (plain !== '') yield plain;
    yield text.replaceAll('${word}', 'a');
    // The word may be what makes it too long.
    if (plain.length > MOST_PARTS) yield asRun(text);
    return;
  }
  if (isRun(text)) {
    for (const length of nearer(text.length, 1)) yield 'a'.repeat(length);
    return;
  }
  if (text.length > MOST_PARTS) yield asRun(text);
  const points = Array.from(text);
  const size = Math.ceil(points.length / MOST_PARTS);
  const parts = points.flatMap((_, at) => (at % size === 0 ? [points.slice(at, at + size).join('')] : []));
  for (const count of nearer(parts.length, 0)) {
    // Nothing is no text.
    if (count > 0) yield* [parts.slice(-count).join(''), parts.slice(0, count).join('')];
  }
  if (parts.length > 2) yield* parts.map((_, at) => parts.toSpliced(at, 1).join(''));
  if (size === 1) for (const [at, point] of points.entries()) if (point !== 'a') yield points.with(at, 'a').join('');
}

/** Nothing, what is inside, and the same with one thing less inside: at first about half of it, and in the end nearly all. */
function* simplerJson(value: Json): Generator<Json> {
  const sizeOf = (form: Json): number => JSON.stringify(form).length;
  if (value !== 0) yield 0;
  const forms = [...insideOf(value), ...lessInside(value)]
    .filter((form) => sizeOf(form) < sizeOf(value))
    .toSorted((a, b) => sizeOf(a) - sizeOf(b));
  for (const place of nearer(forms.length, 0)) yield* forms.slice(place, place + 1);
  yield* forms;
}

function lessInside(value: Json): readonly Json[] {
  const simpler = (item: Json): readonly Json[] => [...insideOf(item), ...lessInside(item)];
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    return list.flatMap((item, index) => [
      list.toSpliced(index, 1),
      ...simpler(item).map((less) => list.with(index, less)),
    ]);
  }
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, item]) => [
    without(value, name),
    ...simpler(item).map((less) => ({ ...value, [name]: less })),
  ]);
}

/** Where numbers are nearest to what is usual: an edge for those beyond it. */
function targetOf(name: string, value: number, { minimum = 0, maximum = Infinity }: Range): number {
  if (value > maximum) return maximum;
  return name === 'max_tokens' && value >= minimum ? FEW_TOKENS : minimum;
}

/** Units of a decimal in which the nearest that still fails is sought within a range. */
const FINEST = 100;
const MOST_DECIMALS = 2;

/** Numbers with fewer decimals, then at a power of ten beyond the target, then as near to it as a unit. */
function* simplerNumbers(name: string, value: number, range: Range, isInteger: boolean): Generator<number> {
  const decimals = isInteger ? 0 : (/\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0);
  if (decimals > MOST_DECIMALS) {
    for (const fewer of nearer(decimals, 0)) yield Number(value.toFixed(fewer));
    return;
  }
  const target = targetOf(name, value, range);
  const distance = Math.abs(value - target);
  const isFar = distance > FINEST;
  if (isFar)
    for (const power of nearer(Math.ceil(Math.log10(distance)), 0))
      yield target + Math.sign(value - target) * 10 ** power;
  const isBeyond = target === range.maximum || value < target;
  const unit = isInteger || isBeyond || isFar ? 1 : FINEST;
  if (distance < Number.MAX_SAFE_INTEGER)
    for (const units of nearer(Math.round(value * unit), Math.round(target * unit))) yield units / unit;
}

/** Whether all of the form is in a larger one too: if that passed, so will the form, as far as one can tell. */
export function isWithin(form: Draw, larger: Draw, contract: Contract): boolean {
  return isPartOf(form.requests, larger.requests, (request, other) => isRequestWithin(request, other, contract));
}

/** Whether each of these is in one of the others, in the same order. */
function isPartOf<Part>(parts: readonly Part[], others: readonly Part[], isIn: (part: Part, other: Part) => boolean) {
  let from = 0;
  return parts.every((part) => {
    from = 1 + others.findIndex((other, place) => place >= from && isIn(part, other));
    return from > 0;
  });
}

function isRequestWithin(form: DrawnRequest, larger: DrawnRequest, contract: Contract): boolean {
  if ((form.mistake === undefined) !== (larger.mistake === undefined)) return false;
  const isKept = ([name, value]: readonly [string, Json]): boolean => {
    const other = larger.body[name];
    if (name === 'messages' || value === USUAL_TOKENS || isJsonWithin(value, other)) return true;
    return typeof value === 'number' && typeof other === 'number' && isBetween(name, value, other, contract);
  };
  return (
    form.spellings.every((spelling) => larger.spellings.includes(spelling)) &&
    Object.keys(form.written).every((name) => form.written[name] === larger.written[name]) &&
    Object.entries(form.body).every(isKept) &&
    contract.rules.required.every((name) => name in form.body === name in larger.body) &&
    isPartOf(allMessagesIn(form), allMessagesIn(larger), isMessageWithin)
  );
}

function isBetween(name: string, value: number, other: number, { rules }: Contract): boolean {
  const target = targetOf(name, other, rules.limits[name] ?? {});
  return (value - target) * (other - value) >= 0 && target === targetOf(name, value, rules.limits[name] ?? {});
}

/** Less may be in a list or an object. */
function isJsonWithin(form: Json, larger: Json | undefined): boolean {
  if (Array.isArray(form) && Array.isArray(larger))
    return isPartOf(form as readonly Json[], larger as readonly Json[], isJsonWithin);
  if (!isObject(form) || !isObject(larger)) return form === larger;
  return Object.entries(form).every(([name, value]) => isJsonWithin(value, larger[name]));
}

function isMessageWithin(form: Json, larger: Json): boolean {
  if (!isObject(form) || !isObject(larger)) return form === larger;
  const { role, content } = form;
  const isText = typeof content === 'string' && typeof larger['content'] === 'string';
  return (
    (role === larger['role'] || (role === USUAL_MESSAGE.role && 'role' in larger)) &&
    (isText
      ? content === USUAL_MESSAGE.content || isTextWithin(content, larger['content'] as string)
      : content === larger['content']) &&
    Object.keys(form).every((name) => name in USUAL_MESSAGE || isJsonWithin(form[name] ?? null, larger[name]))
  );
}

function isTextWithin(text: string, larger: string): boolean {
  return isRun(text) ? text.length <= larger.length : isPartOf(Array.from(text), Array.from(larger), Object.is);
}
