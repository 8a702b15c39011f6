/**
 * A document as plain data. What there is to say is built once; a writer for each format lays it out and makes every text
 * inert: `write-terminal.ts`, `write-markdown.ts`, `write-agent.ts` and `write-html.ts`. Which parts a format has, in which
 * order, and how much of each, is the outline of a builder.
 */

import { inert } from '../../text/layout.ts';

/** No information is carried by colour alone. */
export type Tone = 'bad' | 'unsure' | 'warn' | 'good' | 'quiet' | 'strong';

/**
 * A sentence of ours, or what is not ours or is code: an id, an address, a body, a command. A sentence may still quote the
 * target; the Markdown writer makes code of each word of it that GitHub would take for more than a word.
 */
export type Span = string | { readonly code: string };
export type MarkedText = Span | readonly Span[];

export interface Fact {
  /** Without one, the text goes on with the fact before. */
  readonly label: string;
  readonly text: MarkedText;
  /** Said at the end: `and in 3 more answers`. */
  readonly aside?: string | undefined;
  /** What a reader looks for first. */
  readonly isTelling?: boolean;
  /** A command is pasted, so it is never broken. */
  readonly isCommand?: boolean;
}

/** One of a list: a reason with its cases, or an entry with facts below it, such as a finding. */
export interface ListItem {
  readonly text: MarkedText;
  /** `must · part 7` */
  readonly aside?: MarkedText;
  readonly tone?: Tone;
  /** A terminal shows it in front. */
  readonly sign?: string;
  /** How many there are of it, such as `3 cases`, and which. */
  readonly count?: string;
  readonly ids?: readonly string[];
  readonly facts?: readonly Fact[];
  /** What it is about, for the agent writer: facts that an earlier item of the same topic has are not said again. */
  readonly topic?: string;
  /** Labelled texts of the target's that the facts leave out, the most telling first. Only the agent writer shows them. */
  readonly quotes?: readonly string[];
}

export interface List {
  readonly kind: 'list';
  /** Our own words only. Empty where a section has its own. */
  readonly heading: string;
  readonly tone?: Tone;
  readonly items: readonly ListItem[];
  /** How many are shown at most in Markdown. */
  readonly most?: number;
  /** Noun of an item, to count those left out. */
  readonly noun: string;
  /** How many of the ids of an item are shown. */
  readonly mostIds?: number;
  /** Not folded away where a format can fold. */
  readonly isOpen?: boolean;
  /** Items without room in the text for an agent: their label, and where to read them. */
  readonly others?: { readonly label?: string; readonly hint: string };
}

export interface Column {
  readonly head: string;
  /** Where the table does not fit. */
  readonly short?: string;
  /** Left out where the table does not fit. */
  readonly isOptional?: boolean;
}

/** The first column is text, the others are numbers. */
export interface Table {
  readonly kind: 'table';
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly MarkedText[])[];
  /** The last row sums up the others. */
  readonly hasTotal?: boolean;
  /** The others have text as well. */
  readonly isText?: boolean;
}

export type Block =
  /** The level is 1 for the whole document, 2 for the verdict, 3 for a section. */
  | {
      readonly kind: 'heading';
      readonly level: 1 | 2 | 3;
      readonly text: MarkedText;
      readonly tone?: Tone;
      readonly mark?: string;
    }
  /** `command`: to be tried, at its end. `quotes`: as those of an item. */
  | {
      readonly kind: 'paragraph';
      readonly text: MarkedText;
      readonly tone?: Tone;
      readonly command?: string | undefined;
      readonly quotes?: readonly string[];
    }
  /** The words of whoever made the report. */
  | { readonly kind: 'note'; readonly lines: readonly string[] }
  | { readonly kind: 'facts'; readonly heading?: string; readonly facts: readonly Fact[] }
  | { readonly kind: 'lines'; readonly lines: readonly LogLine[] }
  | Table
  | List;

/** What a section of a page uses: it has a heading and a note of its own. */
export type PageBlock = Exclude<Block, { kind: 'heading' | 'note' }> & NotOnPages;

/** What no page has yet, so that its writer would show nothing of it. */
type NotOnPages = { readonly heading?: ''; readonly command?: never; readonly isText?: never };

/** A line of a log. A terminal indents it in columns. */
export interface LogLine {
  readonly lead: string;
  readonly text: MarkedText;
  readonly tone?: Tone;
}

/** Blocks that stand together. */
export type Part = readonly Block[];
export type Document = readonly Part[];

/** Data, which is shown as code. */
export function asCode(text: string): Span {
  return { code: text };
}

export function spansOf(text: MarkedText): readonly Span[] {
  return Array.isArray(text) ? text : [text as Span];
}

/** Code looks like any text, without marks. */
export function plainText(text: MarkedText): string {
  return spansOf(text)
    .map((span) => (typeof span === 'string' ? span : span.code))
    .join('');
}

/** `Label: text, aside` */
export function factLine({ label, text, aside = '' }: Fact): string {
  return `${label === '' ? '' : `${label}: `}${plainText(text)}${aside === '' ? '' : `, ${aside}`}`;
}

/** A fact, if there is a text for it. */
export function fact(label: string, text: MarkedText | undefined, more: Partial<Fact> = {}): readonly Fact[] {
  return text === undefined ? [] : [{ label, text, ...more }];
}

/** Texts one after the other, with something in between. */
export function joinTexts(texts: readonly MarkedText[], between: string): MarkedText {
  return texts.flatMap((text, at) => [...(at === 0 ? [] : [between]), ...spansOf(text)]);
}

/** A sentence with data in it: each value is a text of its own. */
export function marked(words: TemplateStringsArray, ...values: readonly MarkedText[]): MarkedText {
  return words.flatMap((text, at) => [text, ...spansOf(values[at] ?? '')]);
}

/** `a, b and 3 more` */
export function listTexts(texts: readonly MarkedText[], most: number): MarkedText {
  const more = texts.length - most;
  return [joinTexts(texts.slice(0, most), ', '), more > 0 ? ` and ${more} more` : ''].flat();
}

/** The same of names, as code. */
export function listCodes(names: readonly string[], most: number): MarkedText {
  const codes = names.map((name) => asCode(inert(name)));
  return listTexts(codes, most);
}
