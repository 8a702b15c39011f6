/** Every text of a completion, plain or streamed: what the model said, and its reasoning. */
import type { Answer, Exchange } from '../../exchange/exchange.ts';
import { joinParts, REASONING_FIELDS, TEXT_FIELDS } from '../../exchange/reading/choices.ts';
import { readChunks } from '../../exchange/reading/chunks.ts';
import { memberOf } from '../../json.ts';
import { itemsOf, jsonOf } from './answers.ts';

const FIELDS = [...TEXT_FIELDS, ...REASONING_FIELDS];

/** Empty texts are left out. */
export function replyTexts({ request }: Exchange, answer: Answer): readonly string[] {
  const texts =
    request.mode === 'stream'
      ? readChunks(answer).choices.flatMap(({ text, reasoning }) =>
          [text, reasoning].map((pieces) => pieces.map((piece) => piece.text).join('')),
        )
      : itemsOf(memberOf(jsonOf(answer), 'choices')).flatMap((choice) =>
          FIELDS.map((field) => joinParts(memberOf(memberOf(choice, 'message'), field))),
        );
  return texts.filter((text) => text !== '');
}
