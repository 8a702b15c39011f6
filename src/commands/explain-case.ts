/** `${COMMAND} explain` of a case or a scenario: what its subject meets, what is judged, and how to run it alone. */
import { loadScenarios, type Outlook, type Scenario } from '../client/scenario.ts';
import type { Contract } from '../contract/contract.ts';
import { COMMAND } from '../contract/package-files.ts';
import { formatEdit } from '../render/request-text.ts';
import { loadLoadCases } from '../load/load-suite.ts';
import { loadRelayCases } from '../relay/load-relay-suite.ts';
import type { Calls, RelayCase } from '../relay/relay-case.ts';
import { SUBJECT_TRAITS } from '../report/subject-traits.ts';
import { loadExploreCases, type SubjectName, SUBJECTS } from '../subjects/subjects.ts';
import type { AnyCase, Case } from '../suite/case.ts';
import { settingFor } from '../verdict/reason.ts';
import { type Explained, type Explanation, faultsOf, type Line } from './explained.ts';

/** Those with this name, or expanded from an entry with this name. */
export function explainCases(name: string, { cases, chosen }: Explained): readonly Explanation[] {
  const exploreCases = loadExploreCases(chosen);
  const isMeant = ({ id }: AnyCase): boolean => id === name || id.startsWith(`${name}[`);
  const explain = <Of extends AnyCase>(all: readonly Of[], subject: SubjectName, own: (testCase: Of) => OwnPart) =>
    all
      .filter(isMeant)
      .map((testCase) => explainCase(testCase, subject, own(testCase), SUBJECTS[subject].contract(chosen)));
  return [
    ...explain(loadScenarios(), 'client', ofScenario),
    ...explain(loadRelayCases(), 'relay', ofRelayCase),
    ...explain(loadLoadCases(), 'load', ofLoadCase),
    ...explain(cases, 'gateway', ofCase),
    ...explain(
      exploreCases.filter(({ subject }) => subject === undefined),
      'gateway',
      ofExploreCase,
    ),
    ...explain(
      exploreCases.filter(({ subject }) => subject === 'relay'),
      'relay',
      ofForwardedCase,
    ),
  ];
}

/** What only cases of this subject have. */
interface OwnPart {
  readonly lines: readonly Line[];
  /** The command that runs it. */
  readonly run: string;
}

function explainCase(
  { id, title, source, expect }: AnyCase,
  subject: SubjectName,
  { lines, run }: OwnPart,
  contract: Contract,
): Explanation {
  const { caseWord } = SUBJECT_TRAITS[subject];
  const place = `${source.file}:${source.line}`;
  return {
    name: id,
    about: caseWord === 'case' ? place : `${caseWord} · ${place}`,
    lines: [
      [subject === 'client' ? 'Meets' : 'Title', title],
      ...lines,
      ...expect.map(({ clause, check, level }): Line => {
        const known = contract.clause(clause);
        const part = known === undefined || known.part === '-' ? '' : `, part ${known.part}`;
        return [
          'Judges',
          `${clause} (${level ?? known?.level ?? 'unknown'}${part}) by ${check}: ${known?.summary ?? ''}`,
        ];
      }),
      ...whyOf(expect[0]?.clause, contract),
      ['Run', run],
    ],
  };
}

/** The first clause is the one the case is made for: those of the error body come with every refusal. */
function whyOf(clause: string | undefined, contract: Contract): readonly Line[] {
  if (clause === undefined) return [];
  const { reading, hurts, passes, fails } = contract.explain(clause) ?? {};
  const [fault] = faultsOf(clause);
  return [
    ['How it is judged', reading],
    ['Who is hurt', hurts],
    ['Passes', passes],
    ['Fails', fails],
    ['See it', fault && `${COMMAND} demo --fault ${fault[0]}: ${fault[1].title}`],
    ['More', `${COMMAND} explain ${clause}`],
  ];
}

function ofCase({ id, ask, over, needs }: Case): OwnPart {
  const sent = ask && [`${ask.base.method} ${ask.base.path} (${ask.base.name})`, ...ask.edits.map(formatEdit)];
  const control = ask?.control;
  return {
    lines: [
      sent ? ['Sends', sent.join(', '), sent] : ['Looks at', over.join(', '), over],
      ['Control', control && `${control} must have been answered in the same run, or a refusal proves nothing`],
      ['Needs', needs.map(settingFor).join(' and '), needs.map(settingFor)],
    ],
    run: `${COMMAND} run "$WIRECHECK_BASE_URL" --only '${id}'`,
  };
}

const EXPECTS: Readonly<Record<Outlook, string>> = {
  text: 'the exact text of the reply, or one model id per line',
  failure: 'a failed call: an exit code other than 0, or ok false from a driver',
  either: 'nothing: the result is recorded',
  calls: 'requests that keep the clause, in every scenario that was played',
};

function ofScenario({ id, mode, outlook, gateway, behaviours, status, tokens }: Scenario): OwnPart {
  const server = [...gateway, ...behaviours, ...(status === undefined ? [] : [`status ${status}`])];
  return {
    lines: [
      ['Call', mode],
      ['Server', server.join(', '), server],
      ['Text', tokens && JSON.stringify(tokens.join(''))],
      ['Expects', EXPECTS[outlook]],
    ],
    run: `${COMMAND} client --only ${id} -- COMMAND`,
  };
}

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

function ofLoadCase({ id }: AnyCase): OwnPart {
  return {
    lines: [['Sends', 'no call of its own: it looks at all calls under load']],
    run: `${COMMAND} load "$WIRECHECK_BASE_URL" --upstream-port N --only ${id}`,
  };
}

/** One case cannot be drawn alone. */
function ofExploreCase(): OwnPart {
  return {
    lines: [['Sends', 'no request of its own: it looks at the drawn requests of its kind; see docs/explore.md']],
    run: `${COMMAND} explore "$WIRECHECK_BASE_URL"`,
  };
}

function ofForwardedCase(): OwnPart {
  return {
    lines: [['Sends', 'no request of its own: it compares drawn requests with what reaches the upstream']],
    run: `${COMMAND} relay "$WIRECHECK_BASE_URL" --upstream-port N --explore`,
  };
}

function ofRelayCase({ id, mode, calls }: RelayCase): OwnPart {
  return {
    lines: [['Sends', `${CALL_WORDS[calls]}${mode === 'stream' ? ', streamed' : ''}`]],
    run: `${COMMAND} relay "$WIRECHECK_BASE_URL" --upstream-port N --only ${id}`,
  };
}
