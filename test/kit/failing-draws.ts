/** A target that fails on some drawn requests, without a network: for tests of what finds and shrinks them. */
import { loadContract } from '../../src/contract/read-contract.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import {
  type AskDraw,
  type AskedDraw,
  type CauseContext,
  type FailingDraw,
  pair,
} from '../../src/gather/explore/cause.ts';
import type { Draw, DrawnRequest } from '../../src/gather/explore/drawn-request.ts';
import { plainly } from '../../src/gather/explore/change-request.ts';
import type { AskedRequest, Symptom } from '../../src/gather/explore/symptoms.ts';
import type { JsonObject } from '../../src/json.ts';

/** A valid request with these fields. */
export function drawn(fields: JsonObject = {}): DrawnRequest {
  return plainly({ model: '${model}', messages: [{ role: 'user', content: 'Say hello.' }], ...fields });
}

export function drawOf(number: number, ...requests: readonly DrawnRequest[]): Draw {
  return { number, path: String(number), requests };
}

interface FailingTarget extends Omit<CauseContext, 'ask'> {
  readonly ask: AskDraw;
  readonly symptomsOf: (asked: readonly AskedRequest[]) => AskedDraw['symptoms'];
  /** All that was asked, in order. */
  readonly log: readonly Draw[];
  readonly failing: (draw: Draw) => FailingDraw;
}

interface TargetOptions {
  /** Whether the last of these requests fails. */
  readonly fails: (requests: readonly DrawnRequest[], times: number) => boolean;
  /** Draws that may be asked. */
  readonly budget?: number;
  readonly symptom?: Partial<Symptom>;
  /** What such a request shows instead. */
  readonly symptomOf?: (request: DrawnRequest) => Partial<Symptom>;
  /** Draws that were sent. */
  readonly sent?: CauseContext['sent'];
}

export function failingTarget({
  fails,
  budget = Infinity,
  symptom = {},
  symptomOf = () => symptom,
  sent = [],
}: TargetOptions): FailingTarget {
  const contract = loadContract();
  const log: Draw[] = [];
  const exchangesOf = ({ number, requests }: Draw, mark: string): readonly Exchange[] =>
    requests.map((_, place) => exchangeWithId(`explore/${number}.${place + 1}${mark}`));
  const symptomsOf = (asked: readonly AskedRequest[]): readonly Symptom[] => {
    const last = asked.at(-1);
    const isFailing = fails(
      asked.map(({ request }) => request),
      log.length,
    );
    return last && isFailing ? [symptomAt(last.exchange.id, symptomOf(last.request))] : [];
  };
  return {
    contract,
    log,
    symptomsOf,
    sent,
    ask: (draw, occasion, number) => {
      if (log.length >= budget) return Promise.resolve(undefined);
      log.push(draw);
      return Promise.resolve(exchangesOf(draw, `~${occasion}#${number}`));
    },
    failing: (draw) => {
      const last = pair(draw, exchangesOf(draw, '')).at(-1);
      if (!last) throw new Error('The draw has no request.');
      const place = draw.requests.length - 1;
      return { ...last, draw, place, symptom: symptomAt(last.exchange.id, symptomOf(last.request)) };
    },
  };
}

export function symptomAt(exchange: string, given: Partial<Symptom>): Symptom {
  return {
    key: 'refused',
    case: 'explore/answered[plain]',
    clause: 'endpoint.chat-answers',
    level: 'must',
    check: 'answered',
    isOfTopic: true,
    exchange,
    finding: {
      exchange,
      mismatch: 'not-200',
      expected: { kind: 'statuses', statuses: [200] },
      actualType: '4xx',
      actual: { kind: 'status', status: 400 },
      more: 0,
    },
    ...given,
  } as Symptom;
}

function exchangeWithId(id: string): Exchange {
  const answer = { status: 200, headers: [], endAt: 1 };
  const attempts = [{ sentAt: 0, pause: 0, outcome: { kind: 'answer', answer }, secretsSeen: [] }];
  return { id, step: id, seeks: 'answer', request: { endpoint: 'chat' }, attempts } as unknown as Exchange;
}
