/** Finds what the contract forbids in the body of a chat request that was not planned. */
import { isObject } from '../json.ts';
import type { Contract, SchemaIssue } from './contract.ts';

const SCHEMA = 'v1/chat-completion-request';

export function requestIssues(contract: Contract, body: string): readonly SchemaIssue[] {
  if (body === '') return [wholeBody('endpoint.chat-body-required', 'absent')];
  const value = parse(body);
  if (value === undefined) return [wholeBody('endpoint.chat-body-json', 'type')];
  const issues = contract.validate(SCHEMA, value);
  // The contract does not say whether an optional field may be `null`.
  const optional = /^\/(?!model$|messages$)[^/]+$/;
  return issues.filter(
    ({ pointer, actualType }) => !isObject(value) || actualType !== 'null' || !optional.test(pointer),
  );
}

function wholeBody(clause: string, mismatch: 'absent' | 'type'): SchemaIssue {
  return { clause, pointer: '', mismatch, expected: { kind: 'type', types: ['object'] }, actualType: 'text' };
}

function parse(text: string): unknown {
  try {
    // A number that JavaScript cannot represent, such as `1e400`, is still a number, and out of every range.
    return JSON.parse(text, (_name, value: unknown) =>
      value === Infinity || value === -Infinity ? Math.sign(value) * Number.MAX_VALUE : value,
    );
  } catch {
    return undefined;
  }
}
