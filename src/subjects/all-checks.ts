/** The checks of every subject. Apart from its cases, which are needed where nothing is judged. */
import { CLIENT_CHECKS } from '../gather/client/client-checks.ts';
import { LOAD_CHECKS } from '../gather/load/load-checks.ts';
import { RELAY_CHECKS } from '../gather/relay/judge/judge-relay.ts';
import type { CheckOf } from '../verdict/check.ts';
import { CHECKS } from '../verdict/checks/index.ts';
import { SUBJECT_NAMES, type SubjectName } from './subjects.ts';

/** A check as everybody but its judge knows it. */
type KnownCheck = Pick<CheckOf<never>, 'summary' | 'options'>;

/** The checks of each subject, by the names that its suites use. */
const CHECKS_OF: Readonly<Record<SubjectName, Readonly<Record<string, KnownCheck>>>> = {
  gateway: CHECKS,
  client: CLIENT_CHECKS,
  relay: RELAY_CHECKS,
  load: LOAD_CHECKS,
};

/** A check, and the subject that it judges. Two subjects may each have a check of the same name. */
export interface RegisteredCheck extends KnownCheck {
  readonly name: string;
  readonly subject: SubjectName;
}

/** The checks of every subject. */
export const ALL_CHECKS: readonly RegisteredCheck[] = SUBJECT_NAMES.flatMap((subject) =>
  Object.entries(CHECKS_OF[subject]).map(([name, { summary, options }]) => ({
    name,
    subject,
    summary,
    ...(options && { options }),
  })),
);
