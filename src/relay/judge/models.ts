/** Whether each model that the user names is the one that the upstream is asked for. */
import { memberOf, parseJson, typeOf } from '../../json.ts';
import { quoteText } from '../../text/quote.ts';
import { broken, finding, HOLDS, valueFound } from '../../verdict/finding.ts';
import { worstResult } from '../../verdict/reading/each-exchange.ts';
import type { CheckResult } from '../../verdict/verdict.ts';
import { type NamedModel, namedModels } from '../named-models.ts';
import type { Asked } from './both-ends.ts';
import { notReached, type RelayCheck } from './relay-check.ts';

interface Routed {
  readonly asked: Asked;
  readonly named: NamedModel;
}

export const models: RelayCheck = {
  summary: 'Each model that the user names reaches the upstream as a model of its own, or as the one it is mapped to.',
  execute(evidence, { settings }) {
    const named = namedModels(settings);
    const routed = evidence.asked.flatMap((asked): readonly Routed[] => {
      const model = memberOf(parseJson(asked.front.request.body), 'model');
      return named.filter(({ front }) => front === model).map((each) => ({ asked, named: each }));
    });
    return worstResult(
      routed.map((each, index) => {
        const missed = notReached(each.asked, evidence, { kind: 'upstream-call' });
        return missed ?? judgeModel(each, routed.slice(0, index));
      }),
      evidence.asked.map(({ front }) => front),
    );
  },
};

function judgeModel({ asked, named }: Routed, earlier: readonly Routed[]): CheckResult {
  const { upstream } = named;
  const sent = modelOf(asked);
  const foundAs = (expected: Parameters<typeof finding>[1]['expected']): CheckResult =>
    broken([
      finding(asked.calls[0]?.exchange ?? asked.front, {
        mismatch: 'model',
        pointer: '/model',
        expected,
        actualType: typeOf(sent),
        actual: valueFound(sent),
      }),
    ]);
  if (upstream !== undefined) {
    return sent === upstream ? HOLDS : foundAs({ kind: 'upstream-model', model: quoteText(upstream) });
  }
  const same = earlier.find((other) => modelOf(other.asked) === sent);
  return same ? foundAs({ kind: 'own-model', model: quoteText(same.named.front) }) : HOLDS;
}

function modelOf({ calls: [first] }: Asked) {
  return memberOf(first?.body, 'model');
}
