/** Writes the same JSON in another spelling, which a reader of JSON does not notice (RFC 8259). */
import { isObject, type Json, type JsonObject } from '../json.ts';
import type { Spelling } from '../suite/case.ts';

interface Space {
  readonly open: string;
  readonly colon: string;
  readonly comma: string;
  readonly close: string;
  readonly outside: string;
}

const NO_SPACE: Space = { open: '', colon: ':', comma: ',', close: '', outside: '' };
/** Space in every place that allows it, of every kind. */
const EVERYWHERE: Space = { open: '\n\t', colon: ' : ', comma: ' ,\r\n\t', close: '\n', outside: ' \n' };

/** At this depth. */
function spaceOf(spellings: readonly Spelling[], depth: number): Space {
  if (spellings.includes('white-space')) return EVERYWHERE;
  if (!spellings.includes('indented')) return NO_SPACE;
  const line = `\n${'  '.repeat(depth)}`;
  return { open: `${line}  `, colon: ': ', comma: `,${line}  `, close: line, outside: '' };
}

export function spellJson(value: Json, spellings: readonly Spelling[]): string {
  const text = (content: string): string => spellText(content, spellings);
  const inOrder = (object: JsonObject): readonly (readonly [string, Json])[] => {
    const names = Object.keys(object);
    const sorted = spellings.includes('sorted-keys') ? names.toSorted() : names;
    const ordered = spellings.includes('key-order') ? sorted.toReversed() : sorted;
    return ordered.map((name) => [name, object[name] ?? null]);
  };
  const write = (part: Json, depth: number): string => {
    const space = spaceOf(spellings, depth);
    const list = (items: readonly string[], [open, close]: readonly [string, string]): string =>
      items.length === 0 ? open + close : `${open}${space.open}${items.join(space.comma)}${space.close}${close}`;
    const inside = (item: Json): string => write(item, depth + 1);
    if (typeof part === 'string') return text(part);
    if (Array.isArray(part)) return list((part as readonly Json[]).map(inside), ['[', ']']);
    if (!isObject(part)) return JSON.stringify(part);
    const members = inOrder(part).map(([name, member]) => `${text(name)}${space.colon}${inside(member)}`);
    return list(members, ['{', '}']);
  };
  const { outside } = spaceOf(spellings, 0);
  return `${outside}${write(value, 0)}${outside}`;
}

/** A raw number is a marked string, and keeps its mark. */
function spellText(content: string, spellings: readonly Spelling[]): string {
  const quoted = JSON.stringify(content);
  if (content.startsWith('${')) return quoted;
  const escaped = spellings.includes('escapes')
    ? quoted.replace(/^"([a-z])/i, (_, first: string) => `"${escapeUnit(first)}`)
    : quoted;
  const slashed = spellings.includes('escaped-slashes') ? escaped.replaceAll('/', '\\/') : escaped;
  return spellings.includes('surrogate-pairs') ? slashed.replaceAll(/[\u0080-\uffff]/g, escapeUnit) : slashed;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
