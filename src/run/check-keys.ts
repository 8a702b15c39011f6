/** Whether there is an address and a key to run with. For callers of the library; the command has said more by then. */
import type { Keys, Settings } from '../settings.ts';
import { UsageError } from '../usage-error.ts';
import { checkAddress, checkTransport } from './check-address.ts';

/** Callers without types may leave out either. */
export function checkGiven(settings: Partial<Settings>, { full }: Keys = {}): void {
  const { baseUrl, allowHttp = false } = settings;
  if (typeof baseUrl !== 'string') {
    throw new UsageError('No base URL: set baseUrl in the settings, such as https://gateway.example/v1.', {
      code: 'BASE_URL_MISSING',
    });
  }
  checkTransport(checkAddress({ text: baseUrl, name: 'The base URL' }), allowHttp, 'allowHttp: true');
  if (typeof full === 'string' && full.trim() !== '') return;
  throw new UsageError('No API key: pass { full: KEY }, such as that of process.env.WIRECHECK_API_KEY.', {
    code: 'KEY_MISSING',
  });
}
