/** Answers of the upstream that no script decides. */
import type { ServerResponse } from 'node:http';
import type { Json } from '../../json.ts';

export const UPSTREAM_MODEL = 'wirecheck-upstream';

export function listModels(response: ServerResponse): void {
  const created = Math.floor(Date.now() / 1000);
  const model = { id: UPSTREAM_MODEL, object: 'model', created, owned_by: 'wirecheck' };
  sendJson(response, 200, { object: 'list', data: [model] });
}

export function refuse(response: ServerResponse, status: number, code: string): void {
  const message = 'This upstream answers only the questions of wirecheck.';
  sendJson(response, status, { error: { message, type: 'invalid_request_error', code } });
}

function sendJson(response: ServerResponse, status: number, value: Json): void {
  if (response.destroyed) return;
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}
