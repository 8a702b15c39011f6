/** What a run under load is given, and whom it tells. */
import type { LoadEnd, LoadEvent, LoadStart } from '../exchange/load-traffic.ts';
import type { OnAwait } from '../exchange/channel/hooks.ts';
import type { Vault } from '../exchange/secrets/vault.ts';
import type { Wait } from '../exchange/channel/hooks.ts';
import type { Excuses } from '../report/excuses/apply-excuses.ts';
import type { LoadStage } from '../report/load-report.ts';
import type { CallRegistry } from './call-registry.ts';
import type { DuringOptions } from './during.ts';
import type { StagePlan } from './ramp.ts';
import type { LoadUpstream } from './upstream-server.ts';

/** How far a run is. Nobody knows how long the whole takes: stages last longer while a kind of call has few answers. */
export interface LoadProgress {
  /** Stages that are over, and all that are planned: those of the ramp and the burst. */
  readonly done: number;
  readonly total: number;
  readonly now: PresentStage | { readonly kind: 'pause' | 'recovery' };
}

/** Times are milliseconds. */
export interface PresentStage extends Pick<StagePlan, 'phase' | 'inFlight' | 'least' | 'most'> {
  readonly kind: 'stage';
  readonly elapsed: number;
}

export interface LoadHooks {
  onProgress?(progress: LoadProgress): void;
  /** When a stage has ended. */
  onStage?(stage: LoadStage): void;
  readonly onWait?: (wait: Wait) => void;
  /** For each call under way. */
  readonly onAwait?: OnAwait;
  /** Ends the run early; what was done is still reported. */
  readonly signal?: AbortSignal;
  readonly excuses?: Excuses;
  /** Factor of the pause before the burst; absent: 1. For tests. */
  readonly pace?: number;
  /** For a recording: before the first call, with everything that happens, and at the end. */
  onStart?(start: LoadStart): void;
  readonly onEvent?: (event: LoadEvent) => void;
  onEnd?(end: LoadEnd): void;
}

/** What has to be there before the first call: the words, the secrets and, with `--upstream-port`, the upstream. */
export interface LoadSetup {
  readonly registry: CallRegistry;
  readonly vault: Vault;
  readonly upstream?: LoadUpstream;
  /** The command of `--during`. */
  readonly during?: DuringOptions;
}
