/** Makes the reference gateway do what a script says. */
import type { Call } from '../../gateway/call.ts';
import { put } from '../../gateway/change.ts';
import type { Modifier } from '../../gateway/index.ts';
import { isObject, type JsonObject } from '../../gateway/json.ts';
import { namedModifiers, scriptModifiers } from '../../scripted/reply-script.ts';
import type { UpstreamScript } from '../upstream-script.ts';

/** The event before which the upstream is silent: some text is out, and some is still to come. */
const SILENT_EVENT = 3;

/** The changes that make the reference gateway follow the script in one call. */
export function followScript(script: UpstreamScript, mark: string): readonly Modifier[] {
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
      ...namedModifiers(script),
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
