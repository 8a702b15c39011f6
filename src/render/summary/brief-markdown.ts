/** The summary as Markdown, for a mail, a ticket or a pull request. */
import type { Report } from '../../report/report.ts';
import { count } from '../../text/layout.ts';
import { lookOf } from '../looks.ts';
import { adviceText, code, prose } from '../markdown/markdown-text.ts';
import type { Quotation } from '../part-text.ts';
import { formatTarget, listRunFlags, noteLines } from '../run-text.ts';
import { verdictLine } from '../verdict-line.ts';
import { type BrokenSentence, type Brief, makeBrief } from './brief.ts';

export function briefMarkdown(report: Report, page?: string): string {
  const brief = makeBrief(report, page);
  const { title, target, provenance, tool } = report;
  const facts = [
    code(formatTarget(report)),
    ...(target.model === undefined ? [] : [`model ${code(target.model, 60)}`]),
    prose(provenance.startedAt.slice(0, 10)),
    ...listRunFlags(report).map((flag) => prose(flag)),
    `wirecheck ${code(tool.version)}`,
  ];
  const parts = [
    ...(title === undefined ? [] : [`# ${prose(title)}`]),
    `## ${lookOf(report).mark} ${prose(verdictLine(report))}`,
    facts.join(' · '),
    brief.meaning,
    ...(brief.explored === undefined ? [] : [prose(brief.explored)]),
    ...noteLines(report).map((line) => `> ${prose(line, Infinity)}`),
    ...(brief.ending === undefined ? [] : [adviceText(brief.ending)]),
    ...brokenPart(brief),
    ...notJudgedPart(brief),
    `### How to read the rest\n\n${brief.guide.map(formatGuide).join('\n')}`,
  ];
  return `${parts.join('\n\n')}\n`;
}

/** A command is one piece of code, so that it can be copied. */
function formatGuide({ words, command }: Brief['guide'][number]): string {
  return `- ${prose(words)}${command === undefined ? '' : ` ${code(command, Infinity)}.`}`;
}

function brokenPart({ broken, more }: Brief): readonly string[] {
  if (broken.length === 0) return [];
  const rest = more === undefined ? [] : [`- ${prose(more)}.`];
  return [`### Broken\n\n${[...broken.map(formatBroken), ...rest].join('\n')}`];
}

function formatBroken(each: BrokenSentence): string {
  const { expected, actual = '', forms, also, hurts, affected, excuse } = each;
  return [
    `- **${prose(each.sentence)}** ${code(each.clause)}, ${prose(each.source)}`,
    ...each.contract.map(formatQuotation),
    ...(expected === undefined ? [] : [`expected ${code(expected, Infinity)}, got ${code(actual, Infinity)}`]),
    ...(forms === undefined ? [] : [`also got ${code(forms, Infinity)}`]),
    prose(`seen in ${each.where}`),
    ...(also === undefined ? [] : [prose(`also: ${also}`)]),
    ...(hurts === undefined ? [] : [prose(`who is hurt: ${hurts}`)]),
    ...(affected === undefined ? [] : [prose(`affected: ${affected}`, 1_000)]),
    ...(excuse === undefined ? [] : [prose(excuse, 1_000)]),
  ].join('\n  - ');
}

function formatQuotation({ where, words }: Quotation): string {
  return `${prose(`contract: ${where}`)}${words === undefined ? '' : `: "${prose(words)}"`}`;
}

function notJudgedPart({ judged, notJudged }: Brief): readonly string[] {
  if (notJudged.length === 0) return [];
  const lines = notJudged.map(({ words, clauses }) => `- ${count(clauses, 'clause')}: ${prose(words)}`);
  return [`### Not judged\n\n${judged}\n\n${lines.join('\n')}`];
}
