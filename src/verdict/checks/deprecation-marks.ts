import { type Json, type JsonObject, isObject } from '../../json.ts';
import { itemsOf, memberOf } from '../body-reading.ts';
import type { Check } from '../check.ts';
import { jsonOf200 } from '../completion.ts';
import { observed, skipped } from '../finding.ts';
import { seenValues } from '../seen-values.ts';

/** How the mark looks is not shown: a field named for it, or a state that says so. */
const MARK_NAME = /deprecat|retire|sunset|(?:^|_)eol(?:_|$)|end_of_life/i;
const STATE_NAME = /^(?:status|state|lifecycle|lifecycle_status)$/i;
const MARK_VALUE = /deprecat|retir|sunset|end.of.life|legacy/i;

function isMark(name: string, value: Json | undefined): boolean {
  if (MARK_NAME.test(name)) return value !== false && value !== null && value !== '';
  return STATE_NAME.test(name) && typeof value === 'string' && MARK_VALUE.test(value);
}

function marksOf(model: JsonObject): readonly string[] {
  return Object.keys(model).filter((name) => isMark(name, model[name]));
}

export const deprecationMarks: Check = {
  summary: 'Records how models are marked deprecated, and how many.',
  execute: ({ exchanges, run }) => {
    const lists = exchanges.map((exchange) => jsonOf200(exchange, run)).filter((read) => read.kind === 'json');
    if (lists.length === 0) return skipped('no model list came');
    // The same model in several lists is one model.
    const marked = new Set<Json | undefined>();
    const names = new Set<string>();
    for (const model of lists.flatMap(({ value }) => itemsOf(memberOf(value, 'data'))).filter(isObject)) {
      const marks = marksOf(model);
      if (marks.length > 0) marked.add(memberOf(model, 'id'));
      for (const mark of marks) names.add(mark);
    }
    return observed([
      { name: 'models marked deprecated', value: marked.size },
      { name: 'fields that mark them', value: seenValues(names) },
    ]);
  },
};
