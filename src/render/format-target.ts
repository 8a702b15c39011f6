/** The target of a report in a few words, for headings. Not inert: every format escapes it in its own way. */
import type { Report } from '../report/report.ts';

/** `production (https://gateway.example/v1)`, `https://gateway.example/v1`, `openai 6.49` or `https://gateway.example/v1 in front of http://127.0.0.1:5055/v1`. */
export function formatTarget({ target: { name, baseUrl, client, upstream } }: Pick<Report, 'target'>): string {
  if (client) return client.version === undefined ? client.name : `${client.name} ${client.version}`;
  const address = upstream ? `${baseUrl} in front of ${upstream.url}` : baseUrl;
  return name === undefined ? address : `${name} (${address})`;
}
