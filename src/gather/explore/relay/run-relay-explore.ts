/**
 * Explores a gateway with an upstream of ours behind it: nothing is charged, and what arrives is compared. The upstream is the
 * reference gateway, so that whoever leaves the limits to it passes its refusals on. It answers any model and key.
 */
import { endWithoutUpstream } from '../../../exchange/channel/first-contact.ts';
import type { Traffic } from '../../../exchange/traffic.ts';
import { STEPS } from '../../../plan/known-steps.ts';
import { namedModels } from '../../relay/named-models.ts';
import { startUpstreamServer, UPSTREAM_MODEL, type UpstreamServer } from '../../../scripted/scripted-server.ts';
import type { Keys, Settings } from '../../../settings.ts';
import type { ExploreResult } from '../report-on-explore.ts';
import { type OwnUpstream, type ExploreHooks, runExplore } from '../run-explore.ts';
import { pauseFor } from '../../../exchange/channel/pace.ts';
import type { Exchange } from '../../../exchange/exchange.ts';
import { createVault, type Vault } from '../../../exchange/secrets/vault.ts';
import type { Refusal, Rule } from '../../../gateway/answer.ts';
import type { Call } from '../../../gateway/call.ts';
import { refuseIf } from '../../../gateway/change-answer.ts';
import type { Modifier } from '../../../gateway/index.ts';
import { isObject, itemsOf } from '../../../gateway/json.ts';
import { findRequestWords } from '../../../plan/request-word.ts';
import { followScript } from '../../relay/upstream.ts';
import { DEFAULT_SCRIPT } from '../../relay/read-relay-suite.ts';
import { makeWord } from '../../relay/words.ts';
import { promisesOf } from '../../../scripted/gateway-promises.ts';
import type { ReceivedCall } from '../../../scripted/received-call.ts';

/** Closes the upstream in the end. */
export async function runRelayExplore(
  settings: Settings,
  keys: Keys,
  upstream: ExploreUpstream,
  hooks: ExploreHooks = {},
): Promise<ExploreResult> {
  try {
    return await runExplore(withUpstream(settings, upstream), keys, { ...hooks, behind: behindOf(upstream) });
  } finally {
    await upstream.close();
  }
}

/** One request at a time, so that everybody knows which one a call belongs to. */
function withUpstream(settings: Settings, { url }: ExploreUpstream): Settings {
  const { explore, relay } = settings;
  const [named] = namedModels(settings);
  return {
    ...settings,
    concurrency: 1,
    relay: { ...relay, upstreamPort: Number(new URL(url).port) },
    ...(named && { model: named.front }),
    ...(explore && { explore: { ...explore, upstreamUrl: url } }),
  };
}

/** What arrives, and the exchange of the run that each call belongs to: one request is under way at a time. */
function behindOf(upstream: ExploreUpstream): OwnUpstream {
  const { calls, vault } = upstream;
  const known = new Map<string, readonly Exchange[]>();
  // Times count from here, as those of the run do. A clock of our own would be late on a busy machine.
  let start = 0;
  return {
    hooks: {
      others: vault.redactor,
      unlistedModel: UPSTREAM_MODEL,
      onBegin: (began) => {
        start = began;
      },
      stopsAfter: ({ exchanges }) => calls.length === 0 && exchanges.some(({ step }) => step === STEPS.control),
    },
    async settle() {
      const deadline = performance.now() + MOST_SETTLING;
      while (calls.some(({ isOver }) => !isOver) && performance.now() < deadline) {
        await pauseFor(POLL, AbortSignal.timeout(MOST_SETTLING));
      }
    },
    callsOf(exchange) {
      const found = known.get(exchange.id) ?? callsDuring(exchange, calls, start);
      known.set(exchange.id, found);
      return found;
    },
    explain: (traffic) => (calls.length === 0 ? withoutCalls(traffic, upstream) : traffic),
  };
}

/** Milliseconds that an answer may take to be written after the client has got its own. */
const MOST_SETTLING = 2_000;
const POLL = 5;

/** The calls that arrived while this exchange was under way. */
function callsDuring(exchange: Exchange, calls: readonly ReceivedCall[], start: number): readonly Exchange[] {
  const spans = exchange.attempts.map(({ sentAt, outcome }) => ({
    from: sentAt,
    to: sentAt + ((outcome.kind === 'answer' ? outcome.answer.endAt : outcome.failure.at) ?? 0),
  }));
  const own = calls.filter(({ arrivedAt }) =>
    spans.some(({ from, to }) => arrivedAt - start >= from && arrivedAt - start <= to),
  );
  const { id: cause, step } = exchange;
  return withoutLate(own, exchange).map((call, index) => ({
    ...call.toExchange(start),
    ...{ id: `${cause}@${index + 1}`, step, cause, number: index + 1 },
  }));
}

