/** Where the scripted upstream listens, for people. */
import { isLoopback } from '../run/check-address.ts';
import type { Settings } from '../settings.ts';
import { inert } from '../text/inert.ts';

export function formatStart({ relay: { upstreamHost } }: Settings, url: string): string {
  const line = `The scripted upstream listens at ${url}.\n`;
  if (isLoopback(upstreamHost) || upstreamHost === '::1') return line;
  return `${line}Warning: The upstream on ${inert(upstreamHost, 100)} can be reached from other machines. It answers 404 to requests that do not belong to this run.\n`;
}
