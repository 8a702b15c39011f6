/** Each stream of the run as a timeline. */
import { requestInWords } from '../request-in-words.ts';
import { html, type Markup, NOTHING } from './markup.ts';
import { caseLink, section, idText } from './parts.ts';
import { eventTable } from './stream-events.ts';
import { timeline } from './timeline.ts';
import type { View } from './view.ts';

export function streams(view: View): Markup {
  const drawn = view.report.exchanges.flatMap((exchange) =>
    exchange.attempts.flatMap(({ answer }, attempt) => (answer?.stream ? [{ exchange, attempt, answer }] : [])),
  );
  if (drawn.length === 0) return NOTHING;
  return section({
    id: 'streams',
    title: 'Streams',
    lead: html`Tall ticks are events with text; short ticks are other events. The bars below them are network reads,
    scaled by size. The dot marks the first event, the dashed line the headers, the solid line the end. The longest gap
    is shaded.`,
    body: drawn.map(({ exchange, attempt, answer }) => {
      const asker = view.asker(exchange.id);
      const number = exchange.attempts.length > 1 ? ` (attempt ${attempt + 1})` : '';
      return html`<div class="stream">
        <h3>${asker ? caseLink(view, asker.id) : idText(exchange.id)}${number}</h3>
        <p class="quiet">${requestInWords(exchange, asker, view.root)}</p>
        ${timeline(answer)}
        ${
          answer.stream && answer.stream.events.length > 0
            ? html`<details>
                <summary>Events</summary>
                ${eventTable(answer.stream, undefined, false)}
              </details>`
            : NOTHING
        }
      </div>`;
    }),
  });
}
