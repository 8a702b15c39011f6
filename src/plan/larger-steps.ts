/** The steps of a case that sends larger and larger bodies. */
import type { Ask, Case } from '../suite/case.ts';
import { applyEdits } from './apply-edits.ts';
import { seeksOf } from './classify-step.ts';
import { makeLargerFillers } from './filler.ts';
import { addStep, type StepDraft } from './step-draft.ts';

interface Smaller {
  readonly control: string | undefined;
  /** The steps of the case that sends a smaller one. */
  readonly smaller: readonly string[];
}

/** Each is sent if the one before was not refused for its size. The first one counts too: it may be as far as it goes. */
export function addLarger(
  draft: StepDraft,
  testCase: Case,
  ask: Ask,
  { control, smaller }: Smaller,
): readonly string[] {
  const template = applyEdits(ask.base, ask.edits, testCase);
  const seeks = seeksOf(testCase, ask, template, draft.checks);
  const ids = [...smaller];
  for (const [place, filler] of makeLargerFillers(draft.settings).entries()) {
    const id = `${testCase.id}#${place + 1}`;
    const before = ids.at(-1);
    addStep(draft, {
      id,
      wave: 'large',
      template: { ...template, filler },
      edits: ask.edits,
      seeks,
      ...(control !== undefined && { control }),
      ...(before !== undefined && { when: { kind: 'taken', step: before } as const }),
      needs: before === undefined ? [] : [before],
    });
    ids.push(id);
  }
  return ids;
}
