// The pages on servers, made from the recordings alone.
import { foldFindings } from '../../build/src/render/fold.js';
import { evidenceOf, evidencePage } from './evidence.mjs';
import { judgeServers } from './judge.mjs';
import { listServers } from './measured.mjs';
import { serversPage } from './page.mjs';

/** @returns {Promise<Readonly<Record<string, string>>>} by path from the root */
export async function makePages() {
  const servers = await judgeServers(listServers());
  const broken = servers.filter((server) => foldFindings(server.v1).length > 0);
  const evidence = broken.map((server) => [evidenceOf(server.name), evidencePage(server)]);
  return { 'docs/servers.md': serversPage(servers), ...Object.fromEntries(evidence) };
}
