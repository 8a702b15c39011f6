/** The prompts of the chat calls that one replica is answering, or has answered: what a mixed-up reply is made of. */
import { type JsonObject, isObject, itemsOf } from './json.ts';

/** Milliseconds after its answer from which a call counts as an earlier one: by then its caller has also read the answer. */
const SETTLED = 100;

export class Prompts {
  readonly #underWay = new Set<{ readonly prompt: string }>();
  #first: { readonly prompt: string; readonly endedAt: number } | undefined;

  get underWay(): readonly string[] {
    return Array.from(this.#underWay, ({ prompt }) => prompt);
  }

  /** The prompt of the first call that was answered, unless that was just now. */
  get earlier(): string | undefined {
    return this.#first && performance.now() - this.#first.endedAt > SETTLED ? this.#first.prompt : undefined;
  }

  /** Returns the function that ends it. */
  begin(body: JsonObject): () => void {
    const call = { prompt: promptOf(body) };
    this.#underWay.add(call);
    return () => {
      this.#underWay.delete(call);
      this.#first ??= { ...call, endedAt: performance.now() };
    };
  }
}

export function promptOf(body: JsonObject): string {
  const contents = itemsOf(body['messages']).map((message) => (isObject(message) ? message['content'] : undefined));
  return contents.filter((content) => typeof content === 'string').join(' ');
}

/** The longest word of a prompt: what a model that repeats one word of it would choose. */
export function longestWord(prompt: string): string {
  const words = prompt.match(/\p{L}+/gu) ?? [];
  return words.reduce((longest, word) => (word.length > longest.length ? word : longest), '');
}
