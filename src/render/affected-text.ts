/** The sentence that names the stock clients which a finding affects. */
import { inert } from '../text/inert.ts';
import { count } from '../text/layout.ts';
import type { AffectedClients, AffectedReport } from '../report/report.ts';

type Effect = AffectedClients['affected'][number]['effect'];
type Call = AffectedClients['call'];

const EFFECT_WORDS: Record<Effect, (call: Call) => string> = {
  throws: () => 'throws',
  rejects: (call) => (call === 'stream' ? 'rejects the chunk' : 'rejects the answer'),
  hangs: () => 'hangs',
  retries: () => 'retries for longer than 15 seconds',
  empty: (call) => (call === 'models' ? 'returns no ids' : 'returns no text'),
  part: () => 'returns part of the text as the whole',
  other: (call) => (call === 'models' ? 'returns other ids' : 'returns other text'),
};

const CALL_WORDS: Record<Call, string> = { plain: 'plain', stream: 'streamed', models: 'model list' };

/** Reads on after the word `Affected`. */
export function formatAffected({ measured, mismatches }: AffectedReport): string {
  const spared = [...new Set(mismatches.flatMap(({ unaffected }) => unaffected.map((client) => inert(client))))];
  if (mismatches.every(({ affected }) => affected.length === 0)) {
    return `none of the ${count(spared.length, 'client')} measured (${inert(measured)}, default settings): ${spared.join(', ')}`;
  }
  const distinct = [...new Set(mismatches.map(formatClients))];
  const texts =
    distinct.length === 1 ? distinct : mismatches.map((each) => `${CALL_WORDS[each.call]}: ${formatClients(each)}`);
  return `(measured ${inert(measured)}, default settings): ${texts.join('. ')}`;
}

function formatClients({ call, affected, unaffected }: AffectedClients): string {
  const spared = unaffected.map((client) => inert(client)).join(', ');
  if (affected.length === 0) return `none of ${count(unaffected.length, 'client')}`;
  const named = affected.map(({ client, effect }) => `${inert(client)} (${EFFECT_WORDS[effect](call)})`).join(', ');
  return spared === '' ? named : `${named}; not ${spared}`;
}
