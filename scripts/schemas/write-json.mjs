// JSON for readers: whatever fits in a line is on one line.

const WIDTH = 120;

/** @param {unknown} value */
export function writeJson(value) {
  return `${textOf(value, '', 0)}\n`;
}

/**
 * @param {unknown} value
 * @param {string} indent
 * @param {number} used Characters of the line before and after the value.
 * @returns {string}
 */
function textOf(value, indent, used) {
  const line = JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ');
  if (typeof value !== 'object' || value === null || (indent !== '' && indent.length + used + line.length <= WIDTH)) return line;
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = isList
    ? value.map((item) => `${inner}${textOf(item, inner, 1)}`)
    : Object.entries(value).map(([name, member]) => {
        const key = `${JSON.stringify(name)}: `;
        return `${inner}${key}${textOf(member, inner, key.length + 1)}`;
      });
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}
