/** Asks a gateway from a test, over real HTTP. */
import { expect } from 'vitest';
import type { Gateway, KeyRole } from '../../src/gateway/index.ts';

export const CHAT = { model: 'sea-large', messages: [{ role: 'user', content: 'Say something about the sea.' }] };

/** What the answers of the gateway may hold, all in one. */
export interface Parsed {
  readonly id: string;
  readonly object: string;
  readonly created: number;
  readonly model: string;
  readonly choices: readonly Choice[];
  readonly usage: { readonly prompt_tokens: number; readonly completion_tokens: number; readonly total_tokens: number };
  readonly data: readonly {
    readonly id: string;
    readonly object: string;
    readonly owned_by: string;
    readonly deprecated?: boolean;
  }[];
  readonly error: { readonly message: string; readonly type: string; readonly code: string };
}

interface Choice {
  readonly index: number;
  readonly message: { readonly role: string; readonly content: string };
  readonly delta: { readonly role?: string; readonly content?: string };
  readonly finish_reason: string | null;
}

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Throws where the body is no JSON. */
  readonly json: () => Parsed;
}

/** With the full key, unless the headers say otherwise. */
export async function ask(gateway: Gateway, path: string, init: RequestInit = {}): Promise<Received> {
  const headers = new Headers(init.headers);
  if (!headers.has('authorization')) headers.set('authorization', `Bearer ${gateway.keys.full}`);
  const response = await fetch(gateway.baseUrl + path, { ...init, headers });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => parse(text) };
}

export function chat(
  gateway: Gateway,
  body: unknown,
  role: KeyRole = 'full',
  type = 'application/json',
): Promise<Received> {
  const headers = { authorization: `Bearer ${gateway.keys[role]}`, 'content-type': type };
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return ask(gateway, '/chat/completions', { method: 'POST', headers, body: text });
}

/** A status, and an error body with all its parts. */
export function expectRefusal(reply: Received, status: number): void {
  expect(reply.status).toBe(status);
  expect(reply.headers.get('content-type')).toBe('application/json');
  const { message, type, code } = reply.json().error;
  for (const part of [message, type, code]) expect(part).toMatch(/\S/);
}

/** The chunks of a stream, without `[DONE]`. */
export function chunksIn(stream: string): readonly Parsed[] {
  const data = stream
    .split('\n\n')
    .filter(Boolean)
    .map((event) => event.replace(/^data: /, ''));
  return data.filter((text) => text !== '[DONE]').map(parse);
}

function parse(text: string): Parsed {
  return JSON.parse(text);
}
