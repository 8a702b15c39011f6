import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { drawn, drawOf, failingTarget } from '../../../test/kit/failing-draws.ts';
import { loadContract } from '../../contract/read-contract.ts';
import { DEFAULT_SETTINGS } from '../../settings.ts';
import type { Case } from '../../suite/case.ts';
import { loadSuites } from '../../suite/read-suites.ts';
import { asDrawn, type DrawCause } from './cause.ts';
import type { DrawnRequest } from './drawn-request.ts';
import { formatSuite } from './save-cases.ts';
import type { Symptom } from './symptoms.ts';

const cwd = mkdtempSync(join(tmpdir(), 'wirecheck-saved-'));
afterAll(() => rmSync(cwd, { recursive: true }));
const SETTINGS = { ...DEFAULT_SETTINGS, baseUrl: 'http://127.0.0.1:9/v1', seed: 3 };

function causeOf(requests: readonly DrawnRequest[], symptom: Partial<Symptom> = {}): DrawCause {
  const failing = failingTarget({ fails: () => true, symptom }).failing(drawOf(17, ...requests));
  return asDrawn(failing, 1);
}

const saved = (...causes: readonly DrawCause[]): string => formatSuite(causes, SETTINGS) ?? '';

function casesIn(text: string): readonly Case[] {
  const file = join(cwd, 'found.yaml');
  writeFileSync(file, text);
  return loadSuites([file], loadContract()).flatMap(({ cases }) => cases);
}

it('A title names the places that differ, in words where they are no fields', () => {
  const titleOf = (pointer: string): string => {
    const cause = { ...causeOf([drawn({ temperature: 1.3 })]), difference: [{ pointer, failing: 1 }] };
    return casesIn(saved(cause))[0]?.title ?? '';
  };
  expect(titleOf('/temperature')).toBe('A request that differs in /temperature keeps endpoint.chat-answers');
  expect(titleOf('/(spelling)')).toMatch(/differs in the spelling of its JSON keeps/);
  expect(titleOf('')).toMatch(/differs in its body keeps/);
});

describe('A finding becomes a case', () => {
  it('that sends its request again', () => {
    const [only, ...more] = casesIn(saved(causeOf([drawn({ temperature: 1.3 })])));
    expect(more).toEqual([]);
    expect(only?.id).toBe('found/request-1');
    expect(only?.ask?.edits).toContainEqual({ kind: 'set', pointer: '/temperature', value: 1.3 });
    expect(only?.expect).toEqual([{ clause: 'endpoint.chat-answers', check: 'answered', options: {} }]);
  });

  it('with a control of its own if it is to be refused beside other fields', () => {
    const refused = { clause: 'limits.temperature', check: 'refused' };
    const cases = casesIn(saved(causeOf([drawn({ temperature: 3, top_p: 0.5 })], refused)));
    expect(cases.map(({ id }) => id)).toEqual(['found/request-1-control', 'found/request-1']);
    expect(cases[1]?.ask?.control).toBe('found/request-1-control');
  });

  it('that keeps what a case over all answers found, with its options', () => {
    const lost = { case: 'chat/every-completion', clause: 'completion.id-type', check: 'schema', isOfTopic: false };
    const [only] = casesIn(saved(causeOf([drawn({ top_p: 0.5 })], lost)));
    expect(only?.expect).toEqual([
      { clause: 'endpoint.chat-answers', check: 'answered', options: {} },
      { clause: 'completion.id-type', check: 'schema', options: { schema: 'v1/chat-completion-response' } },
    ]);
  });

  it('that may be refused if the contract does not promise an answer', () => {
    const failed = { clause: 'errors.no-server-error', check: 'no-server-error' };
    const [only] = casesIn(saved(causeOf([drawn({ temperature: null })], failed)));
    expect(only?.ask?.edits).toContainEqual({ kind: 'set', pointer: '/temperature', value: null });
    expect(only?.expect).toEqual([{ ...failed, options: {} }]);
  });

  it('unless it is a sequence, or about what reaches the upstream', () => {
    const sequence = causeOf([drawn(), drawn({ top_p: 1 })]);
    const forwarded = causeOf([drawn()], { clause: 'relay.messages', isOfTopic: false });
    const text = saved(sequence, forwarded, causeOf([drawn({ top_p: 1 })]));
    expect(text).toContain('# A sequence is no case: wirecheck explore --seed 3 --path 17\n');
    expect(text).toContain('# What reaches the upstream is no case: wirecheck explore --seed 3 --path 17\n');
    expect(casesIn(text)).toHaveLength(1);
    expect(formatSuite([sequence, forwarded], SETTINGS)).toBeUndefined();
  });
});
