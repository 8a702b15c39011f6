// What a client can read in an answer of the reference gateway.
import { piecesOf } from '../../build/src/gateway/answer.js';
/** @import { Answer, Piece } from '../../build/src/gateway/answer.js' */

/** @param {readonly Piece[]} pieces */
function textOf(pieces) {
  return Buffer.concat(pieces.map(({ bytes }) => Buffer.from(bytes))).toString();
}

/**
 * Undefined if the answer does not come to its proper end.
 * @param {Answer} answer
 */
export function finalStatus(answer) {
  if (answer.kind === 'reply') return answer.ending === 'proper' ? answer.status : undefined;
  if (answer.kind !== 'raw' || answer.ending !== 'end') return undefined;
  // Interim answers come first.
  const heads = [...textOf(answer.pieces).matchAll(/^HTTP\/1\.[01] (\d{3})/gm)];
  const [, status] = heads.at(-1) ?? [];
  return status === undefined ? undefined : Number(status);
}

/**
 * The ids of a list of models; empty for anything else.
 * @param {Answer} answer
 * @returns {string[]}
 */
export function listedModels(answer) {
  if (answer.kind !== 'reply') return [];
  try {
    /** @type {{ data: { id: string }[] }} */
    const { data } = JSON.parse(textOf(piecesOf(answer)));
    return data.map(({ id }) => id);
  } catch {
    return [];
  }
}
