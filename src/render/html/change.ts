/** The edits of a request, compared with its control: the same request unedited, which has to be answered. */
import type { CaseReport } from '../../report/report.ts';
import type { ExchangeReport } from '../../report/exchange-report.ts';
import { parseJson, typeOf, valueAt } from '../../json.ts';
import { inert } from '../../text/inert.ts';
import { formatAttempt, type Evidence, renderEvidence } from './evidence.ts';
import { html, type Markup, NOTHING, when } from './markup.ts';
import { linkCase, renderFold, renderId, renderTable } from './parts.ts';
import type { View } from './view.ts';

type Edit = CaseReport['edits'][number];
type Of<Kind extends Edit['kind']> = Extract<Edit, { kind: Kind }>;

interface Change {
  readonly place: string;
  readonly before: string;
  readonly after: string;
}

const MAX_LENGTH = 160;
const ABSENT = '(absent)';

/** `sent` is the request on the wire: placeholders of an edit are filled in there. */
type Describe<Kind extends Edit['kind']> = (
  edit: Of<Kind>,
  control: ExchangeReport | undefined,
  sent: ExchangeReport | undefined,
) => Change;

const CHANGE: { readonly [Kind in Edit['kind']]: Describe<Kind> } = {
  set: ({ pointer }, control, sent) => inBody(pointer, control, bodyValue(sent, pointer)),
  add: ({ pointer }, control, sent) => inBody(pointer, control, bodyValue(sent, pointer)),
  remove: ({ pointer }, control) => inBody(pointer, control, ABSENT),
  rawNumber: ({ pointer, text }, control) => inBody(pointer, control, text),
  raw: ({ text }, control) => ({
    place: 'body',
    before: control?.body ?? ABSENT,
    after: text === '' ? ABSENT : text,
  }),
  spelling: ({ spellings }) => ({ place: 'spelling', before: 'usual', after: spellings.join(', ') }),
  header: ({ name, value }, control) => ({
    place: `header ${name}`,
    before: control?.headers.find(([each]) => each.toLowerCase() === name.toLowerCase())?.[1] ?? ABSENT,
    after: value ?? ABSENT,
  }),
  key: ({ use }, control) => ({ place: 'key', before: control?.key ?? 'full', after: use }),
  method: ({ method }, control) => ({ place: 'method', before: control?.method ?? '', after: method }),
  path: ({ path }, control) => ({ place: 'path', before: control?.path ?? '', after: path }),
  query: ({ query }) => ({ place: 'query', before: ABSENT, after: query }),
};

function inBody(pointer: string, control: ExchangeReport | undefined, after: string): Change {
  return { place: pointer, before: bodyValue(control, pointer), after };
}

function bodyValue(exchange: ExchangeReport | undefined, pointer: string): string {
  const value = valueAt(parseJson(exchange?.body), pointer);
  return typeOf(value) === 'absent' ? ABSENT : JSON.stringify(value);
}

/** Empty for a request without edits. */
export function renderEdits(view: View, sender: CaseReport | undefined, detail: Evidence['detail']): Markup {
  if (!sender || sender.edits.length === 0) return NOTHING;
  const name = sender.control ?? sender.base;
  const control = name === undefined ? undefined : findControl(view, name);
  const sent = view.exchange(sender.exchange ?? '');
  const rows = sender.edits.map((edit) => {
    // The compiler cannot see that the table is keyed by the kind of the edit.
    const describe = CHANGE[edit.kind] as (edit: Edit, ...exchanges: (ExchangeReport | undefined)[]) => Change;
    return describe(edit, control, sent);
  });
  return html`<div class="change">
    <p class="label">${control ? 'Edit and control request' : 'Edit'}</p>
    ${renderTable({
      name: 'Edit',
      kind: 'edits',
      heads: ['field', ...(control ? ['control'] : []), 'this request'],
      rows: rows.map(({ place, before, after }) => [
        renderCode(place),
        ...(control ? [renderCode(before)] : []),
        html`<mark class="edit">${renderCode(after)}</mark>`,
      ]),
    })}
    ${when(control, (exchange) => renderControl(view, exchange, detail))}
  </div>`;
}

/** A control is a base request, whose exchange has the same name, or another case. */
function findControl({ report, exchange }: View, name: string): ExchangeReport | undefined {
  return exchange(name) ?? exchange(report.cases.find(({ id }) => id === name)?.exchange ?? '');
}

/** A link where details are brief: most edits of a run share the same control. */
function renderControl(view: View, exchange: ExchangeReport, detail: Evidence['detail']): Markup {
  const last = exchange.attempts.at(-1);
  const outcome = last ? formatAttempt(last) : 'not sent';
  const sender = view.sender(exchange.id);
  if (detail === 'brief') {
    return html`<p class="note">
      Control request ${sender ? linkCase(view, sender.id) : renderId(exchange.id)}: ${outcome}.
    </p>`;
  }
  const evidence = renderEvidence(view, { exchange, detail: 'brief' });
  return renderFold(html`Control request ${renderId(exchange.id)}: ${outcome}`, evidence);
}

function renderCode(text: string): Markup {
  return html`<code>${inert(text, MAX_LENGTH)}</code>`;
}
