import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createScanner } from '../../src/exchange/secrets/scanner.ts';
import { render } from '../../src/render/index.ts';
import { FORMAT_NAMES } from '../../src/settings/format-names.ts';
import { quickSettings } from '../kit/real-run.ts';
import { IS_THOROUGH } from '../kit/thoroughness.ts';
import { withoutBodies } from '../../src/report/without-bodies.ts';
import { run } from '../../src/run/run.ts';
import { type Call, headOf, startHostileTarget } from './hostile-target.ts';

/** One of each kind of request, so that many runs are quick. */
const ONLY = ['models/list', 'models/every-list', 'chat/reply', 'chat/every-*', 'chat/unknown-model*', 'streaming/*'];
const ENDINGS = ['CONFORMS', 'DOES NOT CONFORM', 'NOT JUDGED'];

type Edit = { readonly at: number; readonly drop: number; readonly put: Uint8Array };

/** Random bytes, or bytes with a meaning in HTTP, JSON or event streams. */
const piece = fc.oneof(
  fc.uint8Array({ maxLength: 20 }),
  fc
    .constantFrom(
      ...[
        '\r\n\r\n',
        '\n\n',
        'data:',
        'data: [DONE]\n\n',
        'event: error\n',
        '"',
        '\\',
        '\\ud800',
        '{',
        ']',
        ',',
        'null',
      ],
      ...['-0', '1e999', '"choices":', '"error":{}', '"__proto__":', '\u0000', '\ufeff', 'ffffff\r\n', '0\r\n\r\n'],
      ...['content-length: 1\r\n', 'content-encoding: gzip\r\n', 'HTTP/1.1 100 Continue\r\n\r\n', '%', '&#'],
    )
    .map((text) => Buffer.from(text)),
);
const edits = fc.array(
  fc.record<Edit>({
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    drop: fc.nat({ max: 40 }),
    put: piece,
  }),
  { minLength: 1, maxLength: 6 },
);

function mutate(bytes: Buffer, changes: readonly Edit[]): Buffer {
  let changed = bytes;
  for (const { at, drop, put } of changes) {
    const place = Math.floor(at * changed.length);
    changed = Buffer.concat([changed.subarray(0, place), put, changed.subarray(place + drop)]);
  }
  return changed;
}

/** Runs against a target that answers every request with this, and renders every format. */
async function survives(answer: (call: Call) => Buffer | Promise<Buffer>): Promise<void> {
  const target = await startHostileTarget(async (call) => {
    const bytes = await answer(call);
    if (call.socket.writable) call.socket.end(bytes);
  });
  try {
    const settings = quickSettings(target.baseUrl, {
      only: ONLY,
      retries: 0,
      timeouts: { firstByte: 3_000, idle: 500, attempt: 5_000 },
    });
    const report = await run(settings, { full: target.key });
    expect([0, 1, 3]).toContain(report.outcome.exit);
    const scanner = createScanner(settings, { full: target.key });
    const bare = withoutBodies(report);
    for (const format of FORMAT_NAMES) {
      const text = render(report, format);
      expect(scanner.findsIn(text), format).toBe(false);
      if (format === 'terminal') expect(ENDINGS.some((ending) => text.includes(ending))).toBe(true);
      render(bare, format);
    }
  } finally {
    await target.close();
  }
}

const manner = { numRuns: IS_THOROUGH ? 12 : 1, timeout: 60_000, interruptAfterTimeLimit: 90_000 };

describe('the whole pipeline never throws', { timeout: 240_000 }, () => {
  it('whatever bytes arrive instead of HTTP', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), (pieces) => survives(() => Buffer.concat(pieces))),
      manner,
    );
  });

  it('whatever bytes arrive as the body of an answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), fc.constantFrom(200, 200, 400, 500), (pieces, status) =>
        survives(({ streamed }) => {
          const type = streamed ? 'text/event-stream' : 'application/json';
          return Buffer.concat([headOf(status, { 'content-type': type, connection: 'close' }), ...pieces]);
        }),
      ),
      manner,
    );
  });

  it('whatever JSON arrives as the body of an answer, in one piece or as events', async () => {
    const value = fc.json({ stringUnit: 'binary', maxDepth: 4 });
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 4 }), (values) =>
        survives(({ streamed }) => {
          const body = streamed ? values.map((json) => `data: ${json}\n\n`).join('') : (values[0] ?? '');
          return Buffer.concat([headOf(200, { connection: 'close' }), Buffer.from(body)]);
        }),
      ),
      manner,
    );
  });

  it('however an honest answer is changed, its head and its body', async () => {
    await fc.assert(
      fc.asyncProperty(edits, (changes) =>
        survives(async (call) => {
          const { status, headers, body } = await call.honest();
          const head = headOf(status, { ...headers, 'content-length': `${body.length}`, connection: 'close' });
          return mutate(Buffer.concat([head, body]), changes);
        }),
      ),
      manner,
    );
  });

  it('however the body of an honest answer is changed, with the key in it', async () => {
    await fc.assert(
      fc.asyncProperty(edits, (changes) =>
        survives(async (call) => {
          const { status, headers, body } = await call.honest();
          const echoed = body.toString().replaceAll(/"(content|message|id)":"/g, `"$1":"${call.credentials[0] ?? ''}`);
          const changed = mutate(Buffer.from(echoed), changes);
          return Buffer.concat([headOf(status, { ...headers, connection: 'close' }), changed]);
        }),
      ),
      manner,
    );
  });
});
