/** Metrics for node_exporter's textfile collector: https://prometheus.io/docs/instrumenting/exposition_formats/ */
import { brokenLevel } from './clause-states.ts';
import { formatProfile, shortDigest } from './profile-text.ts';
import { firstTextTime } from '../report/first-text-time.ts';
import type { Report } from '../report/report.ts';
import { traitsOf } from '../report/subject-traits.ts';
import { inert } from '../text/layout.ts';
import { fullyExcusedClauses } from './excused.ts';
import type { VerdictName } from './fold.ts';
import type { Format } from './format.ts';
import { NO_FIRST_TEXT, VERDICT_ORDER, formatTarget } from './run-text.ts';

export const prometheus: Format = {
  summary: "metrics for Prometheus, for node_exporter's textfile collector",
  render: (report) => {
    const target = inert(report.target.name ?? report.target.client?.name ?? formatTarget(report), 300);
    return METRICS.flatMap((metric) => metricLines(metric, report, target))
      .map((line) => `${line}\n`)
      .join('');
  },
};

type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

interface Metric {
  readonly name: string;
  readonly help: string;
  readonly samplesOf: (report: Report) => readonly Sample[];
  /** Where users may miss it. */
  readonly whyMissing?: (report: Report) => string | undefined;
}

function single(name: string, help: string, valueOf: (report: Report) => number | undefined): Metric {
  const samplesOf = (report: Report): readonly Sample[] => {
    const value = valueOf(report);
    return value === undefined ? [] : [{ value }];
  };
  return { name, help, samplesOf };
}

/** Base units, as Prometheus wants them: seconds, not milliseconds. All are gauges, since a run counts from zero. */
const METRICS: readonly Metric[] = [
  {
    name: 'wirecheck_clause',
    help: 'Verdict on each clause of the latest run. The value is 1; the label has the verdict.',
    samplesOf: (report) => {
      const excused = { fail: fullyExcusedClauses(report, 'fail'), warn: fullyExcusedClauses(report, 'warn') };
      const isExcused = (id: string, verdict: VerdictName) =>
        (verdict === 'fail' || verdict === 'warn') && excused[verdict].includes(id);
      return report.clauses.flatMap((clause) => {
        const { id, verdict } = clause;
        if (verdict === undefined) return [];
        const level = brokenLevel(report, clause);
        return [{ labels: { clause: inert(id), level, verdict, excused: String(isExcused(id, verdict)) }, value: 1 }];
      });
    },
  },
  {
    name: 'wirecheck_clauses',
    help: 'Number of clauses by verdict.',
    samplesOf: ({ counts }) =>
      VERDICT_ORDER.map((verdict) => ({ labels: { verdict }, value: counts.clauses[verdict] })),
  },
  {
    name: 'wirecheck_cases',
    help: 'Number of cases by verdict.',
    samplesOf: ({ counts }) => VERDICT_ORDER.map((verdict) => ({ labels: { verdict }, value: counts.cases[verdict] })),
  },
  {
    name: 'wirecheck_exit_code',
    help: 'Exit code of the run: 0 conforms, 1 does not conform, 3 not judged, 130 interrupted.',
    samplesOf: ({ outcome }) => [{ labels: { outcome: outcome.name }, value: outcome.exit }],
  },
  single('wirecheck_requests', 'Requests of the run.', ({ cost }) => cost.used.requests),
  single('wirecheck_completions', 'Completions of the run that are charged.', ({ cost }) => cost.used.completions),
  single(
    'wirecheck_tokens',
    'Tokens of the run, as the target counts them; those of a stream without usage are estimated.',
    ({ cost }) => cost.used.tokens,
  ),
  single('wirecheck_retried_attempts', 'Attempts that were replaced by a retry.', ({ retries }) => retries?.replaced),
  single(
    'wirecheck_duration_seconds',
    'Duration of the run.',
    ({ provenance: { startedAt, endedAt } }) => (Date.parse(endedAt) - Date.parse(startedAt)) / 1000,
  ),
  single(
    'wirecheck_target_seconds',
    'Time in which at least one request was under way.',
    ({ time }) => time && time.target / 1000,
  ),
  {
    name: 'wirecheck_first_text_seconds',
    help: 'Time to the first text of a stream, as the median of the streams that were measured.',
    samplesOf: (report) => {
      const time = firstTextTime(report);
      return typeof time === 'number' ? [{ value: time / 1000 }] : [];
    },
    whyMissing: (report) => {
      const time = firstTextTime(report);
      return typeof time === 'number' ? undefined : NO_FIRST_TEXT[time];
    },
  },
  single(
    'wirecheck_run_timestamp_seconds',
    'Time of the end of the run, in seconds since 1970.',
    ({ provenance }) => Date.parse(provenance.endedAt) / 1000,
  ),
  {
    name: 'wirecheck_info',
    help: 'The value is 1; the labels have the version, the subject and the contract.',
    samplesOf: (report) => {
      const { tool, provenance } = report;
      const contract = inert(provenance.contractHash.slice(0, 8));
      const { profile } = report;
      const labels = { version: inert(tool.version, 40), subject: traitsOf(report).name, contract };
      const judgedBy = profile && { profile: inert(formatProfile(profile), 200), profile_digest: shortDigest(profile) };
      return [{ labels: { ...labels, ...judgedBy }, value: 1 }];
    },
  },
];

/** Help must be the same in all files that node_exporter reads, so a comment says why a metric is missing. */
function metricLines({ name, help, samplesOf, whyMissing }: Metric, report: Report, target: string): readonly string[] {
  const samples = samplesOf(report);
  const why = whyMissing?.(report);
  if (samples.length === 0) return why === undefined ? [] : [`# Without ${name}: ${why}.`];
  return [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} gauge`,
    ...samples.map(({ labels, value }) => `${name}{${formatLabels({ target, ...labels })}} ${value}`),
  ];
}

function formatLabels(labels: Labels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(value)}"`)
    .join(',');
}

function escapeLabel(value: string): string {
  return value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
