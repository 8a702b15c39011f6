/**
 * HTML templates. Every value is made inert and escaped, so that no text can become markup: tags come from the template
 * itself or from another template.
 */
import { inert } from '../../text/layout.ts';

/** A class, not an interface: no object read from a file can pass for one. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What is undefined or false is not shown. */
export type HtmlPiece = Markup | string | number | undefined | false | readonly HtmlPiece[];

export function html(template: TemplateStringsArray, ...pieces: readonly HtmlPiece[]): Markup {
  const fixed = withoutIndents(template);
  let text = fixed[0] ?? '';
  pieces.forEach((piece, at) => {
    text += textOf(piece) + (fixed[at + 1] ?? '');
  });
  return new Markup(text);
}

const templates = new WeakMap<TemplateStringsArray, readonly string[]>();

/** The indentation of the templates would be a third of the page. */
function withoutIndents(template: TemplateStringsArray): readonly string[] {
  const known = templates.get(template);
  if (known) return known;
  const fixed = template.map((part) => part.replaceAll(/\s*\n\s*/g, '\n').replaceAll('\n>', '>'));
  templates.set(template, fixed);
  return fixed;
}

function textOf(piece: HtmlPiece): string {
  if (piece instanceof Markup) return piece.text;
  if (piece === undefined || piece === false) return '';
  if (typeof piece === 'object') return piece.map(textOf).join('');
  return escapeHtml(inert(String(piece), Number.POSITIVE_INFINITY));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  // A page printed to the log of a CI runner must not hold workflow commands.
  '::': ':&#58;',
};

const TO_ESCAPE = /[&<>"']|::/;
const ALL_TO_ESCAPE = new RegExp(TO_ESCAPE, 'g');

function escapeHtml(text: string): string {
  return TO_ESCAPE.test(text) ? text.replaceAll(ALL_TO_ESCAPE, (found) => ENTITIES[found] ?? '') : text;
}

/** An element of a drawing or a table, with the attributes that have a value. */
export function element(
  name: 'circle' | 'line' | 'rect' | 'td' | 'text' | 'th',
  attributes: Readonly<Record<string, string | number | undefined>>,
  content: HtmlPiece = '',
): Markup {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const list = given.map(([key, value]) => html` ${new Markup(key)}="${value}"`);
  return html`${new Markup(`<${name}`)}${list}>${content}${new Markup(`</${name}>`)}`;
}

export function when<Value>(value: Value | undefined, write: (value: Value) => Markup): Markup | undefined {
  return value === undefined ? undefined : write(value);
}

export function join(pieces: readonly HtmlPiece[], between: Markup): Markup {
  return html`${pieces.map((piece, at) => (at === 0 ? piece : html`${between}${piece}`))}`;
}

/** Lines within a `pre`: line ends of a template may be dropped. */
export function joinLines(lines: readonly HtmlPiece[]): Markup {
  return join(lines, LINE_END);
}

const LINE_END = new Markup('\n');
