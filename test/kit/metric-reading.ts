/** Reads Prometheus' text format by its grammar, with code of its own. */
const HELP = /^# HELP ([a-z_]+) (.+)$/;
const COMMENT = /^# (?!HELP|TYPE)\S/;
const TYPE = /^# TYPE ([a-z_]+) gauge$/;
const SAMPLE = /^([a-z_]+)\{((?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*",?)+)\} (-?\d+(?:\.\d+)?(?:e[+-]\d+)?)$/;

/** One sentence per problem. */
export function metricProblems(text: string): readonly string[] {
  const problems: string[] = [];
  if (!text.endsWith('\n')) problems.push('no line end at the end');
  const seen = new Set<string>();
  let current: string | undefined;
  for (const line of text.trimEnd().split('\n')) {
    if (COMMENT.test(line)) continue;
    const [, helped] = HELP.exec(line) ?? [];
    const [, typed] = TYPE.exec(line) ?? [];
    const [, name, labels] = SAMPLE.exec(line) ?? [];
    if (helped !== undefined) current = helped;
    else if (typed !== undefined && typed !== current) problems.push(`a type without its help: ${line}`);
    else if (typed === undefined && name === undefined)
      problems.push(`not a line of the format: ${line.slice(0, 200)}`);
    if (name === undefined) continue;
    if (name !== current) problems.push(`a sample outside its group: ${line.slice(0, 200)}`);
    if (seen.has(`${name}{${labels}}`)) problems.push(`twice: ${name}{${labels}}`);
    seen.add(`${name}{${labels}}`);
  }
  return problems;
}
