/** Sequences of requests for one connection. They lean to requests that did not follow each other yet. */
import { type DrawnRequest, isStreamed, messagesIn, withBody } from './drawn-request.ts';

/** Where the requests come from, by kind. */
interface Source {
  readonly take: () => DrawnRequest;
}
type Kind = 'valid' | 'invalid' | 'tolerant';
type Sources = Readonly<Record<Kind, Source>>;

/** What is on offer for each place but the last, from which on another one begins each time. */
const KINDS: readonly Kind[] = ['valid', 'invalid', 'valid', 'invalid', 'tolerant', 'invalid'];
/** The last is the point: it has to be answered. */
const LAST: readonly Kind[] = ['valid', 'valid', 'valid', 'valid'];

interface Placed {
  readonly kind: Kind;
  readonly request: DrawnRequest;
}

/** Two to five. */
export function lengthOfSequence(turn: number): number {
  return 2 + (Math.floor(turn / 10) % 4);
}

/** Every fourth sequence has its last request twice, but for a word. Adds what the sequence covers. */
export function nextSequence(sources: Sources, turn: number, covered: Set<string>): readonly DrawnRequest[] {
  const isRepeated = Math.floor(turn / 10) % 4 === 1;
  const drawn = lengthOfSequence(turn) - (isRepeated ? 1 : 0);
  const placed: Placed[] = [];
  for (let place = 0; place < drawn; place += 1) {
    const kinds =
      place === drawn - 1 ? LAST : KINDS.map((_, index) => KINDS[(turn + place + index) % KINDS.length] ?? 'valid');
    const offered = kinds.map((kind) => ({ kind, request: takeBounded(sources[kind]) }));
    const chosen = mostNew(offered, placed, covered);
    for (const part of partsOf(chosen, placed)) covered.add(part);
    placed.push(chosen);
  }
  const requests = placed.map(({ request }) => request);
  const [last] = requests.slice(-1).map(withWord);
  return isRepeated && last ? [...requests.slice(0, -1), last, last] : requests;
}

function mostNew(offered: readonly Placed[], before: readonly Placed[], covered: ReadonlySet<string>): Placed {
  const gains = offered.map((next) => partsOf(next, before).filter((part) => !covered.has(part)).length);
  const best = offered[gains.indexOf(Math.max(...gains))];
  if (!best) throw new Error('Nothing was drawn.');
  return best;
}

/** Which place it has, and after what it comes. */
function partsOf(next: Placed, before: readonly Placed[]): readonly string[] {
  const last = before.at(-1);
  const own = nameOf(next);
  return [
    `sequence ${before.length + 1}: ${own}`,
    ...(last ? [`sequence: ${nameOf(last)} + ${own}`, `sequence ${before.length}: ${nameOf(last)} + ${own}`] : []),
  ];
}

function nameOf({ kind, request }: Placed): string {
  const mode = isStreamed(request) ? 'stream' : 'plain';
  return request.raw === undefined ? `${kind} ${mode}` : 'not JSON';
}

/** A cache may answer the very same request, so that a word is new each time. */
function withWord(request: DrawnRequest): DrawnRequest {
  if (JSON.stringify(request.body).includes('${word}')) return request;
  const messages = messagesIn(request);
  const [last = {}] = messages.slice(-1);
  const content = `${last['content'] as string} \${word}`;
  return withBody(request, { ...request.body, messages: [...messages.slice(0, -1), { ...last, content }] });
}

/** A wrong max_tokens may keep a careless target busy for long, so that what follows is not its own fault. */
function takeBounded(source: Source): DrawnRequest {
  for (;;) {
    const request = source.take();
    const tokens = request.body['max_tokens'];
    if (typeof tokens !== 'number' || tokens > 0) return request;
  }
}
