/** One call of a load, judged by itself. */
import type { LoadKind } from '../../src/report/load-report.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import { CallRegistry } from '../../src/gather/load/calls.ts';
import { type DoneCall, judgeCall } from '../../src/gather/load/judge-call.ts';
import { AnswerMemory } from '../../src/gather/load/send-call.ts';
import { createTallies, ListWatch } from '../../src/gather/load/tally.ts';
import { namedModels } from '../../src/gather/relay/named-models.ts';
import { DEFAULT_SETTINGS } from '../../src/settings.ts';
import { COMPLETION } from './exchanges.ts';

export const ERROR = { error: { message: 'm', type: 't', code: 'c' } };

export interface GivenCall {
  readonly kind?: LoadKind;
  readonly hasLeft?: boolean;
  readonly hasUpstream?: boolean;
  readonly allowsFailures?: boolean;
  readonly isFailingOver?: boolean;
}

export function judging(upstreamModel: readonly string[] = []) {
  const registry = new CallRegistry(1);
  const tallies = createTallies();
  const lists = new ListWatch(tallies);
  const named = namedModels({ relay: { ...DEFAULT_SETTINGS.relay, upstreamModel } });
  const arrivedAs = new Map();
  const known = registry.open('own', 'short');
  const other = registry.open('other', 'short');
  const judge = (
    exchange: Exchange,
    { kind = 'plain', hasLeft = false, hasUpstream = false, isFailingOver = false, ...others }: GivenCall = {},
  ) => {
    const { mode } = exchange.request;
    const drawn = {
      kind,
      mode,
      profile: 'short',
      connection: 'kept-connection',
      usesOtherKey: false,
      leavesAfter: 0,
    } as const;
    const call = { ...drawn, id: 'own', stage: 0, number: 1 };
    const done: DoneCall = { call, known, exchange, hasLeft, traits: [], room: new AnswerMemory(0).open(false) };
    const { allowsFailures = isFailingOver } = others;
    const stage = { hasUpstream, allowsFailures, isFailingOver, mostUpstreamCalls: 10 };
    return judgeCall(done, { tallies, lists, named, arrivedAs, registry, ...stage });
  };
  const broken = (): readonly string[] =>
    Object.entries(tallies).flatMap(([name, tally]) => (tally.broken > 0 ? [name] : []));
  return { judge, broken, tallies, lists, known, other, registry, arrivedAs };
}

const { usage: _usage, ...WITHOUT_USAGE } = COMPLETION;

export const completion = (content: string) => ({
  ...WITHOUT_USAGE,
  choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
});
