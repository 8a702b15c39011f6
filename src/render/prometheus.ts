/** Metrics for node_exporter's textfile collector: https://prometheus.io/docs/instrumenting/exposition_formats/ */
import { brokenLevel } from './clause-states.ts';
import { formatProfile, shortDigest } from './profile-text.ts';
import { firstTextTime } from '../report/first-text-time.ts';
import type { Counts, Report } from '../report/report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import { inert } from '../text/layout.ts';
import { fullyExcusedClauses } from './excused.ts';
import type { VerdictName } from './fold.ts';
import type { Format } from './format.ts';
import { NO_FIRST_TEXT, VERDICT_ORDER, formatTarget } from './run-text.ts';

export const prometheus: Format = (report) => {
  const target = inert(report.target.name ?? report.target.client?.name ?? formatTarget(report), 300);
  return METRICS.flatMap((metric) => metricLines(metric, report, target))
    .map((line) => `${line}\n`)
    .join('');
};

interface Sample {
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

type Metric = readonly [
  name: string,
  help: string,
  /** A number is a sample without labels. A text says why there is none, where users may miss it. */
  measure: (report: Report) => readonly Sample[] | number | string | undefined,
];

/** Base units, as Prometheus wants them: seconds, not milliseconds. All are gauges, since a run counts from zero. */
const METRICS: readonly Metric[] = [
  [
    'wirecheck_clause',
    'Verdict on each clause of the latest run. The value is 1; the label has the verdict.',
    measureClauses,
  ],
  ['wirecheck_clauses', 'Number of clauses by verdict.', ({ counts }) => measureVerdicts(counts.clauses)],
  ['wirecheck_cases', 'Number of cases by verdict.', ({ counts }) => measureVerdicts(counts.cases)],
  [
    'wirecheck_exit_code',
    'Exit code of the run: 0 conforms, 1 does not conform, 3 not judged, 130 interrupted.',
    ({ outcome }) => [{ labels: { outcome: outcome.name }, value: outcome.exit }],
  ],
  ['wirecheck_requests', 'Requests of the run.', ({ cost }) => cost.used.requests],
  ['wirecheck_completions', 'Completions of the run that are charged.', ({ cost }) => cost.used.completions],
  [
    'wirecheck_tokens',
    'Tokens of the run, as the target counts them; those of a stream without usage are estimated.',
    ({ cost }) => cost.used.tokens,
  ],
  ['wirecheck_retried_attempts', 'Attempts that were replaced by a retry.', ({ retries }) => retries?.replaced],
  [
    'wirecheck_duration_seconds',
    'Duration of the run.',
    ({ provenance: { startedAt, endedAt } }) => (Date.parse(endedAt) - Date.parse(startedAt)) / 1000,
  ],
  [
    'wirecheck_target_seconds',
    'Time in which at least one request was under way.',
    ({ time }) => time && time.target / 1000,
  ],
  [
    'wirecheck_first_text_seconds',
    'Time to the first text of a stream, as the median of the streams that were measured.',
    (report) => {
      const time = firstTextTime(report);
      return typeof time === 'number' ? time / 1000 : NO_FIRST_TEXT[time];
    },
  ],
  [
    'wirecheck_run_timestamp_seconds',
    'Time of the end of the run, in seconds since 1970.',
    ({ provenance }) => Date.parse(provenance.endedAt) / 1000,
  ],
  ['wirecheck_info', 'The value is 1; the labels have the version, the subject and the contract.', measureInfo],
];

function measureClauses(report: Report): readonly Sample[] {
  const excused: Partial<Record<VerdictName, readonly string[]>> = {
    fail: fullyExcusedClauses(report, 'fail'),
    warn: fullyExcusedClauses(report, 'warn'),
  };
  return report.clauses.flatMap((clause) => {
    const { id, verdict } = clause;
    if (verdict === undefined) return [];
    const isExcused = excused[verdict]?.includes(id) ?? false;
    const level = brokenLevel(report, clause);
    return [{ labels: { clause: inert(id), level, verdict, excused: String(isExcused) }, value: 1 }];
  });
}

function measureVerdicts(counts: Counts): readonly Sample[] {
  return VERDICT_ORDER.map((verdict) => ({ labels: { verdict }, value: counts[verdict] }));
}

function measureInfo(report: Report): readonly Sample[] {
  const { tool, provenance, profile } = report;
  const contract = inert(provenance.contractHash.slice(0, 8));
  const labels = { version: inert(tool.version, 40), subject: traitsOf(report).name, contract };
  const judgedBy = profile && { profile: inert(formatProfile(profile), 200), profile_digest: shortDigest(profile) };
  return [{ labels: { ...labels, ...judgedBy }, value: 1 }];
}

/** Help must be the same in all files that node_exporter reads, so a comment says why a metric is missing. */
function metricLines([name, help, measure]: Metric, report: Report, target: string): readonly string[] {
  const measured = measure(report) ?? [];
  if (typeof measured === 'string') return [`# Without ${name}: ${measured}.`];
  const samples: readonly Sample[] = typeof measured === 'number' ? [{ value: measured }] : measured;
  const lines = samples.map(({ labels, value }) => {
    const escape = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
    const pairs = Object.entries({ target, ...labels }).map(([label, text]) => `${label}="${escape(text)}"`);
    return `${name}{${pairs.join(',')}} ${value}`;
  });
  return lines.length === 0 ? [] : [`# HELP ${name} ${help}`, `# TYPE ${name} gauge`, ...lines];
}
