/** How the kinds of change look, the same in every format. */
import type { ChangeKind } from '../../report/comparison/comparison.ts';
import type { Shade } from '../looks.ts';

interface KindLook {
  readonly title: string;
  /** The verdict that has the same colour. */
  readonly shade: Shade;
  readonly sign: string;
  readonly sarif: 'error' | 'warning' | 'note';
}

export const KIND_LOOKS: Readonly<Record<ChangeKind, KindLook>> = {
  breaking: { title: 'Breaking', shade: 'fail', sign: '✗', sarif: 'error' },
  warning: { title: 'Warnings', shade: 'warn', sign: '!', sarif: 'warning' },
  additive: { title: 'Additive', shade: 'pass', sign: '+', sarif: 'note' },
  drift: { title: 'Drift', shade: 'inconclusive', sign: '~', sarif: 'note' },
};
