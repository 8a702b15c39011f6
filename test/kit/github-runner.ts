/** How GitHub's runner reads the output of a step, line by line: which commands it would carry out. */
export interface RunnerCommand {
  readonly name: string;
  readonly properties: Readonly<Record<string, string>>;
  readonly data: string;
}

export function commandsIn(output: string): readonly RunnerCommand[] {
  return output.split(/\r\n|\r|\n/).flatMap((line) => current(line) ?? older(line) ?? []);
}

function current(line: string): RunnerCommand | undefined {
  const [, info, data] = /^\s*::(.*?)::(.*)$/.exec(line) ?? [];
  if (info === undefined || data === undefined) return undefined;
  const [, name = '', list = ''] = /^(\S*) ?(.*)$/.exec(info) ?? [];
  const pairs = list.split(',').filter((pair) => pair.includes('='));
  const properties = pairs.map((pair) => {
    const at = pair.indexOf('=');
    const value = pair
      .slice(at + 1)
      .replaceAll('%3A', ':')
      .replaceAll('%2C', ',');
    return [pair.slice(0, at), unescape(value)];
  });
  return { name, properties: Object.fromEntries(properties), data: unescape(data) };
}

/** The older form counts anywhere in a line; Azure's agent has one of its own. */
function older(line: string): RunnerCommand | undefined {
  const [, name, data = ''] = /##(?:vso)?\[([\w.-]+).*?\](.*)$/.exec(line) ?? [];
  return name === undefined ? undefined : { name, properties: {}, data };
}

function unescape(text: string): string {
  return text.replaceAll('%0D', '\r').replaceAll('%0A', '\n').replaceAll('%25', '%');
}
