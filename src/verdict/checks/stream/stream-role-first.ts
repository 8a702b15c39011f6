import type { ChoicePart, ChoiceReading } from '../../../exchange/reading/choices.ts';
import type { Check } from '../../check.ts';
import { judged, shown } from '../../finding.ts';
import type { Finding } from '../../verdict.ts';
import { inEvent, judgeStreams, seeClause, type StreamView } from './stream-view.ts';

const ROLE = 'assistant';

function misplaced(stream: StreamView, { parts }: ChoiceReading): readonly Finding[] {
  const wrong = ({ event, position, role }: ChoicePart, isFirst: boolean): Finding =>
    inEvent(stream, event, ['choices', position, 'delta', 'role'], {
      mismatch: role === undefined ? 'absent' : role.text === '' ? 'empty' : 'value',
      expected: isFirst ? 'assistant in the first delta' : 'assistant, or no role, in a later delta',
      actualType: role?.type ?? 'absent',
      actual: role?.text === undefined ? (role?.type ?? 'no role') : shown(role.text),
    });
  const deltas = parts.filter(({ hasDelta }) => hasDelta);
  return deltas.flatMap((part, place) => {
    const isFine = part.role === undefined ? place > 0 : part.role.text === ROLE;
    return isFine ? [] : [wrong(part, place === 0)];
  });
}

/** Part 1: clients begin a message with its role. One in every delta is odd but harmless. */
export const streamRoleFirst: Check = {
  summary: 'The role assistant comes with the first delta, and no later role is empty or another.',
  execute: (input) =>
    judgeStreams(input, 'choice', (stream) => {
      const { choices } = stream.chunks;
      if (!choices.some(({ parts }) => parts.some(({ hasDelta }) => hasDelta))) {
        return seeClause('no choice has a delta', 'stream.choice-delta');
      }
      return judged(choices.flatMap((choice) => misplaced(stream, choice)));
    }),
};
