/** `wirecheck explain` of a scenario for clients. */
import { loadScenarios, type Outlook, type Scenario } from '../client/scenario.ts';
import type { Contract } from '../contract/contract.ts';
import { loadExplanation } from '../contract/explanations.ts';
import { loadContract } from '../contract/load-contract.ts';
import { spread } from '../text/layout.ts';
import { labelled } from './explain-names.ts';

const EXPECTS: Readonly<Record<Outlook, string>> = {
  text: 'the exact text of the reply, or one model id per line',
  failure: 'a failed call: an exit code other than 0, or ok false from a driver',
  either: 'nothing: the result is recorded',
  calls: 'requests that keep the clause, in every scenario that was played',
};

/** Empty if no scenario has this name. */
export function explainScenario(id: string, width: number): readonly (readonly string[])[] {
  const contract = loadContract('client');
  const found = loadScenarios().filter((scenario) => scenario.id === id);
  return found.map((scenario) => explain(scenario, contract, width));
}

function explain(scenario: Scenario, contract: Contract, width: number): readonly string[] {
  const { id, title, source, mode, outlook, changes, status, tokens } = scenario;
  const [{ clause }] = scenario.expect;
  const known = contract.clause(clause);
  const { reading, passes, fails } = loadExplanation(clause) ?? {};
  const part = known === undefined || known.part === '-' ? '' : `, part ${known.part}`;
  const server = [...changes, ...(status === undefined ? [] : [`status ${status}`])];
  return [
    ...spread(id, `scenario · ${source.file}:${source.line}`, width),
    '',
    ...labelled('Meets', title, width),
    ...(mode === undefined ? [] : labelled('Call', mode, width)),
    ...(server.length === 0 ? [] : labelled('Server', server.join(', '), width)),
    ...(tokens === undefined ? [] : labelled('Text', JSON.stringify(tokens.join('')), width)),
    ...labelled('Expects', EXPECTS[outlook], width),
    ...labelled('Judges', `${clause} (${known?.level ?? 'unknown'}${part}): ${known?.summary ?? ''}`, width),
    ...(reading === undefined ? [] : labelled('Reading', reading, width)),
    ...(passes === undefined ? [] : labelled('Passes', passes, width)),
    ...(fails === undefined ? [] : labelled('Fails', fails, width)),
    ...labelled('Run', `wirecheck client --only ${id} -- COMMAND`, width),
    ...labelled('More', `wirecheck explain ${clause}`, width),
  ];
}
