/** What of a Markdown page is not code: the only place where a text could become a link, a mention or markup. */

/** By CommonMark 6.1: a run of backticks opens a span if a run of the same length follows. */
export function outsideCode(line: string): string {
  let rest = line;
  let outside = '';
  for (let open = /`+/.exec(rest); open; open = /`+/.exec(rest)) {
    const inside = rest.slice(open.index + open[0].length);
    const close = [...inside.matchAll(/`+/g)].find(([run]) => run.length === open?.[0].length);
    outside += rest.slice(0, open.index);
    if (!close) throw new Error(`a code span without an end: ${line}`);
    rest = inside.slice(close.index + close[0].length);
  }
  return outside + rest;
}

/** Line by line the characters outside code that Markdown or HTML could take for something. */
export function markupOf(page: string): readonly string[] {
  return page.split('\n').map((line) => outsideCode(line).replaceAll(/[\p{L}\p{N}\s.,;:()'"%…–·/?-]/gu, ''));
}
