// JSON for readers: whatever fits in a line is on one line.

const WIDTH = 120;

/** @param {object} value */
export function writeJson(value) {
  return `${onLines(value, '')}\n`;
}

/**
 * @param {object} value
 * @param {string} indent
 * @returns {string}
 */
function onLines(value, indent) {
  const inner = `${indent}  `;
  const isList = Array.isArray(value);
  const parts = Object.entries(value).map(([name, member]) => {
    const start = isList ? inner : `${inner}${JSON.stringify(name)}: `;
    const line = start + onOneLine(member);
    // The comma takes a character too.
    const fits = line.length < WIDTH || typeof member !== 'object' || member === null;
    return fits ? line : start + onLines(member, inner);
  });
  const [open, close] = isList ? '[]' : '{}';
  return `${open}\n${parts.join(',\n')}\n${indent}${close}`;
}

/** @param {unknown} value @returns {string} */
function onOneLine(value) {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  const members = Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${onOneLine(member)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
