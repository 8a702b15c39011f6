import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../report/report.ts';
import { VERDICT_ORDER } from '../counts-in-words.ts';
import { render } from '../index.ts';
import { POISONS, poisoned } from '../poisoned-reports.test.support.ts';
import {
  broken,
  clause,
  conforming,
  counts,
  exchange,
  expectation,
  finding,
  oneCase,
} from '../sample-reports.test.support.ts';
import { verdictLine } from '../verdict-line.ts';
import { oneOfEverything } from './sample-pages.test.support.ts';

const page = (report: Report) => render(report, 'html');
/** What a reader sees, without the tags. */
const textOf = (html: string) =>
  html
    .replaceAll(/<(style|script)>.*?<\/\1>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/\s+/g, ' ');
/** Every tag with the names of its attributes, whatever they hold. */
const tagsOf = (html: string) =>
  (html.replaceAll(/<(style|script)>.*?<\/\1>/gs, '').match(/<(?:[^"<>]|"[^"]*")*>?/g) ?? []).map((tag) =>
    tag
      .replaceAll(/"[^"]*"/g, '')
      .replaceAll(/\s+/g, ' ')
      .replace(' >', '>'),
  );
const sectionOf = (html: string, id: string) =>
  html.match(new RegExp(`<section id="${id}".*?</section>`, 's'))?.[0] ?? '';

describe('the page', () => {
  it('says the verdict in one sentence, in the words of every other format', () => {
    for (const report of [conforming(), broken(), oneOfEverything()]) {
      expect(textOf(page(report))).toContain(verdictLine(report).replace(':', ' :').trim());
    }
  });

  it('allows nothing but its own style and script, by their hashes', () => {
    const html = page(oneOfEverything());
    const [, policy = ''] = /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
    const hash = (text: string) => `&#39;sha256-${createHash('sha256').update(text).digest('base64')}&#39;`;
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(html) ?? [];
    const [, script = ''] = /<script>(.*?)<\/script>/s.exec(html) ?? [];
    expect(policy).toContain(`style-src ${hash(style)}`);
    expect(policy).toContain(`script-src ${hash(script)}`);
    expect(policy).toContain('default-src &#39;none&#39;');
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(html.match(/<(?:style|script)\b/g)).toHaveLength(2);
    expect(html).not.toMatch(/ (?:style|on[a-z]+)=/);
  });

  it('leads nowhere: every address in it is a place in it, or the picture on its tab', () => {
    const addresses = [...page(oneOfEverything()).matchAll(/(?:href|src|action)="([^"]*)"/g)].map(
      ([, address]) => address,
    );
    expect(addresses.filter((address) => !address?.startsWith('#'))).toEqual([
      expect.stringMatching(/^data:image\/svg/),
    ]);
  });

  it('has a place for each link, and no place twice', () => {
    const html = page(oneOfEverything());
    const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of html.matchAll(/href="#([^"=]*)"/g)) expect(ids).toContain(target);
    for (const [, target] of html.matchAll(/href="#[^"]*at=([\w-]+)"/g)) expect(ids).toContain(target);
  });

  it('leaves out the sections that have nothing to say', () => {
    const html = page(conforming());
    for (const id of ['failures', 'warnings', 'inconclusive', 'skipped', 'waivers', 'baseline', 'observations']) {
      expect(sectionOf(html, id)).toBe('');
    }
    for (const id of ['overview', 'coverage', 'cases', 'run', 'streams']) expect(sectionOf(html, id)).not.toBe('');
  });

  it('counts the cases as every other format does', () => {
    const report = oneOfEverything();
    const row = /<th scope="row">all<\/th>(.*?)<\/tr>/s.exec(page(report))?.[1] ?? '';
    const numbers = [...row.matchAll(/>(\d+)</g)].map(([, number]) => Number(number));
    expect(numbers).toEqual(VERDICT_ORDER.map((verdict) => report.counts.cases[verdict]));
  });

  it('says why a run ended early, and what the user should know', () => {
    const text = textOf(
      page(
        conforming({
          ending: { kind: 'budget', setting: 'max-requests' },
          notices: ['The certificate is not checked.'],
        }),
      ),
    );
    expect(text).toContain('The run was ended by --max-requests');
    expect(text).toContain('The certificate is not checked.');
  });
});

describe('a finding', () => {
  it('stands once for all cases of its root cause, failures before warnings', () => {
    const html = page(oneOfEverything());
    expect(sectionOf(html, 'failures').match(/<article/g)).toHaveLength(1);
    expect(sectionOf(html, 'warnings').match(/<article/g)).toHaveLength(2);
    expect(html.indexOf('id="failures"')).toBeLessThan(html.indexOf('id="warnings"'));
    expect(textOf(sectionOf(html, 'failures'))).toContain('2 cases, 2 answers');
  });

  it('says requirement, expected, actual, request, repeat, explain and cases', () => {
    const text = textOf(sectionOf(page(oneOfEverything()), 'failures'));
    expect(text).toMatch(/Requirement An error answer carries error.code as a string./);
    expect(text).toMatch(/Expected string at \/error\/code/);
    expect(text).toMatch(/Actual 401 \(integer\)/);
    expect(text).toMatch(/Request GET \/v1\/models, key: unknown/);
    expect(text).toMatch(
      /Repeat curl -sS "\$WIRECHECK_BASE_URL\/models" -H "Authorization: Bearer sk-service-unknown"/,
    );
    expect(text).toMatch(/Explain wirecheck explain errors.code/);
    expect(text).toMatch(/Cases auth\/unknown-key\[models\] parameters\/temperature-above-range/);
  });

  it('marks the offending place in the answer, and the edit in the request', () => {
    const html = sectionOf(page(oneOfEverything()), 'failures');
    expect(html).toContain('<mark class="wrong">&quot;code&quot;: 401</mark>');
    expect(html).toMatch(/<mark class="edit">\s*<code>Authorization: Bearer sk-service-unknown<\/code>\s*<\/mark>/);
  });

  it('marks the event of a stream, and the place in it', () => {
    const html = sectionOf(page(oneOfEverything()), 'warnings');
    expect(html).toMatch(/<tr class="marked">\s*<th scope="row">2<\/th>/);
    expect(html).toContain('<mark class="wrong">&quot;index&quot;:0</mark>');
    expect(html).toContain('class="event wrong"');
  });

  it('marks where something belongs that is not there, and says so', () => {
    const absent = finding({ pointer: '/error/param', mismatch: 'required', actualType: 'absent', actual: '' });
    const report = oneOfEverything({
      cases: [oneCase('a/b', [expectation('errors.code', { verdict: 'fail', findings: [absent] })])],
    });
    const html = sectionOf(page(report), 'failures');
    expect(html).toContain('<mark class="wrong">&quot;error&quot;: {</mark>');
    expect(textOf(html)).toContain('Nothing stands at /error/param ; marked is where it belongs.');
  });

  it('marks the status when that is what is wrong', () => {
    const wrong = finding({ mismatch: 'status', expected: 'a refusal (4xx)', actual: '200', actualType: 'integer' });
    const report = oneOfEverything({
      cases: [oneCase('a/b', [expectation('errors.code', { verdict: 'fail', findings: [wrong] })])],
    });
    expect(sectionOf(page(report), 'failures')).toMatch(
      /<mark class="wrong">\s*<code>HTTP\/1.1 401<\/code>\s*<\/mark>/,
    );
  });

  it('shows the edit against its control, filled in as it was sent', () => {
    const report = oneOfEverything();
    const cases = report.cases.map((one) =>
      one.id === 'parameters/temperature-above-range' ? { ...one, control: 'chat' } : one,
    );
    const html = sectionOf(page({ ...report, cases: cases.slice(1) }), 'failures');
    expect(textOf(html)).toMatch(/place control this request \/temperature \(absent\) 2.1/);
    expect(textOf(html)).toContain('The control, chat : 200 in 4.4 ms');
    expect(textOf(html)).toContain('Attempt 1 of 2: no answer (timeout); 400 in 4.4 ms.');
  });

  it('that is excused stands apart from what counts', () => {
    const code = finding({ waiver: 1 });
    const excused = { verdict: 'fail', findings: [code], excused: 'waived' } as const;
    const html = page(
      oneOfEverything({
        cases: [oneCase('a/b', [expectation('errors.code', excused)])],
        waivers: {
          file: 'waivers.yaml',
          today: '2026-01-01',
          failOnUnused: false,
          entries: [
            {
              clause: 'errors.code',
              reason: 'the vendor knows',
              until: '2026-12-31',
              line: 2,
              state: 'in-use',
              findings: 1,
            },
          ],
        },
        baseline: {
          file: 'old.json',
          baseUrl: 'https://gateway.example/v1',
          startedAt: '2025-12-31T00:00:00.000Z',
          sameContract: false,
          fixed: [{ case: 'chat/reply', clause: 'chat.reply', fingerprint: 'f' }],
          untold: [],
        },
      }),
    );
    expect(sectionOf(html, 'failures')).toBe('');
    expect(textOf(sectionOf(html, 'waived'))).toContain('Excuse waived until 2026-12-31: the vendor knows');
    expect(textOf(sectionOf(html, 'waivers'))).toMatch(
      /Waiver 1, line 2 errors.code the vendor knows in use · 1 finding/,
    );
    expect(textOf(sectionOf(html, 'baseline'))).toMatch(/Fixed since then: 1 chat\/reply for chat.reply/);
  });

  it('that names no place is told all the same', () => {
    const report = broken({ cases: [oneCase('a/b', [expectation('errors.code', { verdict: 'fail' })])] });
    expect(textOf(sectionOf(page(report), 'failures'))).toContain('wirecheck explain errors.code');
  });
});

describe('the rest of the page', () => {
  it('names the setting that enables what was skipped, and the reason of what is inconclusive', () => {
    const html = page(oneOfEverything());
    expect(textOf(sectionOf(html, 'skipped'))).toContain(
      'Needs a key that may not call every model. Enable with WIRECHECK_RESTRICTED_KEY and --forbidden-model.',
    );
    expect(textOf(sectionOf(html, 'inconclusive'))).toContain('The answer did not come in time.');
  });

  it('lists every clause in the order of the contract, also those that nobody asked about', () => {
    const report = oneOfEverything();
    const ids = [...sectionOf(page(report), 'coverage').matchAll(/scope="row">\s*<code>([^<]*)</g)].map(([, id]) => id);
    expect(ids).toEqual(report.clauses.map(({ id }) => id));
    expect(textOf(sectionOf(page(report), 'coverage'))).toMatch(/not asked keys.shown-once/);
  });

  it('shows a level that the user changed', () => {
    const report = conforming({ clauses: [clause('models.list', { level: 'should', levelWas: 'must' })] });
    expect(textOf(sectionOf(page(report), 'coverage'))).toContain('was must');
  });

  it('draws one square for each clause, and says the numbers to those who cannot see them', () => {
    const report = oneOfEverything();
    const html = sectionOf(page(report), 'overview');
    expect(html.match(/data-clause="/g)).toHaveLength(report.clauses.length);
    expect(html).toMatch(/>chat<\/a>\s*<span class="unseen">1 inconclusive, 1 pass<\/span>/);
  });

  it('draws each stream over time and says the same in words', () => {
    const html = sectionOf(page(oneOfEverything()), 'streams');
    expect(html.match(/class="event (?:text|other)"/g)).toHaveLength(5);
    expect(html).toContain('class="pause"');
    expect(textOf(html)).toContain(
      'headers after 11 ms, first event after 12 ms, 5 events in 4 reads, longest gap 70 ms before event 3, 1 comment, ended with [DONE] after 99 ms',
    );
  });

  it('tells of tolerance in both directions, of cost and of the slowest requests', () => {
    const html = page(oneOfEverything());
    expect(textOf(sectionOf(html, 'tolerance'))).toMatch(
      /1 of 2 unknown request fields.*completion \/system_fingerprint/,
    );
    expect(textOf(sectionOf(html, 'run'))).toMatch(/Requests 90 90 to 240/);
    expect(textOf(sectionOf(html, 'run'))).toMatch(
      /Slowest requests request headers end share of the slowest streaming\/long/,
    );
  });

  it('shows a report without bodies', () => {
    const report = oneOfEverything();
    const bare = (each: ReturnType<typeof exchange>) => ({
      ...each,
      attempts: each.attempts.map((attempt) =>
        attempt.answer
          ? { ...attempt, answer: { ...attempt.answer, body: { ...attempt.answer.body, text: '', shown: 0 } } }
          : attempt,
      ),
    });
    expect(textOf(page({ ...report, exchanges: report.exchanges.map(bare) }))).toContain(
      'The body was left out of the report.',
    );
  });

  it('shows a run in which nothing was answered', () => {
    const failure = { kind: 'refused', code: 'ECONNREFUSED', detail: 'no' } as const;
    const html = page(
      conforming({
        outcome: { name: 'not-judged', exit: 3, mustClauses: 1, mustJudged: 0 },
        ending: { kind: 'unreachable', failure },
        counts: { cases: counts({}), clauses: counts({}), expectations: counts({}) },
        cases: [],
        clauses: [],
        areas: [],
        exchanges: [exchange('models', { attempts: [{ sentAt: 0, pause: 0, failure, secretsSeen: [] }] })],
      }),
    );
    expect(textOf(html)).toContain('Nothing was answered.');
    expect(textOf(html)).toContain('Nothing listens at https://gateway.example/v1 (ECONNREFUSED)');
  });
});

describe.each(Object.entries(POISONS))('a page poisoned with %s', (_what, poison) => {
  const clean = page(oneOfEverything());
  const dirty = page(poisoned(oneOfEverything(), poison));

  it('has no tag and no attribute of its own, and closes what it opens', () => {
    const known = new Set(tagsOf(clean));
    expect(tagsOf(dirty).filter((tag) => !known.has(tag))).toEqual([]);
    for (const name of ['div', 'section', 'article', 'details', 'pre', 'table', 'ul', 'a', 'mark', 'svg']) {
      const opened = dirty.match(new RegExp(`<${name}[\\s>]`, 'g'))?.length ?? 0;
      expect([name, dirty.match(new RegExp(`</${name}>`, 'g'))?.length ?? 0]).toEqual([name, opened]);
    }
  });

  it('holds nothing invisible, and stays short', () => {
    expect(dirty.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u);
    expect(dirty.length).toBeLessThan(2_000_000);
  });

  it('names no place by anything that it says', () => {
    const ids = [...dirty.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(ids.filter((id) => !/^[a-z]+(?:-\d+)?(?:-title)?$/.test(id ?? ''))).toEqual([]);
  });
});
