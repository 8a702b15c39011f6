/** Whether there is a key to run with. For callers of the library; the command has said more by then. */
import type { Keys } from '../settings.ts';
import { UsageError } from '../usage-error.ts';

export function checkFullKey({ full = '' }: Keys): void {
  if (full.trim() !== '') return;
  throw new UsageError('No API key: pass { full: KEY }, such as that of process.env.WIRECHECK_API_KEY.', {
    code: 'KEY_MISSING',
  });
}
