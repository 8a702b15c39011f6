/** Writes findings as cases of a suite, so that they stay: `wirecheck run --suite FILE` sends them again. */
import { packageVersion } from '../contract/package-files.ts';
import { contractOf } from '../contract/profile/apply-profile.ts';
import type { Contract } from '../contract/contract.ts';
import { type Json, type JsonObject, pointerTokens } from '../json.ts';
import type { Settings } from '../settings.ts';
import { classify } from './classify.ts';
import { type DrawnRequest, isStreamed, messagesIn, withBody, without } from './drawn-request.ts';
import type { Cause } from './cause.ts';
import { formatPath } from './path.ts';

/** YAML takes JSON, and JSON needs no rules for quotes. */
export function formatSuite(causes: readonly Cause[], settings: Settings): string {
  const contract = contractOf(settings);
  const cases = causes.flatMap((cause, index) => casesFor(cause, index + 1, contract));
  const command = settings.explore?.upstreamUrl === undefined ? 'wirecheck explore' : 'wirecheck relay --explore';
  const others = causes.flatMap((cause) => {
    const why = whyNoCase(cause);
    const { draw, kept, path } = cause;
    return why === undefined
      ? []
      : [`# ${why}: ${command} --seed ${settings.seed} --path ${formatPath(draw, kept, path)}`];
  });
  return [
    `# Found by ${command} of version ${packageVersion()}, seed ${settings.seed}.`,
    ...others,
    'suite: found',
    'title: Requests found by exploring',
    cases.length === 0 ? 'cases: []' : 'cases:',
    ...cases.flatMap((entry) =>
      Object.entries(entry).map(
        ([name, value], place) => `  ${place === 0 ? '-' : ' '} ${name}: ${JSON.stringify(value)}`,
      ),
    ),
    '',
  ].join('\n');
}

/** A run sends one request on a connection, and sees one end of a gateway. */
function whyNoCase({ smallest, symptoms: [{ clause }] }: Cause): string | undefined {
  if (clause.startsWith('relay.')) return 'What reaches the upstream is no case';
  return smallest.requests.length > 1 ? 'A sequence is no case' : undefined;
}

type Entry = Readonly<Record<string, Json>>;

/** A request that is to be refused is one edit of a request that is answered: that is a case of its own. */
function casesFor(cause: Cause, number: number, contract: Contract): readonly Entry[] {
  const [request] = cause.smallest.requests;
  if (!request || whyNoCase(cause) !== undefined) return [];
  const topical = cause.symptoms.filter(({ isOfTopic }) => isOfTopic).map(({ clause, check }) => ({ clause, check }));
  const answer = { clause: answerClause(request), check: 'answered' };
  const base = isStreamed(request) ? 'chat-stream' : 'chat';
  const head = { id: `request-${number}`, title: titleOf(cause) };
  const { kind } = classify(request, contract);
  if (kind === 'valid' || kind === 'tolerant') {
    const expect = topical.length > 0 ? topical : [answer];
    return [{ ...head, request: base, ...editsOf(request, base), expect }];
  }
  if (request.raw !== undefined) return [{ ...head, control: base, raw: request.raw, expect: topical }];
  const { mended, edit } = mend(request, contract);
  const edits = editsOf(mended, base);
  if (Object.keys(edits).length === 0) return [{ ...head, control: base, ...edit, expect: topical }];
  const control = { id: `request-${number}-control`, title: 'The same request without its violation is answered' };
  return [
    { ...control, request: base, ...edits, expect: [answer] },
    { ...head, control: `found/${control.id}`, ...edit, expect: topical },
  ];
}

/** The request without its violation, and the edit that brings it back. */
function mend(request: DrawnRequest, contract: Contract): { readonly mended: DrawnRequest; readonly edit: JsonObject } {
  const { body } = request;
  const [issue] = contract.validate('v1/chat-completion-request', body);
  const pointer = issue?.pointer ?? '';
  const [field = '', index = '', member = ''] = pointerTokens(pointer);
  if (issue?.mismatch !== 'absent') {
    return { mended: withBody(request, without(body, field)), edit: { set: { [pointer]: body[field] ?? null } } };
  }
  if (member === '') return { mended: withBody(request, { ...body, ...USUAL[field] }), edit: { remove: pointer } };
  const messages = messagesIn(request).map((message, at) =>
    String(at) === index ? { ...USUAL_MESSAGE, ...message } : message,
  );
  return { mended: withBody(request, { ...body, messages }), edit: { remove: pointer } };
}

const USUAL_MESSAGE = { role: 'user', content: 'Say hello.' };
const USUAL: Readonly<Record<string, JsonObject>> = {
  model: { model: '${model}' },
  messages: { messages: [USUAL_MESSAGE] },
};

/** What only other cases judge shows in any run that sends the request. */
function answerClause(request: DrawnRequest): string {
  return isStreamed(request) ? 'stream.answers' : 'endpoint.chat-answers';
}

function titleOf({ difference, symptoms: [{ clause }] }: Cause): string {
  const places = difference.map(({ pointer }) => pointer).join(' and ');
  return places === '' ? `A drawn request keeps ${clause}` : `A request that differs in ${places} keeps ${clause}`;
}

/** Against the base request, which has a model, a message and a limit of tokens. */
function editsOf({ body, written, spellings, raw }: DrawnRequest, base: string): JsonObject {
  if (raw !== undefined) return { raw };
  const own = Object.entries(body).filter(
    ([name, value]) =>
      name !== 'model' && !(name === 'stream' && base === 'chat-stream') && !(name in written) && !isUsual(name, value),
  );
  const removed = ['model', 'messages'].find((name) => !(name in body));
  const set = Object.fromEntries(own.map(([name, value]) => [`/${name}`, value]));
  const numbers = Object.fromEntries(Object.entries(written).map(([name, text]) => [`/${name}`, text]));
  return {
    ...(Object.keys(set).length > 0 && { set }),
    ...(removed !== undefined && { remove: `/${removed}` }),
    ...(Object.keys(numbers).length > 0 && { rawNumber: numbers }),
    ...(spellings.length > 0 && { spelling: spellings }),
  };
}

function isUsual(name: string, value: Json): boolean {
  return name === 'max_tokens' && typeof value === 'string';
}
