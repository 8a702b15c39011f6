/** Reads just enough of a page to see whether text from the target has become markup. */

/** Useful to an attacker, and in no report. */
const FOREIGN = new Set(['img', 'iframe', 'object', 'embed', 'base', 'audio', 'video', 'math']);
const RAW = /^(?:script|style)$/;
const VOID = /^(?:meta|link|br|hr|input|wbr|col)$/;

export function htmlProblems(page: string): readonly string[] {
  if (!page.startsWith('<!doctype html>')) return ['no doctype'];
  const problems: string[] = [];
  const open: string[] = [];
  let scripts = 0;
  let at = '<!doctype html>'.length;
  for (;;) {
    const start = page.indexOf('<', at);
    if (start === -1) break;
    const tag = /<(\/?)([a-z][\w-]*)((?:\s+[\w:-]+(?:="[^"<]*")?)*)\s*(\/?)>/y;
    tag.lastIndex = start;
    const match = tag.exec(page);
    if (!match) {
      problems.push(`something at ${start} that is no tag: ${page.slice(start, start + 60)}`);
      break;
    }
    const [all, end, name = '', attributes = '', closed] = match;
    at = start + all.length;
    problems.push(...elementProblems(name, attributes));
    if (end === '/') {
      if (open.pop() !== name) problems.push(`an end of ${name} at ${start} that nothing began`);
    } else if (RAW.test(name)) {
      scripts += Number(name === 'script');
      at = page.indexOf(`</${name}>`, at) + name.length + 3;
    } else if (closed !== '/' && !VOID.test(name)) open.push(name);
    if (problems.length > 5) break;
  }
  if (open.length > 0) problems.push(`never ended: ${open.join(' ')}`);
  if (scripts > 1) problems.push(`${scripts} scripts`);
  return problems;
}

function elementProblems(name: string, attributes: string): readonly string[] {
  const problems = FOREIGN.has(name) ? [`an element ${name}`] : [];
  for (const [, attribute = '', value = ''] of attributes.matchAll(/\s([\w:-]+)(?:="([^"]*)")?/g)) {
    if (/^on/i.test(attribute)) problems.push(`an attribute ${attribute}`);
    if (/^(?:href|src|action)$/.test(attribute) && !/^(?:#|data:image\/svg)/.test(value))
      problems.push(`${attribute}=${value}`);
  }
  return problems;
}
