/** Parts of a report that several formats have alike: the verdict with a line on the run, how it ended, the note of its maker. */
import { adviseOnEnding } from '../../exchange/ending.ts';
import type { Report } from '../../report/report.ts';
import { inert } from '../../text/inert.ts';
import { joinTexts, type Part } from '../document/document.ts';
import { lookOf } from '../looks.ts';
import { noteLines } from '../run-text.ts';
import { splitAdvice } from '../split-advice.ts';
import { verdictLine } from '../verdict-line.ts';
import { headOf } from './report-facts.ts';

/** The title, the verdict, and a line on the run. */
export function headingPart(report: Report, names: readonly (keyof ReturnType<typeof headOf>)[]): Part {
  const head = headOf(report);
  return [
    ...(report.title === undefined ? [] : [{ kind: 'heading', level: 1, text: inert(report.title, 600) } as const]),
    { kind: 'heading', level: 2, text: verdictLine(report), mark: lookOf(report).mark },
    {
      kind: 'paragraph',
      text: joinTexts(
        names.flatMap((name) => head[name]),
        ' · ',
      ),
    },
  ];
}

export function endingPart(report: Report): Part {
  const sentence = adviseOnEnding(report);
  if (sentence === undefined) return [];
  const { words, command } = splitAdvice(sentence);
  return [{ kind: 'paragraph', text: words, command, tone: 'strong' }];
}

export function notePart(report: Report): Part {
  const lines = noteLines(report);
  return lines.length === 0 ? [] : [{ kind: 'note', lines }];
}
