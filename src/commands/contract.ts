/** `wirecheck contract`: the contract as Markdown, clause by clause. */

import { type Clause, type Contract, formatInside } from '../contract/contract.ts';
import { contractOf, UNCHANGED } from '../contract/profile/apply-profile.ts';
import { loadProfile } from '../contract/profile/read-profile.ts';
import { prose } from '../render/markdown/markdown-text.ts';
import { formatProfile, listChanges } from '../render/profile-text.ts';
import { groupBy } from '../report/counts.ts';
import { type ProfileReport, reportProfile } from '../report/profile-report.ts';
import type { CommandIo } from './command-io.ts';

export interface ContractFlags {
  readonly profile?: string;
}

export function contractCommand({ profile: name }: ContractFlags, { stdout, cwd }: CommandIo): number {
  const chosen = name === undefined ? UNCHANGED : { levels: {}, profile: loadProfile(name, cwd) };
  const contract = contractOf(chosen);
  const profile = reportProfile(chosen);
  const parts = [...(profile ? introduce(profile) : ['# v1']), ...listRules(contract), ...listClauses(contract)];
  stdout.write(`${parts.join('\n\n')}\n`);
  return 0;
}

function introduce(profile: ProfileReport): readonly string[] {
  const changes = listChanges(profile).map(({ what, why }) => `- ${prose(what)}. ${prose(why)}`);
  return [
    `# ${prose(formatProfile(profile))}`,
    ...(profile.about === undefined ? [] : [prose(profile.about)]),
    `Digest: \`${profile.digest}\``,
    '## Changes to v1',
    changes.join('\n'),
  ];
}

function listRules({ rules: { limits, required, added } }: Contract): readonly string[] {
  const sent = Object.entries(added).map(([pointer, value]) => `- ${prose(`${pointer}: ${JSON.stringify(value)}`)}`);
  return [
    '## Requests',
    [
      `- Required: ${required.map((field) => `\`${field}\``).join(', ')}`,
      ...Object.entries(limits).map(([field, range]) => `- \`${field}\` ${formatInside(range)}`),
    ].join('\n'),
    ...(sent.length === 0 ? [] : ['Every chat request also has:', sent.join('\n')]),
  ];
}

function listClauses({ clauses }: Contract): readonly string[] {
  return [...groupBy(clauses, ({ id }) => id.split('.')[0] ?? id)].flatMap(([area, own]) => [
    `## ${area}`,
    ['| clause | level | part | statement |', '|---|---|---|---|', ...own.map(formatRow)].join('\n'),
  ]);
}

function formatRow({ id, level, part, summary }: Clause): string {
  return `| \`${id}\` | ${level === 'none' ? 'not judged' : level} | ${part} | ${prose(summary).replaceAll('|', String.raw`\|`)} |`;
}
