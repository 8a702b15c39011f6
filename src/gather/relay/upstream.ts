/** The scripted upstream of a relay run: the word of a question chooses what it does with a call, by the script of its case. */
import type { Identity, UpstreamName } from '../../exchange/identity.ts';
import type { OtherRequests } from '../../exchange/traffic.ts';
import type { Call } from '../../gateway/call.ts';
import { put } from '../../gateway/change.ts';
import { refuseIf } from '../../gateway/change-answer.ts';
import type { Modifier } from '../../gateway/index.ts';
import { ACCEPT_ALL, scriptModifiers } from '../../scripted/reply-script.ts';
import {
  startUpstreamServer,
  type UpstreamServer,
  type UpstreamServerOptions,
} from '../../scripted/scripted-server.ts';
import { findWords, makeWord, messagesOf } from './words.ts';
import type { UpstreamScript } from './read-relay-suite.ts';

export type Upstream = Awaited<ReturnType<typeof startUpstream>>;

/** One call of the client: its word chooses the script. */
export interface ScriptedQuestion {
  /** The id of the exchange at the front. */
  readonly id: string;
  /** Questions of one case gather. */
  readonly case: string;
  readonly word: string;
  readonly script: UpstreamScript;
  /** Of two upstreams, what the other one does. Default: the same. */
  readonly otherScript?: UpstreamScript;
  /** Of two upstreams, the one that follows the script. Default: the one that is called first. */
  readonly scripted?: UpstreamName;
}

export interface UpstreamOptions extends Pick<UpstreamServerOptions, 'host' | 'port' | 'vault' | 'idleMs'> {
  /** A second upstream. */
  readonly fallback?: { readonly port: number; readonly model: string };
}

/** One upstream, or two that know the same questions. */
export async function startUpstream({ port, fallback, ...options }: UpstreamOptions) {
  const questions = new Questions(fallback ? 2 * MAX_ALL_CALLS : MAX_ALL_CALLS);
  const released = new Set<string | undefined>();
  const servers: (UpstreamServer & { readonly name: UpstreamName | undefined })[] = [];
  const open = async (place: Pick<UpstreamServerOptions, 'port' | 'model' | 'portFlag'>, name?: UpstreamName) => {
    const server = await startUpstreamServer({
      ...options,
      ...place,
      modifiers: [ACCEPT_ALL],
      route: (call) => {
        const question = call.endpoint === 'chat' ? questions.find(call) : undefined;
        if (!question && call.endpoint !== 'models' && !call.tooLarge) server.countOther(call);
        return questions.route(call, question, name);
      },
      identify: (call) => questions.identify(call),
      hold: (call) => questions.hold(call),
      // Answers that begin to be held open later are ended at once.
      onHeld: (call) => (released.has(call.cause) ? call.release() : undefined),
    });
    servers.push({ ...server, name });
    return server;
  };
  const close = async (name?: UpstreamName): Promise<void> => {
    const meant = servers.filter((server) => name === undefined || server.name === name);
    await Promise.all(meant.map((server) => server.close()));
  };
  const { url } = await open({ port }, fallback && 'primary');
  const second = fallback && { ...fallback, portFlag: '--fallback-port' as const };
  const fallbackUrl =
    second &&
    (
      await open(second, 'fallback').catch(async (error: unknown) => {
        await close();
        throw error;
      })
    ).url;
  /** All calls so far, or those of a question, in the order of arrival. */
  const callsOf = (id?: string) =>
    servers
      .flatMap(({ calls }) => calls.filter(({ cause }) => id === undefined || cause === id))
      .toSorted((a, b) => a.arrivedAt - b.arrivedAt);
  return {
    url,
    ...(fallbackUrl !== undefined && { fallbackUrl }),
    callsOf,
    /** Calls with its word belong to this question from now on. */
    expect: (question: ScriptedQuestion) => questions.add(question),
    /** All calls so far as plain data, or those of a question, in the order of arrival. `began`: start of the run. */
    exchanges: (began: number, id?: string) => callsOf(id).map((call) => call.toExchange(began)),
    otherRequests: (began: number) => joinOthers(servers.map((server) => server.otherRequests(began))),
    /** Number of chat requests that were too large or too many to be answered. */
    get overflow() {
      return questions.overflow;
    },
    /** Ends stalled answers of a question. */
    release(id: string) {
      released.add(id);
      for (const call of callsOf(id)) if (call.isHeld) call.release();
    },
    /** Closes the ports, so that connections are refused. `name`: only that of this upstream. */
    close,
    /** Opens the port of one of two upstreams again. */
    async reopen(name: UpstreamName): Promise<void> {
      const place = name === 'primary' ? { port: portOf(url) } : { ...second, port: portOf(fallbackUrl ?? url) };
      await open(place, name);
    },
  };
}

function portOf(url: string): number {
  return Number(new URL(url).port);
}

function joinOthers(all: readonly OtherRequests[]): OtherRequests {
  return {
    count: all.reduce((sum, { count }) => sum + count, 0),
    first: all.flatMap(({ first }) => first),
    chatsAt: all.flatMap(({ chatsAt = [] }) => chatsAt).toSorted((a, b) => a - b),
  };
}

