/** Recordings of whole runs in a folder that goes away with the test. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type GatewayOptions, startGateway } from '../../src/gateway/index.ts';
import { quickSettings } from './real-run.ts';
import { gather, type Gathered } from '../../src/run/run.ts';
import type { Settings } from '../../src/settings.ts';
import { createRecorder } from '../../src/recording/write-recording.ts';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'recording-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface RecordedGateway {
  readonly file: string;
  readonly settings: Settings;
  readonly gathered: Gathered;
  readonly key: string;
}

/** Checks a gateway with its full key, and records it. */
export async function recordGateway(
  name: string,
  options: GatewayOptions = {},
  changes: Partial<Settings> = {},
): Promise<RecordedGateway> {
  const file = join(temporaryFolder(), name);
  const gateway = await startGateway({ eventGapMs: 0, ...options });
  try {
    const settings = quickSettings(gateway.baseUrl, changes);
    const recorder = createRecorder(file, false);
    const gathered = await gather(settings, { full: gateway.keys.full }, { recorder });
    return { file, settings, gathered, key: gateway.keys.full };
  } finally {
    await gateway.close();
  }
}

const PREFIXES = { gateway: '', client: 'client-', relay: 'relay-', load: 'load-' } as const;

/** A recording as wirecheck wrote it before version 3: its first and its last line were those of their subject. */
export function writeAsOlder(text: string, version: 1 | 2): string {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { kind, subject, ...rest } = JSON.parse(line);
      if (kind !== 'start' && kind !== 'end') return line;
      const { kind: name, ...ofSubject } = subject as { readonly kind: keyof typeof PREFIXES };
      const older = { kind: `${PREFIXES[name]}${kind}`, ...rest, ...ofSubject };
      return JSON.stringify(kind === 'start' ? { ...older, version } : older);
    });
  return `${lines.join('\n')}\n`;
}
