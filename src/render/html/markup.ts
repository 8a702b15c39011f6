/**
 * HTML by template. Whatever is put into one is made visible and escaped, so that no text can become markup: the only
 * way to write a tag is to write it in the template itself.
 */
import { inert } from '../../text/inert.ts';

/** A class, not a shape: an object read from a file can never pass for one. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Piece = Markup | string | number | readonly Piece[];

/** For a part that is left out. */
export const NOTHING = new Markup('');

/** Inside `pre`, where the line ends of a template would not do. */
export const LINE_END = new Markup('\n');

export function html(template: TemplateStringsArray, ...pieces: readonly Piece[]): Markup {
  const fixed = withoutIndents(template);
  let text = fixed[0] ?? '';
  pieces.forEach((piece, at) => {
    text += textOf(piece) + (fixed[at + 1] ?? '');
  });
  return new Markup(text);
}

const templates = new WeakMap<TemplateStringsArray, readonly string[]>();

/** Templates are laid out for their reader; that layout would be a third of the page. */
function withoutIndents(template: TemplateStringsArray): readonly string[] {
  const known = templates.get(template);
  if (known) return known;
  const fixed = template.map((part) => part.replaceAll(/\s*\n\s*/g, '\n').replaceAll('\n>', '>'));
  templates.set(template, fixed);
  return fixed;
}

function textOf(piece: Piece): string {
  if (piece instanceof Markup) return piece.text;
  if (typeof piece === 'object') return piece.map(textOf).join('');
  return escapeHtml(inert(String(piece), Number.POSITIVE_INFINITY));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // Reads as it is, and yet is no command to a runner whose log the page is printed to.
  '::': ':&#58;',
};

const TO_ESCAPE = /[&<>"']|::/;
const ALL_TO_ESCAPE = new RegExp(TO_ESCAPE, 'g');

function escapeHtml(text: string): string {
  return TO_ESCAPE.test(text) ? text.replaceAll(ALL_TO_ESCAPE, (found) => ENTITIES[found] ?? '') : text;
}

/** For what stands only under a condition. */
export function when<Value>(value: Value | undefined | false | null, write: (value: Value) => Markup): Markup {
  return value === undefined || value === false || value === null ? NOTHING : write(value);
}

export function join(pieces: readonly Piece[], between: Markup): Markup {
  return html`${pieces.map((piece, at) => (at === 0 ? piece : html`${between}${piece}`))}`;
}
