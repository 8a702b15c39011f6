/** Whether there is an address and keys to run with. For callers of the library; the command has said more by then. */
import type { Keys, Settings } from '../settings.ts';
import { UsageError } from '../usage-error.ts';
import { checkAddress, checkTransport } from './check-address.ts';
import { faultOfKey } from './fault-of-key.ts';

/** Callers without types may leave out either. */
export function checkGiven(settings: Partial<Settings>, keys: Keys = {}): void {
  const { baseUrl, allowHttp = false } = settings;
  if (typeof baseUrl !== 'string') {
    throw new UsageError('No base URL: set baseUrl in the settings, such as https://gateway.example/v1.', {
      code: 'BASE_URL_MISSING',
    });
  }
  checkTransport(checkAddress({ text: baseUrl, name: 'The base URL' }), allowHttp, 'allowHttp: true');
  if (typeof keys.full !== 'string' || keys.full.trim() === '') {
    throw new UsageError('No API key: pass { full: KEY }, such as that of process.env.WIRECHECK_API_KEY.', {
      code: 'KEY_MISSING',
    });
  }
  for (const [role, key] of Object.entries(keys) as [string, unknown][]) if (key !== undefined) checkOne(role, key);
}

/** No message quotes the key. */
function checkOne(role: string, key: unknown): void {
  const name = `The key ${role}`;
  if (typeof key !== 'string') throw new UsageError(`${name} is not a string: give the key.`, { code: 'KEY_INVALID' });
  if (key.trim() === '')
    throw new UsageError(`${name} is empty: give the key, or leave it out.`, { code: 'KEY_MISSING' });
  const wrong = faultOfKey(key);
  if (wrong !== undefined) throw new UsageError(`${name} ${wrong}`, { code: 'KEY_INVALID' });
}
