/** The targets under load of the self-test: faulty ones are caught for the right reason, honest ones are left alone. */
import { expect, it } from 'vitest';
import { runSelftest } from '../../selftest/run-selftest.ts';
import { listSubjects } from '../../selftest/test-subjects.ts';
import { IS_THOROUGH } from '../kit/thoroughness.ts';

/** A faulty gateway and an honest one. The self-test tries relays too, and with --all every target. */
const TRIED = ['load-slots-kept', 'load-queues'];

it.skipIf(IS_THOROUGH)(
  'faulty targets under load are found to break exactly their clauses, and honest ones none',
  { timeout: 600_000 },
  async () => {
    const known = listSubjects('load').map(({ id }) => id);
    expect(known).toEqual(expect.arrayContaining(TRIED));
    const results = await runSelftest({ names: TRIED });
    expect(results).toHaveLength(TRIED.length);
    for (const { subject, problems } of results) expect.soft(problems, subject.id).toEqual([]);
  },
);
