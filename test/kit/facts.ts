/** One reason, expectation, actual and observed fact of each kind, with every optional part filled in. */
import type { DescriptionProblem } from '../../src/exchange/openapi/description-problem.ts';
import type { Quote } from '../../src/text/quote.ts';
import type { Actual } from '../../src/verdict/actual.ts';
import type { Expected } from '../../src/verdict/expected.ts';
import type { ObservedFact } from '../../src/verdict/observation.ts';
import type { OfKind, Reason } from '../../src/verdict/reason.ts';

/** The compiler asks for a kind here as soon as the union has it. */
type OneOfEach<Union extends { readonly kind: string }> = {
  readonly [Kind in Union['kind']]: Required<Omit<OfKind<Union, Kind>, 'kind'>>;
};

const quote: Quote = { quote: 'said', length: 400, isCut: true };
const answer = { status: 503, code: quote, message: quote };
const failure = { failure: 'timeout', code: 'X', limit: 'idle-timeout' } as const;

const PROBLEM_PARTS: OneOfEach<DescriptionProblem> = {
  'no-answer': { failure: 'refused' },
  status: { status: 302 },
  limit: { limit: 'max-body' },
  'not-json': { detail: quote },
  'not-json-or-yaml': { detail: quote },
  'too-deep': { levels: 200 },
  recorded: { sentence: quote },
  cut: {},
  undecodable: {},
  aborted: {},
  'too-costly-yaml': {},
  'long-aliases': {},
  'not-an-object': {},
  empty: {},
  'not-utf8': {},
  'too-many-values': {},
};

const REASON_PARTS: OneOfEach<Reason> = {
  needs: { settings: ['restricted-key', 'forbidden-model'] },
  'not-recorded': {},
  'run-ended': { ending: { kind: 'budget', setting: 'max-time' } },
  'no-occasion': { of: 'error' },
  'see-clause': { because: 'status', clause: 'stream.answers', answer },
  'recording-gap': { gap: 'control' },
  'no-answer': failure,
  'nothing-to-judge': {},
  'not-200': {},
  'not-json': {},
  'no-list': {},
  'basis-unanswered': { answer },
  'control-unanswered': { answer },
  'status-stayed': { answer },
  'status-unrelated': { answer },
  'key-unclear': { answer },
  'wait-too-long': {},
  'over-limit': { what: 'stream', limit: 'max-stream' },
  'not-read': { what: 'body' },
  'event-not-read': {},
  'key-unanswered': { status: 500 },
  'no-key': {},
  'key-used-up': {},
  'key-not-used-up': {},
  'api-silent': {},
  'list-not-requested': {},
  'no-model-called': {},
  'models-unclear': {},
  'no-known-shape': {},
  'no-model-list': {},
  'no-stream': {},
  'no-text': {},
  'no-stop': {},
  'control-without-text': {},
  'no-refusal-time': {},
  'no-second-stream': {},
  'second-stream-unanswered': {},
  'checker-late': { lateness: 81.4 },
  'description-not-read': {},
  'no-operations': {},
  'description-unavailable': {
    source: 'https://gateway.example/openapi.json',
    problem: { kind: 'not-json', detail: quote },
  },
  'no-json-schema': { bodies: ['the 200 of GET /models'] },
  'reference-not-followed': { first: quote, more: 2 },
};

const violation = {
  pointer: '/temperature',
  mismatch: 'range',
  expected: { kind: 'range', minimum: 0, maximum: 2 },
  actualType: 'number',
  value: 2.1,
} as const;

