/** Writes the same JSON in another spelling, which a reader of JSON does not notice (RFC 8259). */
import { isObject, type Json } from '../json.ts';
import type { Spelling } from '../suite/case.ts';

/** Space in every place that allows it, of every kind. */
const SPACES = { open: '\n\t', colon: ' : ', comma: ' ,\r\n\t', close: '\n', outside: ' \n' };
const NO_SPACES: typeof SPACES = { open: '', colon: ':', comma: ',', close: '', outside: '' };

export function spellJson(value: Json, spellings: readonly Spelling[]): string {
  const space = spellings.includes('white-space') ? SPACES : NO_SPACES;
  const text = (content: string): string => spellText(content, spellings);
  const list = (items: readonly string[], [open, close]: readonly [string, string]): string =>
    items.length === 0 ? open + close : `${open}${space.open}${items.join(space.comma)}${space.close}${close}`;
  const write = (part: Json): string => {
    if (typeof part === 'string') return text(part);
    if (Array.isArray(part)) return list((part as readonly Json[]).map(write), ['[', ']']);
    if (!isObject(part)) return JSON.stringify(part);
    const members = Object.entries(part).map(([name, member]) => `${text(name)}${space.colon}${write(member)}`);
    return list(spellings.includes('key-order') ? members.toReversed() : members, ['{', '}']);
  };
  return `${space.outside}${write(value)}${space.outside}`;
}

/** A raw number is a marked string, and keeps its mark. */
function spellText(content: string, spellings: readonly Spelling[]): string {
  const quoted = JSON.stringify(content);
  if (content.startsWith('${')) return quoted;
  const escaped = spellings.includes('escapes')
    ? quoted.replace(/^"([a-z])/i, (_, first: string) => `"${escapeUnit(first)}`)
    : quoted;
  return spellings.includes('surrogate-pairs') ? escaped.replaceAll(/[\u0080-\uffff]/g, escapeUnit) : escaped;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
