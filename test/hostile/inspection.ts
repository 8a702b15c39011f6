/** Inspects everything that a run left behind, with readers that share no code with the writers. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { checkFile } from '../../src/contract/file-schema.ts';
import type { FormatName } from '../../src/settings/format-names.ts';
import { agentProblems } from '../kit/agent-reading.ts';
import { junitProblems } from '../kit/junit-schema.ts';
import { outsideCode } from '../kit/markdown-reading.ts';
import { commandsIn } from '../kit/github-runner.ts';
import { metricProblems } from '../kit/metric-reading.ts';
import { SARIF_SCHEMA } from '../kit/sarif-schema.ts';
import { parseXml } from '../kit/xml.ts';
import { htmlProblems } from './html-reading.ts';
import { leaksOf } from './leaks.ts';
import type { Ended } from './run-cli.ts';
import { MARK } from './texts.ts';

/** Characters that terminals, editors or browsers do not show as such. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u;

const ajv = new Ajv2020({ allErrors: true });
formats.default(ajv);
const isSarif = ajv.compile(SARIF_SCHEMA);

const READERS: Record<Exclude<FormatName, 'terminal'>, (text: string) => readonly string[]> = {
  json: (text) => {
    checkFile('report', { file: 'report.json', value: JSON.parse(text) as unknown });
    return [];
  },
  html: htmlProblems,
  junit: (text) => junitProblems(parseXml(text)),
  markdown: markdownProblems,
  sarif: (text) => (isSarif(JSON.parse(text)) ? [] : (isSarif.errors ?? []).map(({ message = '' }) => message)),
  github: (text) => {
    const lines = text.trimEnd().split('\n');
    const strange = lines.filter((line) => commandsIn(line).some(({ name }) => !/^(error|warning|notice)$/.test(name)));
    return commandsIn(text).length === lines.length && strange.length === 0 ? [] : ['more than annotations'];
  },
  badge: (text) => (typeof JSON.parse(text) === 'object' ? [] : ['no object']),
  agent: (text) => agentProblems(text, MARK),
  prometheus: metricProblems,
  summary: markdownProblems,
};

function markdownProblems(text: string): readonly string[] {
  const outside = text.split('\n').map(outsideCode).join('\n');
  return /https?:|javascript:|<(?!\/?(?:details|summary|br|sub|kbd)\b)/.test(outside) ? ['markup outside code'] : [];
}

/** Characters. A recording can be very long, and is much the same throughout. */
const MAX_RECORDING_LENGTH = 2 * 1024 * 1024;

/** One sentence per problem. */
export function problemsOf(ended: Ended, credentials: Iterable<string>, withoutBodies: boolean): readonly string[] {
  const { stdout, stderr, files, left } = ended;
  const { recording = '', ...others } = files;
  const texts = { stdout, stderr, ...others, recording: recording.slice(0, MAX_RECORDING_LENGTH) };
  const problems: string[] = [];
  for (const [name, text] of Object.entries(texts)) {
    for (const leak of leaksOf(text, credentials)) problems.push(`${name} holds a secret: ${leak}`);
    const unseen = UNSEEN.exec(text.replaceAll('\n', ''));
    if (unseen) problems.push(`${name} holds U+${unseen[0].codePointAt(0)?.toString(16)}`);
    if (name !== 'github' && commandsIn(text).length > 0) problems.push(`${name} holds a workflow command`);
    // A recording consists of the target's texts.
    if (withoutBodies && name !== 'recording' && text.toLowerCase().includes(MARK))
      problems.push(`${name} holds a text of the target`);
  }
  for (const [name, read] of Object.entries(READERS)) {
    const text = files[name as FormatName];
    if (text === undefined) problems.push(`there is no ${name}`);
    else problems.push(...attempt(() => read(text)).map((problem) => `${name}: ${problem}`));
  }
  if (left.some((name) => name.endsWith('.tmp'))) problems.push('a temporary file is left');
  if (left.some((name) => name.includes(MARK))) problems.push('a file has a name of the target');
  return problems;
}

function attempt(read: () => readonly string[]): readonly string[] {
  try {
    return read();
  } catch (error) {
    return [(error as Error).message];
  }
}