const EXPECTED_PARTS: OneOfEach<Expected> = {
  type: { types: ['string', 'null'] },
  'one-of': { values: ['user', 'system'] },
  constant: { value: 'list' },
  'not-empty': {},
  range: { minimum: 0, maximum: 2 },
  status: { status: 200 },
  success: { condition: 'no-error' },
  refusal: { violation },
  'media-type': { type: 'application/json' },
  'token-sum': { sum: 12 },
  'token-limit': { tokens: 1 },
  prefix: { prefix: 'sk-service-' },
  operation: { method: 'get', path: '/models', id: 'listModels' },
  'bearer-on': { operation: 'listModels' },
  'required-fields': { fields: ['model', 'messages'] },
  'no-other-required-fields': { fields: ['model', 'messages'] },
  'all-values': { values: ['user', null] },
  'any-of-values': { values: ['list', 1] },
  'every-value': { types: ['integer'] },
  'no-server-error': {},
  http: {},
  'version-segment': {},
  json: {},
  'json-object': {},
  'error-body': {},
  'no-error': {},
  'no-error-in-choice': {},
  'choice-with-message': {},
  'unique-id': {},
  'unique-index': {},
  'single-choice-index': {},
  'permitted-models': {},
  'no-key': {},
  'event-stream': {},
  'json-or-done': {},
  'usual-event-name': {},
  'block-with-data': {},
  'no-comment-after-id': {},
  'line-feed': {},
  'one-data-line': {},
  'choice-chunk': {},
  'whole-stream': {},
  'text-as-without-stream': {},
  'text-as-generated': {},
  'new-text': {},
  'no-replacement-character': {},
  'first-id': {},
  'role-first': {},
  'role-later': {},
  'finish-pending': {},
  'finish-type': {},
  'finish-not-empty': {},
  'finish-once': {},
  'finish-every-choice': {},
  'no-text-after-finish': {},
  done: {},
  'nothing-after-done': {},
  'bearer-scheme': {},
  'no-required-parameter': {},
  'open-object': {},
};

const ACTUAL_PARTS: OneOfEach<Actual> = {
  absent: {},
  'empty-body': {},
  'empty-data': {},
  'no-content-type': {},
  'no-path': {},
  'no-prefix': {},
  'bare-key-accepted': {},
  'choice-error': {},
  'no-text': {},
  'cut-off': {},
  'only-done': {},
  'held-open': {},
  closed: {},
  'lone-return': {},
  'no-operation': {},
  'no-scheme': {},
  'closed-object': {},
  value: { value: quote },
  type: { type: 'array' },
  status: { ...answer, model: quote },
  answer: { status: 200, body: { ...quote, unit: 'byte' } },
  body: { form: 'not-json', body: { ...quote, unit: 'byte' } },
  'no-body': { status: 401 },
  'hang-up': { times: 3 },
  failure: { code: 'HPE_INVALID_CONSTANT', detail: quote },
  'path-segment': { segment: 'api' },
  header: { name: 'Content-Type', value: 'text/html' },
  repeated: { value: quote, pointer: '/data/0/id', exchange: 'chat' },
  'token-counts': { total: 5, prompt: 3, completion: 1 },
  tokens: { tokens: 40, reasoning: 12 },
  characters: { characters: 400 },
  secret: { role: 'full', form: 'base64', place: 'header' },
  text: { text: quote },
  'repeated-text': { text: quote },
  changed: { value: quote, first: quote },
  'unfinished-choice': { choice: 1 },
  comments: { count: 2 },
  'named-events': { count: 2 },
  'other-events': { count: 2 },
  'data-lines': { count: 2 },
  stalled: { count: 2 },
  'at-once': { events: 9, within: 0.4, wait: 812.5 },
  operation: { method: 'post', path: quote },
  parameter: { name: quote, in: quote },
  'field-not-required': { field: 'model' },
  'field-required': { field: quote },
  types: { types: ['string', 'null'] },
  bound: { keyword: 'exclusiveMinimum', bound: 0 },
};

const FACT_PARTS: OneOfEach<ObservedFact> = {
  standard: { value: 'gzip' },
  header: { name: quote, value: '60' },
  refused: { status: 404, code: quote },
  answered: { status: 503, code: quote },
  status: { ...answer, location: quote },
  'no-answer': failure,
  redirect: { method: 'GET', path: '/models/', status: 308, location: quote },
  field: { place: 'completion /usage', name: quote },
  'another-model': { name: quote },
  step: { step: 'auth/missing-key[models]' },
  more: { count: 12 },
};

function withKinds(parts: Readonly<Record<string, object>>): readonly object[] {
  return Object.entries(parts).map(([kind, rest]) => ({ kind, ...rest }));
}

const problems = withKinds(PROBLEM_PARTS) as readonly DescriptionProblem[];
export const REASONS: readonly Reason[] = [
  ...(withKinds(REASON_PARTS) as readonly Reason[]),
  ...problems.map((problem) => ({ kind: 'description-unavailable' as const, source: 'openapi.json', problem })),
];
export const EXPECTATIONS = withKinds(EXPECTED_PARTS) as readonly Expected[];
export const ACTUALS = withKinds(ACTUAL_PARTS) as readonly Actual[];
export const OBSERVED_FACTS = withKinds(FACT_PARTS) as readonly ObservedFact[];
