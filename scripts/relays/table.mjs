// The table of docs/relay.md: what each gateway breaks, and what was observed.

/** `measured`: `{ name, title, version, report }` of each gateway. */
export function formatTable(measured, date) {
  const clauses = (level) => {
    const broken = measured.flatMap(({ report }) => report.clauses.filter((clause) => isBroken(clause, level)));
    return [...new Map(broken.map((clause) => [clause.id, clause])).values()];
  };
  const row = (first, cellOf) => `| ${first} | ${measured.map(cellOf).join(' | ')} |`;
  const rowsOf = (level) =>
    clauses(level).map((clause) =>
      row(`${level}: ${clause.summary.replace(/\.$/, '')} (\`${clause.id}\`)`, ({ report }) =>
        breaks(report, clause.id),
      ),
    );
  return [
    row('', ({ title, version }) => `${title} ${version}`),
    `|---|${measured.map(() => '---|').join('')}`,
    row('measured', () => date),
    row('configuration', ({ name }) => `\`--print-config ${name}\``),
    row('cases that pass', ({ report: { counts } }) => `${counts.cases.pass} of ${judged(counts.cases)}`),
    ...rowsOf('must'),
    ...rowsOf('should'),
    row('observed: a client leaves a plain call', ({ report }) => leaving(report, 'relay/leave-plain')),
    row('observed: a client leaves a stream', ({ report }) => leaving(report, 'relay/leave-stream')),
    row('observed: upstream calls when the upstream fails', ({ report }) => retries(report)),
  ].join('\n');
}

function isBroken({ level, verdict }, wanted) {
  return level === wanted && (verdict === 'fail' || verdict === 'warn');
}

function judged({ pass, fail, warn, inconclusive }) {
  return pass + fail + warn + inconclusive;
}

/** The cases that break a clause: all of them by name if they are few. */
function breaks({ cases }, clause) {
  const broken = cases.filter(({ expectations }) =>
    expectations.some((one) => one.clause === clause && (one.verdict === 'fail' || one.verdict === 'warn')),
  );
  if (broken.length === 0) return '·';
  const names = broken.map(({ id }) => id.replace('relay/', ''));
  return names.length > 4 ? `${names.length} cases, such as ${names[0]}` : names.join(', ');
}

function leaving(report, id) {
  const value = observation(report, id, 'relay.leaving')?.value;
  if (value === undefined) return 'not judged';
  return value.kind === 'stopped' ? 'the upstream call stops' : `the upstream call ${value}`;
}

function retries(report) {
  const value = observation(report, 'relay/calls-per-call', 'relay.calls')?.value;
  if (!Array.isArray(value)) return '1';
  return `up to ${Math.max(...value.map(({ count }) => count))}`;
}

function observation({ cases }, id, clause) {
  const expectation = cases.find((one) => one.id === id)?.expectations.find((one) => one.clause === clause);
  return expectation?.observations?.[0];
}
