/** Each stream of the run as a timeline. */
import { formatRequest } from '../request-text.ts';
import { html, type Markup, NOTHING } from './markup.ts';
import { linkCase, renderFold, renderId, renderSection } from './parts.ts';
import { renderEvents } from './stream-events.ts';
import { renderTimeline } from './timeline.ts';
import type { View } from './view.ts';

/** Answers that are streams, with their request. */
export function listStreams({ report }: View) {
  return report.exchanges.flatMap((exchange) =>
    exchange.attempts.flatMap(({ answer }, attempt) => (answer?.stream ? [{ exchange, attempt, answer }] : [])),
  );
}

export function renderStreams(view: View): Markup {
  const drawn = listStreams(view);
  if (drawn.length === 0) return NOTHING;
  return renderSection({
    id: 'streams',
    title: 'Streams',
    lead: html`Tall ticks are events with text; short ticks are other events. The bars below them are network reads,
    scaled by size. The dot marks the first event, the dashed line the headers, the solid line the end. The longest gap
    is shaded.`,
    body: drawn.map(({ exchange, attempt, answer }) => {
      const sender = view.sender(exchange.id);
      const number = exchange.attempts.length > 1 ? ` (attempt ${attempt + 1})` : '';
      return html`<div class="stream">
        <h3>${sender ? linkCase(view, sender.id) : renderId(exchange.id)}${number}</h3>
        <p class="quiet">${formatRequest(exchange, sender, view.root)}</p>
        ${renderTimeline(answer)}
        ${answer.stream && answer.stream.events.length > 0 ? renderFold('Events', renderEvents(answer.stream, undefined, false)) : NOTHING}
      </div>`;
    }),
  });
}
