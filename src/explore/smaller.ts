/** Smaller forms of a draw, from the boldest to the most careful. */
import type { Contract } from '../contract/contract.ts';
import { classify } from './classify.ts';
import type { Draw, DrawnRequest } from './drawn-request.ts';
import { mendRequest } from './mistakes.ts';
import { barest, isControl, largerNumbers, smallerEarlier, smallerRequests, usualRequest } from './smaller-requests.ts';
import type { SmallerValue } from './smaller-values.ts';

export interface SmallerForm {
  /** What was done, in the same words for a larger or smaller draw. */
  readonly way: string;
  readonly draw: Draw;
  /** Not smaller: a larger number, nearer to one that may pass. */
  readonly isLarger?: true;
}

/** The list depends on the draw alone, so that a path of places in it leads to the same request again. */
export function smallerForms({ number, path, requests }: Draw, contract: Contract): readonly SmallerForm[] {
  const forms = new Map<string, SmallerValue<readonly DrawnRequest[]>>();
  const larger = new Set(largerInLast(requests, contract));
  const smaller = [...shorter(requests), ...plainer(requests, contract), ...smallerInside(requests, contract)];
  for (const form of [...smaller, ...larger]) {
    const text = JSON.stringify(form.value);
    if (!forms.has(text)) forms.set(text, form);
  }
  forms.delete(JSON.stringify(requests));
  const isKnown = ([first, ...more]: readonly DrawnRequest[]): boolean =>
    requests.length === 1 && more.length === 0 && first !== undefined && isControl(first, contract);
  return [...forms.values()]
    .filter(({ value }) => !isKnown(value))
    .map((form, place) => ({
      way: form.way,
      draw: { number, path: `${path}:${place}`, requests: form.value },
      ...(larger.has(form) && { isLarger: true }),
    }));
}

type Requests = readonly DrawnRequest[];

/** The last ones alone, and without one between. */
function shorter(requests: Requests): readonly SmallerValue<Requests>[] {
  const size = requests.length;
  const between = requests.slice(1, -1);
  return [
    ...requests.slice(1).map((_, at) => ({ way: `last ${at + 1}`, value: requests.slice(-at - 1) })),
    ...between.map((_, at) => ({ way: `without ${at} of ${size}`, value: requests.toSpliced(at + 1, 1) })),
  ];
}

/** Many at once. */
function plainer(requests: Requests, contract: Contract): readonly SmallerValue<Requests>[] {
  if (requests.length === 1) return [];
  const [earlier, last] = [requests.slice(0, -1), requests.slice(-1)];
  const usual = earlier.map((request) => usualRequest(request, contract));
  const bare = earlier.map((request) => barest(request, contract));
  const bareLast = last.map((request) => barest(request, contract));
  return [
    { way: 'all usual', value: [...usual, ...bareLast] },
    { way: 'all bare', value: [...bare, ...bareLast] },
    { way: 'earlier usual', value: [...usual, ...last] },
    { way: 'earlier bare', value: [...bare, ...last] },
  ];
}

/** Places count from the end, so that they stay when earlier requests are left out. */
function smallerInside(requests: Requests, contract: Contract): readonly SmallerValue<Requests>[] {
  return requests.flatMap((request, index) => {
    const place = requests.length - index;
    const forms = place === 1 ? smallerRequests(request, contract) : smallerEarlier(request, contract);
    return forms.map(({ way, value }) => ({ way: `${place} ${way}`, value: requests.with(index, value) }));
  });
}

/** Last in the list, so that they change no place in it. */
function largerInLast(requests: Requests, contract: Contract): readonly SmallerValue<Requests>[] {
  return requests
    .slice(-1)
    .flatMap((request) => largerNumbers(request, contract))
    .map(({ way, value }) => ({ way, value: [...requests.slice(0, -1), value] }));
}

/** The last request without its violation; as usual if it has none. */
export function withoutLast(draw: Draw, contract: Contract): Draw {
  const mended = draw.requests
    .slice(-1)
    .map((request) =>
      classify(request, contract).kind === 'invalid'
        ? mendRequest(request, contract).mended
        : usualRequest(request, contract),
    );
  return { ...draw, requests: [...draw.requests.slice(0, -1), ...mended] };
}