/** Whoever answers without a call has another upstream. */
function withoutCalls(traffic: Traffic, upstream: ExploreUpstream): Traffic {
  const { ending, exchanges, bindings } = traffic;
  const control = exchanges.find(({ step }) => step === STEPS.control);
  if (!control || (ending.kind !== 'complete' && ending.kind !== 'bailed')) return traffic;
  const others = upstream.otherRequests(0).first.map(({ method, path }) => `${method} ${path}`);
  const known = { upstream: upstream.url, model: bindings.model ?? UPSTREAM_MODEL, others };
  return { ...traffic, ending: endWithoutUpstream(control, known) };
}

export interface ExploreUpstream extends UpstreamServer {
  readonly vault: Vault;
}

/** Calls that are kept. A gateway that calls without end gets no further. */
const MOST_CALLS = 50_000;

/** Start it before the gateway needs it. */
export async function startExploreUpstream(settings: Settings, keys: Keys, port?: number): Promise<ExploreUpstream> {
  const { upstreamHost, upstreamPort } = settings.relay;
  const names = namedModels(settings).flatMap(({ front, upstream = front }) => [front, upstream]);
  const vault = createVault(settings, keys, [UPSTREAM_MODEL, ...names]);
  const server = await startUpstreamServer({
    host: upstreamHost,
    port: port ?? upstreamPort ?? 0,
    vault,
    modifiers: [ANY_SENDER],
    route: (call) => (call.endpoint === 'chat' ? replyTo(call) : []),
    identify: (call) => {
      if (call.endpoint === 'chat' && server.calls.length < MOST_CALLS) {
        return { id: 'call', step: 'call', side: 'upstream' };
      }
      if (call.endpoint !== 'models') server.countOther(call);
      return undefined;
    },
    ...(settings.profile && { promises: promisesOf(settings.profile) }),
  });
  return { ...server, vault };
}

/** Rules of the gateway, not of the request. */
const OWN_RULES: readonly Rule[] = ['key', 'model-unknown', 'model-forbidden', 'role-unknown'];

/** Any key, any model and text parts are accepted, and a token limit under its newer name. */
const ANY_SENDER: Modifier = {
  authorize: () => 'full',
  refusal: (reason, call) => (isOwn(reason, call) || isOfParts(reason, call) ? undefined : reason),
  refuse: refuseIf((call) => (tokenLimit(call) ?? 1) < 1),
};

/** A gateway may know more roles. An empty one is what some make of a role that is missing, and no upstream takes it. */
function isOwn({ rule }: Refusal, { body }: Call): boolean {
  const isNamed = (message: unknown): boolean => isObject(message) && message['role'] !== '';
  return OWN_RULES.includes(rule) && (rule !== 'role-unknown' || itemsOf(body['messages']).every(isNamed));
}

/** A string and text parts are the same. */
function isOfParts({ rule }: Refusal, { body }: Call): boolean {
  const isText = (part: unknown): boolean => isObject(part) && typeof part['text'] === 'string';
  const contents = itemsOf(body['messages']).map((message) => (isObject(message) ? message['content'] : undefined));
  const parts = contents.filter((content) => content !== undefined && typeof content !== 'string');
  return rule === 'content-type' && parts.every((content) => Array.isArray(content) && content.every(isText));
}

function tokenLimit({ body }: Call): number | undefined {
  const limit = body['max_tokens'] ?? body['max_completion_tokens'];
  return typeof limit === 'number' ? limit : undefined;
}

/** The mark comes first, so that a reply of one token has it. */
const WORDS = '${mark} señal 潮 🌊 is the mark of this reply, which is whole and ends here.'.split(' ');

/** A word is a token. */
function replyTo(call: Call): readonly Modifier[] {
  const kept = WORDS.slice(0, tokenLimit(call));
  const script = {
    ...DEFAULT_SCRIPT,
    text: kept.join(' '),
    pieces: kept.length,
    finish: kept.length < WORDS.length ? 'length' : 'stop',
    usage: { prompt: 21, completion: kept.length },
  };
  return followScript(script, makeWord());
}

/** A call with the word of another request is a late one, unless it is all that arrived. */
function withoutLate(arrived: readonly ReceivedCall[], { request }: Exchange): readonly ReceivedCall[] {
  const words = new Set(findRequestWords(request.body ?? ''));
  const isOwn = (call: ReceivedCall): boolean => {
    const found = findRequestWords(call.request.body ?? '');
    return found.length === 0 ? words.size === 0 : found.some((word) => words.has(word));
  };
  const own = arrived.filter(isOwn);
  return own.length > 0 ? own : arrived;
}
