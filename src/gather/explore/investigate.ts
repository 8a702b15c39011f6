/** Looks at the answers to all draws, and finds the causes of what is wrong with them. */
import { contractOf } from '../../contract/profile/apply-profile.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { type IdParts, makeExchangeId } from '../../exchange/identity.ts';
import type { Traffic } from '../../exchange/traffic.ts';
import type { SendFurther } from '../walk/walk.ts';
import { bindRequest } from '../../plan/bind-request.ts';
import type { Plan } from '../../plan/plan.ts';
import { makeRequestWord } from '../../plan/request-word.ts';
import type { Settings } from '../../settings.ts';
import { type AskDraw, type CauseContext, type FailingDraw, pair } from './cause.ts';
import type { Draw } from './drawn-request.ts';
import { type Causes, findCauses, type Looking } from './find-causes.ts';
import { attemptsFor, MOST_LOOKING, MOST_SILENT } from './shrink-budget.ts';
import { EXPLORE, type PlannedDraws, stepsOf } from './plan-explore.ts';
import type { Ends } from './relay/forwarding.ts';
import {
  type AskedRequest,
  controlsIn,
  type ExploreJudging,
  silenceOf,
  type Symptom,
  symptomsOf,
  usualSymptoms,
} from './symptoms.ts';

/** A draw that was sent whole, and what is wrong with its answers. */
export interface SentDraw {
  readonly draw: Draw;
  readonly asked: readonly AskedRequest[];
  readonly symptoms: readonly Symptom[];
}

export interface Investigation extends Causes {
  readonly sent: readonly SentDraw[];
}

/** How to ask again, and with an upstream of ours behind the gateway what arrived there. */
export interface AskingAgain {
  readonly ask: AskDraw;
  readonly ends?: Ends | undefined;
  readonly onLook?: (looking: Looking) => void;
}

export async function investigate(
  { plan, draws }: PlannedDraws,
  traffic: Traffic,
  settings: Settings,
  { ask, ends, onLook }: AskingAgain,
): Promise<Investigation> {
  const contract = contractOf(settings);
  const find = exchangesOf(traffic, settings);
  const lookAt = symptomFinder(plan, traffic, settings, ends);
  const sent = draws.flatMap((draw): readonly SentDraw[] => {
    const exchanges = find(draw, {});
    if (!exchanges) return [];
    const asked = pair(draw, exchanges);
    return [{ draw, asked, symptoms: lookAt(asked) }];
  });
  const causes = await findCauses(sent.flatMap(failingIn), {
    contract,
    ask,
    symptomsOf: lookAt,
    sent: sent.map(({ draw, symptoms }) => ({ draw, keys: new Set(symptoms.map(({ key }) => key)) })),
    ...(onLook && { onLook }),
  });
  return { ...causes, sent };
}

/** Finds what is wrong with answers, beyond what is wrong with the controls. */
export function symptomFinder(
  plan: Plan,
  traffic: Traffic,
  settings: Settings,
  ends: Ends | undefined,
): CauseContext['symptomsOf'] {
  const controls = controlsIn(traffic);
  const judging: ExploreJudging = { plan, contract: contractOf(settings), settings, traffic, controls, ends };
  const usual = usualSymptoms(judging);
  return (asked) => symptomsOf(asked, judging, usual);
}

/** Each symptom once, at the first request that shows it. */
function failingIn({ draw, asked, symptoms }: SentDraw): readonly FailingDraw[] {
  const first = new Map(symptoms.toReversed().map((symptom) => [symptom.key, symptom]));
  return [...first.values()].map((symptom) => ({ draw, asked, symptom }));
}

/** Asks the target, as long as `shrinkCompletions` and `MOST_LOOKING` last. `settle` waits until what it led to is over. */
export function askTarget(
  soFar: () => Traffic,
  send: SendFurther,
  settings: Settings,
  settle: () => Promise<void> = () => Promise.resolve(),
): AskDraw {
  const most = soFar().used.completions + (settings.explore?.shrinkCompletions ?? 0);
  const mostRequests = soFar().used.requests + MOST_LOOKING;
  let silent = 0;
  return async (draw, occasion, number) => {
    const { used } = soFar();
    if (used.completions >= most || silent > MOST_SILENT) return undefined;
    // A sequence is repeated whole. A smaller form need not be tried again: the smallest is, in the end.
    const patience = draw.requests.length > 1 || occasion === 'smaller' ? 'once' : 'full';
    if (used.requests + attemptsFor(patience, settings) * draw.requests.length > mostRequests) return undefined;
    const exchanges: Exchange[] = [];
    const connection = `${EXPLORE}/${draw.number}~${occasion}#${number}`;
    for (const step of stepsOf(draw, settings, connection)) {
      const exchange = await send(step, { occasion, number, patience });
      if (!exchange) return undefined;
      exchanges.push(exchange);
      silent += silenceOf(exchange);
    }
    await settle();
    return exchanges;
  };
}

/** Finds what the target answered when it was asked. */
export function askTraffic(traffic: Traffic, settings: Settings): AskDraw {
  const find = exchangesOf(traffic, settings);
  return (draw, occasion, number) => Promise.resolve(find(draw, { occasion, number }));
}

/** A recording of another version has other draws under the same ids, so the bodies have to be the same. */
function exchangesOf({ exchanges, bindings }: Traffic, settings: Settings) {
  const byId = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  return (draw: Draw, turn: Pick<IdParts, 'occasion' | 'number'>): readonly Exchange[] | undefined => {
    const found = stepsOf(draw, settings).flatMap((step) => {
      const id = makeExchangeId({ step: step.id, ...turn });
      const exchange = byId.get(id);
      const filled = bindRequest(step.template, bindings, makeRequestWord(settings.seed, id));
      const isSame = filled.kind === 'request' && filled.request.body === exchange?.request.body;
      return exchange && isSame ? [exchange] : [];
    });
    return found.length === draw.requests.length ? found : undefined;
  };
}
