/**
 * The samples in `reports/samples/`: every format, of a gateway that conforms and of one that does not. Made by
 * `npm run samples` from real runs in which only what differs from run to run is pinned: times, ports, versions of Node.
 */
import { Buffer } from 'node:buffer';
import { join } from 'node:path';
import { packageRoot } from '../../src/contract/package-root.ts';
import type { Answer, Attempt, Body } from '../../src/exchange/exchange.ts';
import type { Traffic } from '../../src/exchange/traffic.ts';
import { type GatewayOptions, startGateway } from '../../src/gateway/index.ts';
import { type Format, FORMAT_NAMES, FORMATS, type FormatName, render } from '../../src/render/index.ts';
import type { Report } from '../../src/report/report.ts';
import { gather, judge } from '../../src/run/run.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../src/settings.ts';

export const SAMPLES_FOLDER = join(packageRoot(), 'reports/samples');

interface Sample {
  readonly gateway: GatewayOptions;
  /** Whether the run has the extra keys that some cases need. */
  readonly extraKeys: boolean;
}

const SAMPLES: Readonly<Record<string, Sample>> = {
  conforming: { gateway: {}, extraKeys: true },
  broken: {
    gateway: {
      faults: [
        'error-code-integer',
        'param-temperature-above-accepted',
        'chat-usage-not-summing',
        'stream-no-done',
        'auth-key-echo',
      ],
    },
    extraKeys: false,
  },
};

/** Where a format has no file of its own by default. */
const FILE_NAMES: Partial<Record<FormatName, string>> = { sarif: 'report.sarif', badge: 'badge.json' };

/** The text of each sample, by its path below the folder. */
export async function makeSamples(): Promise<ReadonlyMap<string, string>> {
  const samples = new Map<string, string>();
  for (const [name, sample] of Object.entries(SAMPLES)) {
    const report = await runSample(sample);
    for (const format of FORMAT_NAMES) {
      const { defaultFile }: Format = FORMATS[format];
      samples.set(`${name}/${defaultFile ?? FILE_NAMES[format] ?? `${format}.txt`}`, render(report, format));
    }
  }
  return samples;
}

async function runSample({ gateway: options, extraKeys }: Sample): Promise<Report> {
  const gateway = await startGateway({ eventGapMs: 1, ...options });
  try {
    const settings: Settings = {
      ...DEFAULT_SETTINGS,
      baseUrl: gateway.baseUrl,
      // One after the other, or the order would be another one each time.
      concurrency: 1,
      ...(extraKeys && { forbiddenModel: gateway.forbiddenModel }),
    };
    const { plan, traffic } = await gather(settings, extraKeys ? gateway.keys : { full: gateway.keys.full });
    const report = judge(
      { plan, traffic: stableTraffic(traffic) },
      { ...settings, baseUrl: 'http://127.0.0.1:8080/v1' },
    );
    return {
      ...report,
      provenance: { ...report.provenance, node: 'v20.19.0', platform: 'linux-x64', contractHash: '0'.repeat(64) },
    };
  } finally {
    await gateway.close();
  }
}

const STARTED_AT = Date.UTC(2030, 0, 1);
const DATE = new Date(STARTED_AT).toUTCString();
/** Milliseconds. */
const BETWEEN_REQUESTS = 25;
const HEADERS_AT = 8;
const BETWEEN_READS = 12;

/** As if every request had taken the same time, and every event had arrived by itself. */
function stableTraffic(traffic: Traffic): Traffic {
  let sent = 0;
  const stableAttempt = (attempt: Attempt): Attempt => {
    const { outcome } = attempt;
    sent += BETWEEN_REQUESTS;
    return {
      ...attempt,
      sentAt: sent,
      outcome: outcome.kind === 'answer' ? { kind: 'answer', answer: stableAnswer(outcome.answer) } : outcome,
    };
  };
  const exchanges = traffic.exchanges.map((exchange) => ({
    ...exchange,
    attempts: exchange.attempts.map(stableAttempt),
  }));
  return { ...traffic, exchanges, startedAt: STARTED_AT, endedAt: STARTED_AT + sent + BETWEEN_REQUESTS, clockSkew: 0 };
}

function stableAnswer(answer: Answer): Answer {
  const body = stableBody(answer.body);
  return {
    ...answer,
    headers: answer.headers.map(([name, value]) => [name, name.toLowerCase() === 'date' ? DATE : value]),
    body,
    headersAt: HEADERS_AT,
    endAt: (body.reads.at(-1)?.at ?? HEADERS_AT) + 1,
    lateness: 0,
  };
}

function stableBody(body: Body): Body {
  const created = `"created":${STARTED_AT / 1000}`;
  // Bytes as characters, so that whatever is not text stays as it was.
  const text = Buffer.from(body.bytes)
    .toString('latin1')
    .replaceAll(/"created":\d{10}/g, created);
  const parts = text.match(/[^]*?(?:\n\n|$)/g)?.filter((part) => part !== '') ?? [];
  return {
    ...body,
    bytes: Buffer.from(text, 'latin1'),
    reads: parts.map((part, index) => ({ at: HEADERS_AT + 2 + index * BETWEEN_READS, bytes: part.length })),
  };
}
