/** Judges the requests that reached the scripted upstream against what the client sent, as `wirecheck relay` does (rule 31). */
import type { Exchange } from '../../exchange/exchange.ts';
import { type Json, memberOf, parseJson } from '../../json.ts';
import type { OnlyWith } from '../../report/load-report.ts';
import type { Settings } from '../../settings.ts';
import type { BriefParts } from '../../verdict/finding.ts';
import { lostMessage, otherModel, otherTokenLimit } from '../../verdict/reading/forwarded.ts';
import { canCompareModels, type NamedModel, namedModels } from '../relay/named-models.ts';
import { textsOf } from '../relay/words.ts';
import type { KnownCall } from './calls.ts';
import type { LoadTallyName, Tallies } from './tally.ts';

interface ArrivedCall {
  readonly exchange: Exchange;
  readonly traits: readonly OnlyWith[];
  readonly known: Pick<KnownCall, 'arrived'>;
}

/** Says whether one of them breaks a clause. */
export function judgeArrived(
  { exchange, traits, known }: ArrivedCall,
  { tallies, models }: { readonly tallies: Tallies; readonly models: ModelWatch },
): boolean {
  const sent = parseJson(exchange.request.body);
  const arrived = known.arrived?.map((text) => parseJson(text)) ?? [];
  if (sent === undefined || arrived.length === 0) return false;
  const found = (name: LoadTallyName, look: (body: Json | undefined) => BriefParts | undefined): boolean => {
    const parts = arrived.map(look).find((each) => each !== undefined);
    tallies[name].add({ exchange, traits }, parts);
    return parts !== undefined;
  };
  const named = models.find(sent);
  return [
    found('messages', (body) => lostMessage(textsOf(sent), textsOf(body))),
    found('token-limit', (body) => otherTokenLimit(sent, body)),
    named !== undefined && found('model', (body) => models.look(named, body)),
  ].includes(true);
}

/** The models that the user names, and which of them was the first to arrive under a name. */
export class ModelWatch {
  readonly #named: readonly NamedModel[];
  readonly #first = new Map<Json | undefined, string>();

  constructor(settings: Pick<Settings, 'relay'>) {
    this.#named = namedModels(settings);
  }

  /** The model that a request asks for, if there is something to compare. */
  find(sent: Json): NamedModel | undefined {
    const named = this.#named.find(({ front }) => front === memberOf(sent, 'model'));
    return canCompareModels(this.#named) ? named : undefined;
  }

  look({ front, upstream: name }: NamedModel, body: Json | undefined): BriefParts | undefined {
    const arrived = memberOf(body, 'model');
    const first = this.#first.get(arrived) ?? front;
    this.#first.set(arrived, first);
    return otherModel(arrived, { name, other: first === front ? undefined : first });
  }
}
