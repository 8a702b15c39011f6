/**
 * Where a finding is. Code scanning refuses a result without a location, and any URI with a scheme. A case of the user's own
 * suite is in a file. Any other finding is at an endpoint: its path below a base that no viewer takes for a folder, with a
 * text of ours as its contents, so that it can be opened.
 */
import type { Report } from '../../report/report.ts';
import { inert } from '../../text/inert.ts';
import { type Place, ownSource } from '../finding-text.ts';
import { sarifUri } from './sarif-rules.ts';

/** Without an address (section 3.14.14), since code scanning takes a scheme for a mistake. */
export const TARGET_BASE = 'TARGET';

/** The endpoints that findings are located at, each once. */
export function listEndpoints(report: Report, places: readonly Place[]): readonly string[] {
  return [
    ...new Set(places.filter((place) => !ownSource(report, place.case)).map((place) => endpointOf(report, place))),
  ];
}

export function locationOf(report: Report, place: Place, endpoints: readonly string[]) {
  const source = ownSource(report, place.case);
  const endpoint = endpointOf(report, place);
  return {
    physicalLocation: {
      artifactLocation: source
        ? { uri: sarifUri(source.file) }
        : { uri: sarifUri(endpoint), uriBaseId: TARGET_BASE, index: endpoints.indexOf(endpoint) },
      region: { startLine: Math.max(1, source?.line ?? 1) },
    },
    logicalLocations: [{ fullyQualifiedName: inert(place.case.id) }],
  };
}

/** With its contents (section 3.24.8): viewers show them in place of a file. */
export function artifactOf({ target }: Report, endpoint: string) {
  const origin = URL.canParse(target.baseUrl) ? new URL(target.baseUrl).origin : inert(target.baseUrl, 200);
  return {
    location: { uri: sarifUri(endpoint), uriBaseId: TARGET_BASE },
    mimeType: 'text/plain',
    contents: {
      text: `${origin}/${inert(endpoint, 500)} is an endpoint of the target, not a file. The report has its answers.\n`,
    },
  };
}

/** `v1/chat/completions` */
function endpointOf({ target, exchanges }: Report, { case: testCase, finding }: Place): string {
  const shown = finding?.exchange ?? testCase.exchange;
  const path = exchanges.find(({ id }) => id === shown)?.path.split('?')[0] ?? '';
  const base = URL.canParse(target.baseUrl) ? new URL(target.baseUrl).pathname : '';
  return `${base}${path}`.replaceAll(/^\/+|\/+$/g, '') || 'v1';
}
