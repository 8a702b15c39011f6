/** How the kinds of change look, the same in every format. */
import type { ChangeKind } from '../../report/comparison/comparison.ts';
import type { Shade } from '../looks.ts';

export type SectionName = ChangeKind | 'waived';

interface SectionLook {
  readonly title: string;
  /** The verdict that has the same colour. */
  readonly shade: Shade;
  readonly sign: string;
}

export const SECTION_LOOKS: Readonly<Record<SectionName, SectionLook>> = {
  breaking: { title: 'Breaking', shade: 'fail', sign: '✗' },
  warning: { title: 'Warnings', shade: 'warn', sign: '!' },
  additive: { title: 'Additive', shade: 'pass', sign: '+' },
  drift: { title: 'Drift', shade: 'inconclusive', sign: '~' },
  waived: { title: 'Waived', shade: 'skipped', sign: '–' },
};

export const SARIF_LEVELS: Readonly<Record<ChangeKind, 'error' | 'warning' | 'note'>> = {
  breaking: 'error',
  warning: 'warning',
  additive: 'note',
  drift: 'note',
};
