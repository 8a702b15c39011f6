/** The edit against its control: what stood in the request that was answered, and what stands in this one. */
import type { CaseReport, ExchangeReport } from '../../report/report.ts';
import { typeOf, valueAt } from '../../json.ts';
import { inert } from '../inert.ts';
import { attemptInWords, evidence } from './evidence.ts';
import { html, type Markup, NOTHING, when } from './markup.ts';
import { caseLink } from './parts.ts';
import type { View } from './view.ts';

type Edit = CaseReport['edits'][number];
type Of<Kind extends Edit['kind']> = Extract<Edit, { kind: Kind }>;

interface Change {
  readonly place: string;
  readonly before: string;
  readonly after: string;
}

const LONGEST = 160;
const ABSENT = '(absent)';

type Describe<Kind extends Edit['kind']> = (edit: Of<Kind>, control: ExchangeReport | undefined) => Change;

const CHANGE: { readonly [Kind in Edit['kind']]: Describe<Kind> } = {
  set: ({ pointer, value }, control) => inBody(pointer, control, JSON.stringify(value)),
  add: ({ pointer, value }, control) => inBody(pointer, control, JSON.stringify(value)),
  remove: ({ pointer }, control) => inBody(pointer, control, ABSENT),
  rawNumber: ({ pointer, text }, control) => inBody(pointer, control, text),
  raw: ({ text }, control) => ({
    place: 'body',
    before: control?.body ?? ABSENT,
    after: text === '' ? ABSENT : text,
  }),
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
  return { place: pointer, before: bodyValue(control?.body, pointer), after };
}

function bodyValue(body: string | undefined, pointer: string): string {
  try {
    const value = valueAt(JSON.parse(body ?? 'null'), pointer);
    return typeOf(value) === 'absent' ? ABSENT : JSON.stringify(value);
  } catch {
    return ABSENT;
  }
}

/** Nothing for a request that was sent as the base request is. */
export function changeAgainstControl(view: View, asker: CaseReport | undefined): Markup {
  if (!asker || asker.edits.length === 0) return NOTHING;
  const name = asker.control ?? asker.base;
  const control = name === undefined ? undefined : controlOf(view, name);
  const rows = asker.edits.map((edit) =>
    // The table is keyed by the very kind, which the compiler cannot follow through an index.
    (CHANGE[edit.kind] as (edit: Edit, control: ExchangeReport | undefined) => Change)(edit, control),
  );
  return html`<div class="change">
    <p class="label">The edit${control ? ' against its control' : ''}</p>
    <div class="scroll" tabindex="0" role="group" aria-label="The edit">
      <table>
        <thead>
          <tr>
            <th scope="col">place</th>
            <th scope="col">control</th>
            <th scope="col">this request</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ place, before, after }) =>
              html`<tr>
                <th scope="row"><code>${inert(place, LONGEST)}</code></th>
                <td><code>${inert(before, LONGEST)}</code></td>
                <td>
                  <mark class="edit"><code>${inert(after, LONGEST)}</code></mark>
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${when(control, (exchange) => controlEvidence(view, exchange))}
  </div>`;
}

/** A control is a base request, whose exchange has its name, or another case. */
function controlOf({ report, exchange }: View, name: string): ExchangeReport | undefined {
  return exchange(name) ?? exchange(report.cases.find(({ id }) => id === name)?.exchange ?? '');
}

const MOST = 3_000;

function controlEvidence(view: View, exchange: ExchangeReport): Markup {
  const last = exchange.attempts.at(-1);
  return html`<details>
    <summary>The control, ${exchange.id}: ${last ? attemptInWords(last) : 'not sent'}</summary>
    ${evidence(view, { exchange, most: MOST })}
  </details>`;
}

export function controlName(view: View, one: CaseReport): Markup | undefined {
  return one.control === undefined ? undefined : caseLink(view, one.control);
}
