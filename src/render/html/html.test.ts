import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { countWords } from '../looks.ts';
import { POISONS, poisoned } from '../../../test/kit/poisoned-reports.ts';
import { broken, clause, conforming, counts, exchange } from '../../../test/kit/sample-reports.ts';
import { groupBy } from '../../report/counts.ts';
import { verdictLine } from '../verdict-line.ts';
import { findArea } from './view.ts';
import { page, sectionOf, tagsOf, textOf } from '../../../test/kit/reading-pages.ts';
import { oneOfEverything } from '../../../test/kit/sample-pages.ts';

describe('the page', () => {
  it('states the verdict in the same sentence as every other format', () => {
    for (const report of [conforming(), broken(), oneOfEverything()]) {
      expect(textOf(page(report))).toContain(verdictLine(report).replace(':', ' :').trim());
    }
  });

  it('allows only its own style and script, by their hashes', () => {
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

  it('links only within itself, apart from the icon on its tab', () => {
    const addresses = [...page(oneOfEverything()).matchAll(/(?:href|src|action)="([^"]*)"/g)].map(
      ([, address]) => address,
    );
    expect(addresses.filter((address) => !address?.startsWith('#'))).toEqual([
      expect.stringMatching(/^data:image\/svg/),
    ]);
  });

  it('has a target for each link, and no id twice', () => {
    const html = page(oneOfEverything());
    const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of html.matchAll(/href="#([^"=]*)"/g)) expect(ids).toContain(target);
    for (const [, target] of html.matchAll(/href="#[^"]*at=([\w-]+)"/g)) expect(ids).toContain(target);
  });

  it('has the id of each clause as an anchor: of its entry, or else of its row in the coverage list', () => {
    const html = page(oneOfEverything());
    for (const { id } of oneOfEverything().clauses) expect(html).toContain(`id="${id}"`);
    expect(sectionOf(html, 'failures')).toMatch(/<article\s+id="errors.code"/);
    expect(sectionOf(html, 'failures')).toContain(
      '<a href="#clause-errors.code"><code class="id">errors.code</code></a>',
    );
    expect(sectionOf(html, 'coverage')).toContain('<a href="#errors.code">');
    expect(sectionOf(html, 'coverage')).toContain('id="auth.restricted"');
    expect(sectionOf(html, 'unjudged')).toContain('<a href="#auth.restricted">');
  });

  it('leaves out empty sections', () => {
    const html = page(conforming());
    for (const id of ['failures', 'warnings', 'unjudged', 'waivers', 'baseline', 'observations']) {
      expect(sectionOf(html, id)).toBe('');
    }
    for (const id of ['overview', 'coverage', 'cases', 'run', 'streams']) expect(sectionOf(html, id)).not.toBe('');
  });

  it('counts the cases as every other format does', () => {
    const report = oneOfEverything();
    const row = /<th scope="row">all<\/th>(.*?)<\/tr>/s.exec(page(report))?.[1] ?? '';
    const [, ...numbers] = [...row.matchAll(/<td[^>]*>(.*?)<\/td>/g)].map(([, number]) => Number(number) || 0);
    expect(numbers).toEqual(countWords(report.counts.cases).map(([, number]) => number));
  });

  it('states why a run ended early, and shows notices', () => {
    const text = textOf(
      page(
        conforming({
          ending: { kind: 'budget', setting: 'max-requests' },
          notices: [{ kind: 'recorded', sentence: 'The certificate is not checked.' }],
        }),
      ),
    );
    expect(text).toContain('The run ended because it reached --max-requests');
    expect(text).toContain('The certificate is not checked.');
  });
});

describe('the sections of the page', () => {
  it('name the setting that enables a skipped expectation, and the reason for an inconclusive one', () => {
    const html = page(oneOfEverything());
    const text = textOf(sectionOf(html, 'unjudged'));
    expect(text).toContain('Set WIRECHECK_RESTRICTED_KEY and pass --forbidden-model');
    expect(text).toMatch(/No answer within --timeout ?: raise --timeout/);
  });

  it('list every clause by area, in the order of the contract, including untested ones', () => {
    const report = oneOfEverything();
    const ids = [
      ...sectionOf(page(report), 'coverage').matchAll(/scope="row">\s*(?:<a[^>]*>)?<code class="id">([^<]*)</g),
    ].map(([, id]) => id);
    const areas = groupBy(report.clauses, ({ id }) => findArea(id));
    expect(ids).toEqual([...areas.values()].flat().map(({ id }) => id));
    expect(textOf(sectionOf(page(report), 'coverage'))).toMatch(/not testable keys.shown-once/);
  });

  it('names the edition with its digest in the details of the run, if the report has one', () => {
    const digest = 'b'.repeat(64);
    const report = conforming({ edition: '2026.1', editionDigest: digest });
    expect(textOf(sectionOf(page(report), 'run'))).toContain(`Edition 2026.1 ${digest}`);
    expect(textOf(sectionOf(page(conforming()), 'run'))).not.toContain('Edition');
  });

  it('show a level that the user changed', () => {
    const report = conforming({ clauses: [clause('models.list', { level: 'should', levelWas: 'must' })] });
    expect(textOf(sectionOf(page(report), 'coverage'))).toContain('changed from must');
  });

  it('draw one square per clause, with the numbers as text for screen readers', () => {
    const report = oneOfEverything();
    const html = sectionOf(page(report), 'overview');
    expect(html.match(/data-clause="/g)).toHaveLength(report.clauses.length);
    expect(html).toMatch(/>chat<\/a>\s*<span class="unseen">1 pass, 1 not judged<\/span>/);
  });

  it('fold streams by suite, so that hundreds of them stay a short page', () => {
    const html = sectionOf(page(oneOfEverything()), 'streams');
    expect(html.match(/<details class="fold"[^>]*>/g)).toEqual(['<details class="fold" data-group data-fold >']);
    // A clause may be broken by streams of several cases, so the sender's verdict is not that of the stream.
    expect(textOf(html)).toMatch(/streaming 1 stream(?!:)/);
    expect(html).toMatch(/<div class="stream" data-verdict="warn" data-area="stream"/);
  });

  it('lay out events so that lines end between the members of an object', () => {
    const html = sectionOf(page(oneOfEverything()), 'streams');
    expect(html).toMatch(/&quot;[^<\n]*,<wbr \/>&quot;/);
    expect(html).not.toMatch(/<code>[^<]*,&quot;/);
  });

  it('draw each stream over time, with the same facts as text', () => {
    const html = sectionOf(page(oneOfEverything()), 'streams');
    expect(html.match(/class="event (?:text|other)"/g)).toHaveLength(5);
    expect(html).toContain('class="pause"');
    expect(textOf(html)).toContain(
      'headers after 11 ms, first event after 12 ms, 5 events in 4 reads, longest gap 70 ms before event 3, 1 comment, ended with [DONE] after 99 ms',
    );
  });

  it('show tolerance, cost and times', () => {
    const time = { wall: 2_200, target: 1_900, pauses: 0, checker: 300, slowest: [] };
    const html = page({ ...oneOfEverything(), time });
    expect(textOf(sectionOf(html, 'run'))).toContain('Time 2.2 s (1.9 s waiting for the target, 0.3 s in wirecheck)');
    expect(textOf(sectionOf(html, 'tolerance'))).toMatch(
      /1 of 2 cases with unknown request fields.*completion \/system_fingerprint/,
    );
    expect(textOf(sectionOf(html, 'run'))).toContain('Cost 90 requests (planned 90 to 240)');
  });

  it('count requests as the cost does: every attempt', () => {
    const report = oneOfEverything();
    const sent = report.exchanges.filter(({ side }) => side !== 'upstream').flatMap(({ attempts }) => attempts).length;
    expect(sent).toBeGreaterThan(report.exchanges.length);
    const drawn = (requests: number) =>
      textOf(
        sectionOf(page({ ...report, cost: { ...report.cost, used: { ...report.cost.used, requests } } }), 'requests'),
      );
    expect(drawn(sent)).toContain(`${sent} requests in `);
    expect(drawn(sent)).not.toContain('Not drawn');
    expect(drawn(sent + 1)).toContain(`${sent + 1} requests in `);
    expect(drawn(sent + 1)).toContain('Not drawn: 1 request that only looked for what answers.');
  });

  it('show a report without bodies', () => {
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
      'The report leaves out the body.',
    );
  });

  it('show a run without answers', () => {
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
    expect(textOf(html)).toContain('Cannot connect to https://gateway.example/v1 (ECONNREFUSED)');
  });
});

describe.each(Object.entries(POISONS))('a page poisoned with %s', (_what, poison) => {
  const clean = page(oneOfEverything());
  const dirty = page(poisoned(oneOfEverything(), poison));

  it('adds no tag and no attribute, and closes every tag', () => {
    const known = new Set(tagsOf(clean));
    expect(tagsOf(dirty).filter((tag) => !known.has(tag))).toEqual([]);
    for (const name of ['div', 'section', 'article', 'details', 'pre', 'table', 'ul', 'a', 'mark', 'svg']) {
      const opened = dirty.match(new RegExp(`<${name}[\\s>]`, 'g'))?.length ?? 0;
      expect([name, dirty.match(new RegExp(`</${name}>`, 'g'))?.length ?? 0]).toEqual([name, opened]);
    }
  });

  it('has no invisible characters, and stays short', () => {
    expect(dirty.replaceAll('\n', '')).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u);
    expect(dirty.length).toBeLessThan(2_000_000);
  });

  it('takes nothing but letters, digits and dashes into an id, after a word of its own', () => {
    const ids = [...dirty.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(ids.filter((id) => !/^[a-z]+(?:-\d+)?(?:-title)?$|^case-[a-z0-9-]+$/.test(id ?? ''))).toEqual([]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
