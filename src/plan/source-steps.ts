/** The steps that supply values for other requests. */
import { BRIEF_STEP, CONTROL_STEP, LIST_STEP, type RequestTemplate, RESTRICTED_LIST_STEP } from './plan.ts';
import { addPlain, baseOf, type StepDraft } from './step-draft.ts';

/**
 * Adds the steps whose answers supply values for this request, whether or not their cases were selected. Which model the
 * restricted key may call shows only when one has answered: the basis of the request.
 */
export function addSources(draft: StepDraft, { body }: RequestTemplate, basis?: string): readonly string[] {
  const text = JSON.stringify(body ?? null);
  const sources: string[] = [];
  if (text.includes('${briefTokens}')) {
    const edits = [{ kind: 'set', pointer: '/max_tokens', value: 1 }] as const;
    addPlain(draft, BRIEF_STEP, 'positive', { base: baseOf(draft, CONTROL_STEP), edits });
    sources.push(BRIEF_STEP);
  }
  if (text.includes('${restrictedModel}')) {
    const edits = [{ kind: 'key', use: 'restricted' }] as const;
    addPlain(draft, RESTRICTED_LIST_STEP, 'positive', { base: baseOf(draft, LIST_STEP), edits });
    sources.push(basis ?? RESTRICTED_LIST_STEP);
  }
  return sources;
}