/** Calls of one question, and of the run with each upstream, that are answered and kept. Gateways that retry make fewer. */
const MAX_CALLS = 25;
const MAX_ALL_CALLS = 2_000;
/** Milliseconds that calls are held back for others of their case. */
const MAX_GATHERING = 1_500;

type Expected = Omit<ScriptedQuestion, 'scripted'> & { calls: number; scripted?: UpstreamName | undefined };

/** Calls of a case that wait until all have come, so that they are really answered at the same time. */
function beginGathering() {
  let open = (): void => undefined;
  const full = new Promise<void>((resolve) => (open = resolve));
  setTimeout(open, MAX_GATHERING).unref();
  return { count: 0, full, open };
}

class Questions {
  readonly #byWord = new Map<string, Expected>();
  readonly #byCall = new WeakMap<Call, { readonly question: Expected; readonly upstream: UpstreamName | undefined }>();
  readonly #gatherings = new Map<string, ReturnType<typeof beginGathering>>();
  readonly #mostCalls: number;
  #calls = 0;
  overflow = 0;

  constructor(mostCalls: number) {
    this.#mostCalls = mostCalls;
  }

  add(question: ScriptedQuestion): void {
    this.#byWord.set(question.word, { ...question, calls: 0 });
  }

  /** Finds the question by the known word in its last user message that has one, otherwise anywhere in the body. */
  find({ body, text = '' }: Call): Expected | undefined {
    const messages = messagesOf(body).toReversed();
    const texts = [...messages.filter(({ role }) => role === 'user'), ...messages].map((message) => message.text);
    const word = [...texts, text].flatMap(findWords).find((known) => this.#byWord.has(known));
    return word === undefined ? undefined : this.#byWord.get(word);
  }

  /** `upstream`: of two, the one that was called. */
  route(call: Call, question: Expected | undefined, upstream?: UpstreamName): readonly Modifier[] {
    if (call.endpoint === 'models') return [];
    const isFull = question && (question.calls >= MAX_CALLS || this.#calls >= this.#mostCalls);
    if (call.tooLarge || isFull) {
      this.overflow += 1;
      return isFull ? [refuseOthers(429)] : [];
    }
    if (!question) return [refuseOthers(404)];
    this.#byCall.set(call, { question, upstream });
    question.scripted ??= upstream;
    const { calls, otherScript = question.script } = question;
    const script = question.scripted === upstream ? question.script : otherScript;
    const { status: _status, ...rest } = script;
    const isUsual = script.once && calls > 0;
    return followScript(isUsual ? { ...rest, gateway: [], behaviours: [] } : script, makeWord());
  }

  /** Undefined for a call that is not answered by a script. */
  identify(call: Call): Identity | undefined {
    const { question, upstream } = this.#byCall.get(call) ?? {};
    if (!question) return undefined;
    const { id: cause, case: step } = question;
    this.#calls += 1;
    question.calls += 1;
    return {
      id: `${cause}@${question.calls}`,
      step,
      number: question.calls,
      side: 'upstream',
      cause,
      ...(upstream && { upstream }),
    };
  }

  hold(call: Call): Promise<void> | undefined {
    const { question, upstream } = this.#byCall.get(call) ?? {};
    if (!question || question.script.gather <= 1 || upstream !== question.scripted) return undefined;
    const gathering = this.#gatherings.get(question.case) ?? beginGathering();
    this.#gatherings.set(question.case, gathering);
    gathering.count += 1;
    if (gathering.count >= question.script.gather) gathering.open();
    return gathering.full;
  }
}

function refuseOthers(status: number): Modifier {
  const message = 'This upstream answers only the questions of wirecheck.';
  return { refuse: refuseIf(() => true, status, message) };
}

/** The event before which the upstream is silent: some text is out, and some is still to come. */
const SILENT_EVENT = 3;

/** The changes that make the reference gateway follow the script in one call. */
export function followScript(script: UpstreamScript, mark: string): readonly Modifier[] {
  const { text, times, pieces, status, delay, pause, silence } = script;
  const tokens = splitText(text.repeat(times).replaceAll('${mark}', mark), pieces);
  return scriptModifiers({ ...script, tokens, endpoint: 'chat' }, [
    {
      // The first event has the role, the last two have finish_reason and the end marker.
      events: (events) =>
        events.map((event, at) => ({
          ...event,
          waitMs: (at > 1 && at < events.length - 2 ? pause : 0) + (at === SILENT_EVENT ? silence : 0),
        })),
      answer: (reply) => ({ ...reply, delayMs: delay }),
    },
    ...(status === 401 ? [QUOTES_KEY] : []),
  ]);
}

/** The refusal of a key quotes it, as real ones do. */
const QUOTES_KEY: Modifier = {
  error: (body, _refusal, { headers }) => {
    const key = (headers['authorization'] ?? '').replace(/^Bearer +/i, '');
    return put('/error/message', `Incorrect API key provided: ${key}.`)(body);
  },
};

/** Never within a character. Fewer parts than asked for if the text is shorter. */
function splitText(text: string, parts: number): readonly string[] {
  const characters = Array.from(text);
  const size = Math.max(1, Math.ceil(characters.length / parts));
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, at) =>
    characters.slice(at * size, (at + 1) * size).join(''),
  );
}
