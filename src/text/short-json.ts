/** The first characters of a value as JSON. The value may be megabytes long, so it is never written out in full. */
import { isObject } from '../json.ts';

const MAX_LENGTH = 120;

export function shortJson(value: unknown, longest = MAX_LENGTH): string {
  const text = write(value, longest + 1);
  if (text.length <= longest) return text;
  const cut = text.slice(0, longest - 1);
  // Never end on half a surrogate pair.
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** Stops soon after `room` characters. */
function write(value: unknown, room: number): string {
  if (typeof value === 'string') return JSON.stringify(value.length > room ? value.slice(0, room) : value);
  if (Array.isArray(value)) {
    let text = '[';
    for (const [index, item] of value.entries()) {
      if (text.length >= room) return text;
      text += (index > 0 ? ',' : '') + write(item, room - text.length);
    }
    return `${text}]`;
  }
  if (isObject(value)) {
    let text = '{';
    for (const name in value) {
      if (text.length >= room) return text;
      if (!Object.hasOwn(value, name)) continue;
      text += `${text.length > 1 ? ',' : ''}${write(name, room)}:`;
      text += write(value[name], Math.max(1, room - text.length));
    }
    return `${text}}`;
  }
  return value === undefined ? '' : JSON.stringify(value);
}
