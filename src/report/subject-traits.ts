/** How reports about gateways, clients and relays differ, in words and in kind, a row each. Nobody else asks for the subject. */
import { COMMAND } from '../contract/package-files.ts';
import type { Subject } from '../contract/contract.ts';

/** How the ids of cases start that judge drawn requests. */
export const DRAWN_CASES = 'explore/';

export interface SubjectTraits {
  readonly name: Subject | 'gateway';
  /** What one of its cases is called. */
  readonly caseWord: 'case' | 'scenario';
  /** The list of `wirecheck list` that has its cases. */
  readonly list: string;
  /** The command that checks one. */
  readonly command: string;
  /** It sends the requests: the answers are ours, so they say nothing about it. */
  readonly isCaller: boolean;
  /** Its requests come from a plan, so that each has a cost and can be sent again. Unknown fields are tried on it. */
  readonly isPlanned: boolean;
  /** It is between a client and an upstream of ours, so a case has two ends. */
  readonly hasUpstream: boolean;
  /** What stands in place of a cost where nothing is charged. `requests`: `12 requests`. */
  readonly cost?: (requests: string) => Readonly<Record<'label' | 'text', string>>;
}

const USUAL = { caseWord: 'case', isCaller: false, isPlanned: false, hasUpstream: false } as const;

export const SUBJECT_TRAITS: Readonly<Record<SubjectTraits['name'], SubjectTraits>> = {
  gateway: { ...USUAL, name: 'gateway', list: 'cases', command: 'run', isPlanned: true },
  client: {
    ...USUAL,
    name: 'client',
    caseWord: 'scenario',
    list: 'scenarios',
    command: 'client',
    isCaller: true,
    cost: (requests) => ({ label: 'Received', text: requests }),
  },
  relay: {
    ...USUAL,
    name: 'relay',
    list: 'relay-cases',
    command: 'relay',
    hasUpstream: true,
    cost: (requests) => ({ label: 'Cost', text: `${requests} to the gateway; the scripted upstream calls no model` }),
  },
  load: { ...USUAL, name: 'load', list: 'load-cases', command: 'load' },
};

interface AnyReport {
  readonly subject?: Subject;
  readonly target?: { readonly upstream?: unknown };
}

/** A gateway under load may have an upstream of ours behind it. */
export function traitsOf({ subject, target }: AnyReport): SubjectTraits {
  const traits = SUBJECT_TRAITS[subject ?? 'gateway'];
  const { cost } = SUBJECT_TRAITS.relay;
  return subject === 'load' && target?.upstream !== undefined && cost ? { ...traits, cost } : traits;
}

/** The ids of a client's or a relay's cases start with its name, and those of an exploration with its command. */
export function listWithCase(id: string): string {
  if (id.startsWith(DRAWN_CASES)) return `\`${COMMAND} list explore-cases\``;
  const own = Object.values(SUBJECT_TRAITS).find(({ name }) => id.startsWith(`${name}/`));
  return `\`${COMMAND} list ${(own ?? SUBJECT_TRAITS.gateway).list}\``;
}
