/** How the kinds of change look, the same in every format. */
import type { ChangeKind } from '../../report/comparison/comparison.ts';

interface KindLook {
  /** The verdict that has the same colour. */
  readonly shade: 'fail' | 'warn' | 'pass' | 'inconclusive';
  readonly sign: string;
}

export const KIND_LOOKS: Readonly<Record<ChangeKind, KindLook>> = {
  breaking: { shade: 'fail', sign: '✗' },
  warning: { shade: 'warn', sign: '!' },
  additive: { shade: 'pass', sign: '+' },
  drift: { shade: 'inconclusive', sign: '~' },
};
