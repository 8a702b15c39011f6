import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadContract } from '../../src/contract/read-contract.ts';
import { openRecording } from '../../src/recording/read-recording.ts';
import { judgeRecording } from '../../src/run/judge-recording.ts';
import { killMatrix } from '../../selftest/kill-matrix.ts';
import { listSubjects } from '../../selftest/test-subjects.ts';
import { listVerdicts } from '../../selftest/compare.ts';
import { loadSuites } from '../../src/suite/read-suites.ts';
import { GOLDEN } from '../kit/golden.ts';

const FOLDER = fileURLToPath(new URL('../recordings/', import.meta.url));
const RECORDINGS = readdirSync(FOLDER);
const CASES = loadSuites([], loadContract()).flatMap((suite) => suite.cases.map(({ id }) => id));

describe('the committed verdicts', () => {
  it.each(RECORDINGS)('match the recording %s', async (file) => {
    const report = await judgeRecording(await openRecording(FOLDER + file, file));
    const name = `recording ${file.replace('.ndjson.gz', '')}`;
    expect(listVerdicts(name, report)).toBe(GOLDEN.get(name));
  });

  it('cover every fault, every variant and every recording, and nothing else', () => {
    const subjects = listSubjects('gateway').map(({ kind, id }) => `${kind} ${id}`);
    const recordings = RECORDINGS.map((file) => `recording ${file.replace('.ndjson.gz', '')}`);
    expect([...GOLDEN.keys()].toSorted()).toEqual([...subjects, ...recordings].toSorted());
  });

  it('match the kill matrix, which has every client and every relay', () => {
    const tried = listSubjects().filter(({ side }) => side !== 'load');
    const results = tried.map((subject) => ({
      subject,
      problems: [],
      foundBy: subject.side === 'gateway' ? foundBy(subject.kind, subject.id) : { all: subject.breaks ?? [] },
    }));
    const matrix = readFileSync(new URL('../../reports/kill-matrix.md', import.meta.url), 'utf8');
    expect(killMatrix(results)).toBe(matrix);
  });

  it('name every subject of the self-test once', () => {
    const names = listSubjects().map(({ id }) => id);
    expect(new Set(names).size).toBe(names.length);
  });
});

/** The cases of a golden line that found something broken, in the order of the suites, with their clauses. */
function foundBy(kind: string, id: string): Readonly<Record<string, readonly string[]>> {
  const found: Record<string, string[]> = {};
  for (const group of GOLDEN.get(`${kind} ${id}`)?.split(' | ').slice(2) ?? []) {
    const [, clause = '', cases = ''] = /^(?:fail|warn) (\S+): (.*)$/.exec(group) ?? [];
    for (const name of cases.split(' ').filter((each) => each !== '')) (found[name] ??= []).push(clause);
  }
  return Object.fromEntries(CASES.flatMap((name) => (found[name] ? [[name, found[name]]] : [])));
}
