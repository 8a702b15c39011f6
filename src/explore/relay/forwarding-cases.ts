/** The cases that compare drawn requests with what reaches the upstream: each is a check of `wirecheck relay`. */
import type { ChosenContract } from '../../contract/profile/apply-profile.ts';
import type { JsonObject } from '../../json.ts';
import type { RELAY_CHECKS } from '../../relay/judge/judge-relay.ts';
import type { RelayCase } from '../../relay/relay-case.ts';
import { loadRelayContract } from '../../relay/load-relay-suite.ts';
import { DEFAULT_SCRIPT } from '../../relay/upstream-script.ts';

interface Forwarding {
  readonly label: string;
  readonly title: string;
  readonly clause: string;
  readonly check: keyof typeof RELAY_CHECKS;
  /** Whether a request with this body can show it. Default: any. */
  readonly shows?: (body: JsonObject) => boolean;
}

const FORWARDED: readonly Forwarding[] = [
  {
    label: 'messages',
    title: 'The text of every drawn message reaches the upstream',
    clause: 'relay.messages',
    check: 'messages',
  },
  {
    label: 'message-list',
    title: 'Drawn messages are not added to, merged or reordered',
    clause: 'relay.message-list',
    check: 'message-list',
  },
  { label: 'roles', title: 'Drawn messages keep their roles', clause: 'relay.roles', check: 'roles' },
  {
    label: 'token-limit',
    title: 'A drawn token limit reaches the upstream, or a smaller one',
    clause: 'relay.token-limit',
    check: 'token-limit',
    shows: (body) => typeof body['max_tokens'] === 'number',
  },
  {
    label: 'sampling',
    title: 'Drawn values of temperature and top_p reach the upstream',
    clause: 'relay.sampling',
    check: 'sampling',
  },
  { label: 'model', title: 'A drawn request reaches the model it names', clause: 'relay.model', check: 'models' },
  { label: 'text', title: 'The reply to a drawn request is passed on', clause: 'relay.text', check: 'text' },
  {
    label: 'own-reply',
    title: 'The reply to a drawn request is its own',
    clause: 'relay.own-reply',
    check: 'own-reply',
  },
  {
    label: 'finish-reason',
    title: 'The finish_reason of a reply to a drawn request is passed on',
    clause: 'relay.finish-reason',
    check: 'finish-reason',
  },
  {
    label: 'usage',
    title: 'The token counts of a reply to a drawn request are passed on',
    clause: 'relay.usage',
    check: 'usage',
  },
];

const idOf = (label: string): string => `explore/forwarded[${label}]`;

/** Whether the case looks at what became of a request on its way. */
export function isForwarding({ case: id }: { readonly case: string }): boolean {
  return FORWARDED.some(({ label }) => idOf(label) === id);
}

const CASES: readonly RelayCase[] = FORWARDED.map(({ label, title, clause, check }) => ({
  id: idOf(label),
  suite: 'explore',
  title,
  source: { file: 'src/explore/relay/forwarding-cases.ts', line: 1 },
  expect: [{ clause, check, options: {} }],
  mode: 'plain',
  calls: 'one',
  messages: [],
  request: {},
  key: 'full',
  script: DEFAULT_SCRIPT,
}));

/** Those that this contract judges. */
export function forwardingCases(chosen: ChosenContract): readonly RelayCase[] {
  const contract = loadRelayContract(chosen);
  const isJudged = (clause: string): boolean => (contract.clause(clause)?.level ?? 'none') !== 'none';
  return CASES.filter(({ expect }) => expect.every(({ clause }) => isJudged(clause)));
}

/** Whether a request with this body shows what the case is about. */
export function canShow({ id }: Pick<RelayCase, 'id'>, body: JsonObject): boolean {
  const { shows } = FORWARDED.find(({ label }) => id === idOf(label)) ?? {};
  return shows?.(body) ?? true;
}
