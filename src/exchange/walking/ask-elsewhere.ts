/** Asks a question at another address than that of the run. */
import type { Keys, Settings } from '../../settings.ts';
import { Asker, type Question } from '../attempts/asker.ts';
import type { Ledger } from '../attempts/ledger.ts';
import type { Exchange } from '../exchange.ts';
import { createTransport, type TransportOptions } from '../transport/transport.ts';

interface ElsewhereOptions {
  /** With the other address. */
  readonly settings: Settings;
  readonly keys: Keys;
  readonly signal: AbortSignal;
  readonly wire: TransportOptions;
  /** That of the run: both spend from the same budget. */
  readonly ledger: Ledger;
}

export async function askElsewhere(
  question: Question,
  { settings, keys, signal, wire, ledger }: ElsewhereOptions,
): Promise<Exchange | undefined> {
  const transport = createTransport(settings, keys, wire);
  try {
    return await new Asker({ settings, transport, signal, ledger }).ask(question);
  } finally {
    await transport.close();
  }
}
