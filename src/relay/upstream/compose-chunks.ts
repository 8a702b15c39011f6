/** Composes a reply as server-sent events, in any form that the grammar allows. */
import { LINE_ENDS, type EventForm, type Reply, type Script } from '../script.ts';
import { type CallFacts, sendsUsage, usageOf } from './reply-parts.ts';

/** One event, or raw text between events. */
export interface Piece {
  readonly text: string;
  /** Milliseconds to wait before it. */
  readonly pause: number;
  /** It adds to the text of the first choice. */
  readonly isText: boolean;
  /** It belongs to the end of the stream: `finish_reason`, usage or the end marker. */
  readonly isEnding: boolean;
  /** Length of the text of the first choice up to and including this event. */
  readonly sofar: number;
}

interface Part {
  readonly value: object;
  readonly isText?: boolean;
  readonly isEnding?: boolean;
  readonly added?: number;
}

export function composeChunks(script: Script, facts: CallFacts, texts: readonly string[]): readonly Piece[] {
  const { reply, events: form } = script;
  const parts = chunksOf(reply, form, facts, texts);
  const end = LINE_ENDS[form.lineEnd];
  const raw = (text: string, sofar: number): Piece => ({ text, pause: 0, isText: false, isEnding: false, sofar });
  const pieces: Piece[] = [];
  const before = (form.byteOrderMark ? '\uFEFF' : '') + withLineEnd(form.before, end);
  if (before !== '') pieces.push(raw(before, 0));
  let sofar = 0;
  for (const [index, { value, isText = false, isEnding = false, added = 0 }] of parts.entries()) {
    if (index > 0 && form.between !== '') pieces.push(raw(withLineEnd(form.between, end), sofar));
    const isFirstText = isText && sofar === 0;
    sofar += added;
    const text = writeBlock(value, form, end, index + 1);
    pieces.push({ text, pause: isText && !isFirstText ? form.pause : 0, isText, isEnding, sofar });
  }
  if (form.done !== 'absent') {
    const text = `data:${form.space ? ' ' : ''}[DONE]${end}${form.done === 'open' ? '' : end}`;
    pieces.push({ text, pause: 0, isText: false, isEnding: true, sofar });
  }
  return pieces;
}

function writeBlock(value: object, form: EventForm, end: string, number: number): string {
  const json = JSON.stringify(value);
  const lines = spreadLines(json, form.dataLines).map((line) => `data:${form.space ? ' ' : ''}${line}${end}`);
  return `${withLineEnd(form.lines, end)}${form.ids ? `id: ${number}${end}` : ''}${lines.join('')}${end}`;
}

/** Breaks JSON only after a comma between members, where a line break is white space. */
function spreadLines(json: string, lines: number): readonly string[] {
  if (lines <= 1) return [json];
  const at = json.indexOf(',"') + 1;
  return at === 0 ? [json] : [json.slice(0, at), ...spreadLines(json.slice(at), lines - 1)];
}

function withLineEnd(text: string, end: string): string {
  return text.replaceAll('\n', end);
}

function chunksOf(reply: Reply, form: EventForm, facts: CallFacts, texts: readonly string[]): readonly Part[] {
  const { bare, unknownFields, nullFields, reasoning, finish } = reply;
  const created = Math.floor(Date.now() / 1000);
  const unknown = unknownFields && { x_unknown: { a: [1, null, 'x'] } };
  const chunk = (choices: readonly object[], more: object = {}): object => ({
    ...(!bare && { id: 'chatcmpl-upstream', object: 'chat.completion.chunk', created, model: facts.model }),
    ...(nullFields && { system_fingerprint: null, usage: null }),
    ...unknown,
    choices,
    ...more,
  });
  const choice = (index: number, delta: object, reason: string | null): object => ({
    ...(!bare && { index }),
    delta: { ...delta, ...unknown },
    ...(nullFields && { logprobs: null }),
    ...unknown,
    ...(!(bare && reason === null) && { finish_reason: reason }),
  });
  const usage = usageOf(reply);
  const split = texts.map((text) => splitText(text, form.pieces));
  const first = split[0] ?? [];
  const withText = form.finish === 'with-text';
  const padding = form.padding > 0 && { x_padding: 'x'.repeat(form.padding) };
  return [
    ...(form.emptyFirst ? [{ value: chunk([], { prompt_filter_results: [] }) }] : []),
    ...texts.map((_, index): Part => ({
      value: chunk([choice(index, { role: 'assistant', content: nullFields ? null : '' }, null)]),
    })),
    ...(reasoning === undefined ? [] : splitText(reasoning, 2)).map((part): Part => ({
      value: chunk([choice(0, { reasoning_content: part, ...(nullFields && { content: null }) }, null)]),
    })),
    ...first.flatMap((text, at): readonly Part[] =>
      split.map((own, index) => {
        const isLastPart = at === first.length - 1;
        const isLast = withText && isLastPart;
        const content = index === 0 ? text : own.slice(at, isLastPart ? undefined : at + 1).join('');
        return {
          value: {
            ...(index === 0 && at === 0 && padding),
            ...chunk([choice(index, { content }, isLast ? finish : null)]),
          },
          ...(index === 0 && { isText: true, added: text.length }),
          ...(isLast && { isEnding: true }),
        };
      }),
    ),
    ...(form.finish === 'own-chunk'
      ? texts.map((_, index): Part => ({ value: chunk([choice(index, {}, finish)]), isEnding: true }))
      : []),
    ...(sendsUsage(form, facts) && usage
      ? [{ value: chunk([], { usage: { ...usage, ...unknown } }), isEnding: true }]
      : []),
  ];
}

/** Never within a character. Fewer parts than asked for if the text is shorter. */
export function splitText(text: string, parts: number): readonly string[] {
  const characters = Array.from(text);
  const size = Math.max(1, Math.ceil(characters.length / parts));
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, at) =>
    characters.slice(at * size, (at + 1) * size).join(''),
  );
}
