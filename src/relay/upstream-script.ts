/** What the scripted upstream does with the calls of a question. Read from `suites/relay.yaml`. */
import type { Call } from '../gateway/call.ts';
import { put } from '../gateway/change.ts';
import type { Modifier } from '../gateway/index.ts';
import type { JsonObject } from '../gateway/json.ts';
import { isObject } from '../gateway/json.ts';
import type { Count, PositiveInteger } from '../scalars.ts';
import { scriptModifiers } from '../scripted/reply-script.ts';

/**
 * What the upstream does; src/relay/upstream-script.ts has the defaults.
 *
 * @title a script
 */
export interface UpstreamScript {
  /** `${mark}` is replaced by a word that no other reply has. */
  readonly text: string;
  /** The text, repeated this many times to make a long one. */
  readonly times: PositiveInteger;
  /** Parts that the text is streamed in. */
  readonly pieces: PositiveInteger;
  /** Milliseconds before each part but the first. */
  readonly pause: Count;
  /** Milliseconds in which the upstream is silent in mid-stream. */
  readonly silence: Count;
  readonly finish: string;
  readonly usage: { readonly prompt: Count; readonly completion: Count };
  /** Milliseconds before the head. */
  readonly delay: Count;
  /**
   * Every call is refused with it.
   *
   * @asType integer
   * @minimum 400
   * @maximum 599
   */
  readonly status?: number;
  /** Changes of the reference gateway, by name: its variants and faults, and other behaviours. */
  readonly gateway: readonly string[];
  readonly behaviours: readonly string[];
  /** Later calls of the same question get an ordinary reply. */
  readonly once: boolean;
  /** Waits for this many calls of the case before answering any of them. */
  readonly gather: PositiveInteger;
}

export const DEFAULT_SCRIPT: UpstreamScript = {
  text: 'The reply with the mark ${mark} is whole, and it ends here.',
  times: 1,
  pieces: 4,
  pause: 0,
  silence: 0,
  finish: 'stop',
  usage: { prompt: 21, completion: 13 },
  delay: 0,
  gateway: [],
  behaviours: [],
  once: false,
  gather: 1,
};

/** The event before which the upstream is silent: some text is out, and some is still to come. */
const SILENT_EVENT = 3;

/** The changes that make the reference gateway follow the script in one call. `named`: those that the script names. */
export function followScript(script: UpstreamScript, named: readonly Modifier[], mark: string): readonly Modifier[] {
  const { text, times, pieces, finish, usage, status, delay, pause, silence } = script;
  const whole = text.repeat(times).replaceAll('${mark}', mark);
  return scriptModifiers({
    tokens: splitText(whole, pieces),
    finish,
    usage,
    endpoint: 'chat',
    ...(status !== undefined && { status }),
    modifiers: [
      {
        title: 'Token counts come in a stream if they are asked for, and the script sets the pace',
        chunks: (chunks, call) => (wantsUsage(call) ? [...chunks, usageChunk(chunks[0] ?? {}, usage)] : chunks),
        // The first event has the role, the last two have finish_reason and the end marker.
        events: (events) =>
          events.map((event, at) => ({
            ...event,
            waitMs: (at > 1 && at < events.length - 2 ? pause : 0) + (at === SILENT_EVENT ? silence : 0),
          })),
        answer: (reply) => ({ ...reply, delayMs: delay }),
      },
      ...(status === 401 ? [QUOTES_KEY] : []),
      ...named,
    ],
  });
}

const QUOTES_KEY: Modifier = {
  title: 'The refusal of a key quotes it, as real ones do',
  error: (body, _refusal, { headers }) => {
    const key = (headers['authorization'] ?? '').replace(/^Bearer +/i, '');
    return put('/error/message', `Incorrect API key provided: ${key}.`)(body);
  },
};

function wantsUsage({ body }: Call): boolean {
  const { stream_options: options } = body;
  return isObject(options) && options['include_usage'] === true;
}

function usageChunk(chunk: JsonObject, { prompt, completion }: UpstreamScript['usage']): JsonObject {
  const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion };
  return { ...chunk, choices: [], usage };
}

/** Never within a character. Fewer parts than asked for if the text is shorter. */
function splitText(text: string, parts: number): readonly string[] {
  const characters = Array.from(text);
  const size = Math.max(1, Math.ceil(characters.length / parts));
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, at) =>
    characters.slice(at * size, (at + 1) * size).join(''),
  );
}
