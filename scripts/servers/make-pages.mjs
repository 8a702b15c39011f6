// The pages on servers, made from the recordings alone.
import { foldFindings } from '../../build/src/render/fold.js';
import { evidenceOf, evidencePage } from './evidence.mjs';
import { judgeServers } from './judge.mjs';
import { listServers } from './measured.mjs';
import { serversPage } from './page.mjs';

/** `pages` by path from the root; `mostCompletions`: charged in a run, at the server that answered most. */
export async function makePages() {
  const servers = await judgeServers(listServers());
  const broken = servers.filter(({ v1 }) => foldFindings(v1).length > 0);
  const evidence = broken.map((server) => [evidenceOf(server.name), evidencePage(server)]);
  return {
    pages: /** @type {Readonly<Record<string, string>>} */ ({
      'docs/servers.md': serversPage(servers),
      ...Object.fromEntries(evidence),
    }),
    mostCompletions: Math.max(...servers.map(({ v1 }) => v1.cost.used.completions)),
  };
}
