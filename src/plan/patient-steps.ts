/** The steps of a case that pauses (`--patient`): the list and a call after each pause, on a kept connection and on a new one. */
import type { Ask, Case } from '../suite/case.ts';
import { applyEdits } from './apply-edits.ts';
import { type Idle, LIST_STEP } from './plan.ts';
import { addStep, baseOf, type StepDraft } from './step-draft.ts';

export function addPatient(draft: StepDraft, testCase: Case, ask: Ask): readonly string[] {
  const list = applyEdits(baseOf(draft, LIST_STEP), []);
  const call = applyEdits(ask.base, ask.edits, testCase);
  const ids: string[] = [];
  for (const pause of draft.settings.pauses) {
    for (const [name, template] of [
      ['list', list],
      ['call', call],
    ] as const) {
      const connection = `${testCase.id}#${pause / 1000}s-${name}`;
      for (const on of ['opening', 'kept', 'new'] as const) {
        const id = `${connection}-${on}`;
        const idle: Idle = { pause, on, ...(on !== 'new' && { connection }) };
        // The list is free, and opens a connection as well as a call does.
        const sent = { ...(on === 'opening' ? list : template), idle };
        addStep(draft, { id, wave: 'patient', template: sent, edits: ask.edits, seeks: 'answer', needs: [] });
        ids.push(id);
      }
    }
  }
  return ids;
}
