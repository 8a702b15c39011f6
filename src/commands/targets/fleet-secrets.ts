/** The secrets of a fleet: none may show in the report on another target. */
import { createRedactor, type Redaction, type Redactor } from '../../exchange/secrets/redaction.ts';
import { createScanner, type Scanner, unmistakable } from '../../exchange/secrets/scanner.ts';
import { collectSecrets, givenSecrets } from '../../exchange/secrets/secrets.ts';
import type { Target } from './read-targets.ts';

/** For what is written in the end. */
export function scannerOf(targets: readonly Target[]): Scanner {
  const [first, ...others] = targets;
  if (!first) throw new Error('a fleet without targets');
  const secrets = others.flatMap(({ settings, keys }) => collectSecrets(settings, keys).secrets);
  const addresses = others.map(({ settings }) => settings.baseUrl);
  return createScanner(first.settings, first.keys, secrets, addresses);
}

/** A target's own key is redacted before, so what is found here belongs to another. */
export function redactorOf(targets: readonly Target[]): Redactor {
  const given = targets.flatMap(({ settings, keys }) => givenSecrets(settings, keys));
  const distinct = new Map(given.map((secret) => [secret.text, secret]));
  return createRedactor([...distinct.values()].flatMap(unmistakable));
}

/** The redactor, with the number of texts in which it found something. */
export function countFinds(redactor: Redactor): Redactor & { readonly finds: number } {
  let finds = 0;
  const count = <Of>(redaction: Redaction<Of>): Redaction<Of> => {
    if (redaction.seen.length > 0) finds += 1;
    return redaction;
  };
  return {
    text: (text) => count(redactor.text(text)),
    body: (bytes) => count(redactor.body(bytes)),
    get finds() {
      return finds;
    },
  };
}
