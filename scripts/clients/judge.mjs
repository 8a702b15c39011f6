// What wirecheck finds in a gateway: the kinds of mismatch, as reports name them.
import { startGateway } from '../../build/src/gateway/index.js';
import { DEFAULT_SETTINGS, gather, judge } from '../../build/src/index.js';
import { mismatchKindOf } from '../../build/src/report/affected.js';
/** @import { GatewayOptions } from '../../build/src/gateway/index.js' */

const CASES = [
  'models/*list',
  'chat/reply*',
  'chat/every-*',
  'chat/json-labelled',
  'chat/well-formed-http',
  'streaming/reply',
  'streaming/every-stream',
];
const TIMEOUTS = { ...DEFAULT_SETTINGS.timeouts, firstByte: 20_000, idle: 4_000 };

/** @param {GatewayOptions} options */
export async function mismatchesOf(options) {
  const gateway = await startGateway(options);
  const settings = {
    ...DEFAULT_SETTINGS,
    baseUrl: gateway.baseUrl,
    only: CASES,
    retryPauses: [2, 5],
    maxRetryWait: 500,
    timeouts: TIMEOUTS,
  };
  const { cases, exchanges } = judge(await gather(settings, { full: gateway.keys.full }), settings);
  await gateway.close();
  const asked = new Map(exchanges.map((exchange) => [exchange.id, exchange]));
  const kinds = cases.flatMap(({ expectations }) =>
    expectations.flatMap(({ clause, findings }) =>
      findings.flatMap((finding) => {
        const exchange = asked.get(finding.exchange);
        return exchange === undefined ? [] : (mismatchKindOf(clause, finding, exchange) ?? []);
      }),
    ),
  );
  const distinct = new Map(kinds.map((kind) => [JSON.stringify(kind), kind]));
  return [...distinct.values()];
}
