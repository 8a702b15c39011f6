/** `wirecheck explain` of the cases of `wirecheck relay`. */
import { loadExplanation } from '../contract/explanations.ts';
import { loadRelayCases } from '../relay/load-relay-suite.ts';
import type { Calls, RelayCase } from '../relay/relay-case.ts';
import { loadRelayContract } from '../relay/relay-contract.ts';
import { spread } from '../text/layout.ts';
import { labelled } from './explain-names.ts';

const CALL_WORDS: Readonly<Record<Calls, string>> = {
  // oxlint-disable-next-line id-denylist -- the word of the suite
  one: 'one call',
  parallel: '24 calls at once, each with its own word',
  'same-key': 'the same call twice, with the same key',
  'two-keys': 'the same call with WIRECHECK_API_KEY and with WIRECHECK_SECOND_KEY',
  leave: 'one call that the client leaves before its end',
  stall: 'one call, watched for ten seconds',
  models: 'one call with each model of --upstream-model',
  silence: 'one call whose upstream is silent in mid-stream, with --patient',
  idle: 'a call after 6 s and one after 16 s in which nothing else is sent, with --patient',
  refused: 'one call after the upstream has closed its port',
  none: 'no call of its own: it looks at all calls of the run',
};

export function explainRelayCase(id: string, width: number): readonly (readonly string[])[] {
  return loadRelayCases()
    .filter((testCase) => testCase.id === id)
    .map((testCase) => explain(testCase, width));
}

function explain({ id, title, source, mode, calls, expect }: RelayCase, width: number): readonly string[] {
  const contract = loadRelayContract();
  const { reading } = loadExplanation(expect[0]?.clause ?? '') ?? {};
  return [
    ...spread(id, `${source.file}:${source.line}`, width),
    '',
    ...labelled('Title', title, width),
    ...labelled('Sends', `${CALL_WORDS[calls]}${mode === 'stream' ? ', streamed' : ''}`, width),
    ...expect.flatMap(({ clause, check }) => {
      const known = contract.clause(clause);
      return labelled('Judges', `${clause} (${known?.level ?? 'unknown'}) by ${check}: ${known?.summary ?? ''}`, width);
    }),
    ...(reading === undefined ? [] : labelled('Reading', reading, width)),
    ...labelled('Run', `wirecheck relay "$WIRECHECK_BASE_URL" --upstream-port N --only ${id}`, width),
  ];
}
