/** The settings of a run, after flags, variables and config file have been merged. Times are milliseconds, sizes bytes. */
import type { Level } from './contract/contract.ts';
import type { Profile } from './contract/profile/profile.ts';
import type { Count, Integer, PositiveInteger } from './scalars.ts';
import type { KEY_VARIABLES } from './settings/settings-without-flag.ts';

export interface Settings {
  /**
   * Without trailing slashes.
   *
   * @format uri
   */
  readonly baseUrl: string;
  /** Where the key comes from, if not from its usual variable. Never the key. */
  readonly apiKeyEnv?: string;
  readonly apiKeyFile?: string;
  readonly model?: string;
  readonly forbiddenModel?: string;
  readonly replyTokens: Count;
  readonly streamTokens: Count;
  readonly modelsSample: Count;

  readonly strict: boolean;
  /** Finds a fault that shows in one of this many answers. 1: every request is sent once. */
  readonly detect: Integer;
  /** Levels that differ from the contract's, by clause id. */
  readonly levels: Readonly<Record<string, Level>>;

  /** Changes to the contract, by name. */
  readonly profile?: Profile;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  /**
   * For a rerun: the requests whose answers a case judges, by case id, as ids of cases or names of base requests.
   * A case that is not named here is fed with everything that it looks at.
   */
  readonly fedBy: Readonly<Record<string, readonly string[]>>;
  /** Names of built-in suites, or paths of suite files. Empty: every built-in suite. */
  readonly suites: readonly string[];
  /** Stop after a stage with a broken `must` clause. */
  readonly bail: boolean;

  readonly headers: readonly ExtraHeader[];
  readonly userAgent: string;
  readonly tls: TlsSettings;
  readonly proxy?: string;
  /** A key may go over plain http to another machine. */
  readonly allowHttp: boolean;
  /** Longest wait for `/models` to answer with a status below 500. */
  readonly waitFor?: number;

  readonly timeouts: {
    /** One attempt as a whole. */
    readonly attempt: number;
    /** One attempt of a plain request whose reply may have no end. */
    readonly edit: number;
    readonly connect: number;
    readonly firstByte: number;
    readonly idle: number;
    /** The run as a whole. */
    readonly run: number;
  };
  readonly retries: Count;
  readonly maxRetryWait: number;
  /** Pauses before the second and the third attempt, unless the target asks for another. */
  readonly retryPauses: readonly number[];

  readonly maxRequests?: Count;
  readonly maxCompletions?: Count;
  /** `0.15/0.60`: of a million prompt tokens, and of a million generated ones. Only a plan shows it. */
  readonly price?: string;
  readonly concurrency: Count;
  /** Requests at once for the cases that look for mixed-up replies; below 2, they are not sent. */
  readonly parallel: number;
  readonly ratePerSecond?: number;

  /** Also wait through long pauses. */
  readonly patient: boolean;
  /** Also compare token counts. */
  readonly counts: boolean;
  /** Those pauses. */
  readonly pauses: readonly number[];
  /** The largest body that is sent to see how it is refused. */
  readonly largestBody?: Count;
  /** Tokens of the context, as the operator promises. */
  readonly contextTokens?: Count;

  readonly limits: {
    readonly body: number;
    readonly stream: number;
    /** All bodies of a run together, which are kept until it is judged. */
    readonly total: number;
    readonly line: number;
    readonly headers: number;
    readonly events: number;
    readonly depth: number;
    /** Interim 1xx answers before the final one. */
    readonly interim: number;
  };

  /** What `wirecheck relay` needs. */
  readonly relay: {
    readonly upstreamPort?: number;
    readonly upstreamHost: string;
    /** Models that the gateway routes to the upstream, each as `FRONT` or `FRONT=UPSTREAM`. The first is asked. */
    readonly upstreamModel: readonly string[];
    /** Longest wait for the gateway to answer again after an injected failure. */
    readonly recovery: number;
    /** Factor of the pauses of `--patient`. No flag: tests shorten them. */
    readonly pace?: number;
    /** The port of a second upstream, which the gateway calls when the first fails. 0: any free one. */
    readonly fallbackPort?: number;
    /** The model that the gateway asks the second upstream for. */
    readonly fallbackModel?: string;
    /** Upstream calls for one call of the client. */
    readonly mostUpstreamCalls: PositiveInteger;
    /** The gateway gives an upstream up that sends nothing for so long. */
    readonly upstreamTimeout?: number;
  };

  /** What `wirecheck load` needs. */
  readonly load: {
    /** Calls in flight of each stage. Empty: powers of four up to `concurrency`. */
    readonly stages: readonly string[];
    /** The time of the whole ramp. */
    readonly duration: number;
    /** Shares of the kinds of calls, such as `plain=4`. */
    readonly mix: readonly string[];
    /** Per cent of the calls whose client disconnects. */
    readonly disconnects: number;
    /** Slow readers at once. */
    readonly slowReaders: Count;
    /** Such as `first-text.p50=800ms`. */
    readonly budgets: readonly string[];
  };

  /** What `wirecheck explore` needs; absent for any other run. */
  readonly explore?: {
    /** Requests that are drawn, and those of them that may be charged. */
    readonly requests: Count;
    readonly completions: Count;
    /** Charged completions for asking again and shrinking, besides those that failed requests did not use. */
    readonly shrinkCompletions: Count;
    /** Only this draw, as a report names it. */
    readonly path?: string;
    /** The address of the upstream behind the gateway, for `wirecheck relay --explore`. */
    readonly upstreamUrl?: string;
  };

  /** Published OpenAPI description of the deployment: a URL or a file. */
  readonly openapi?: string;
  /** Every generated key and word follows from it, so that a run can be repeated. */
  readonly seed: number;
}

export interface ExtraHeader {
  readonly name: string;
  readonly value: string;
  readonly secret: boolean;
  /** The variable that held the value of a secret header. */
  readonly variable?: string;
}

/**
 * Recordings of other versions may have more.
 *
 * @additionalProperties true
 */
export interface TlsSettings {
  readonly ca?: string;
  readonly insecure: boolean;
  readonly clientCert?: string;
  readonly clientKey?: string;
}

const MiB = 1024 * 1024;

/** The limit of one scenario of a client, in milliseconds. */
export const DEFAULT_SCENARIO_TIMEOUT = 30_000;

/** Everything but the base URL has a default. */
export const DEFAULT_SETTINGS: Omit<Settings, 'baseUrl'> = {
  replyTokens: 16,
  streamTokens: 64,
  modelsSample: 3,
  strict: false,
  detect: 1,
  levels: {},
  only: [],
  skip: [],
  fedBy: {},
  suites: [],
  bail: false,
  headers: [],
  userAgent: 'wirecheck',
  allowHttp: false,
  tls: { insecure: false },
  timeouts: { attempt: 120_000, edit: 20_000, connect: 5_000, firstByte: 60_000, idle: 30_000, run: 600_000 },
  retries: 2,
  maxRetryWait: 30_000,
  retryPauses: [1_000, 4_000],
  concurrency: 4,
  parallel: 0,
  patient: false,
  counts: false,
  pauses: [6_000, 16_000, 61_000],
  limits: {
    body: 4 * MiB,
    stream: 16 * MiB,
    total: 16 * MiB,
    line: 8 * MiB,
    headers: 64 * 1024,
    events: 20_000,
    depth: 200,
    interim: 16,
  },
  relay: { upstreamHost: '127.0.0.1', upstreamModel: [], recovery: 60_000, mostUpstreamCalls: 10 },
  load: { stages: [], duration: 60_000, mix: [], disconnects: 5, slowReaders: 3, budgets: [] },
  seed: 1,
};

/** Calls in flight of `wirecheck load` by default; `during`: while a command runs. */
export const LOAD_CONCURRENCY = { ramp: 64, during: 8 } as const;

/** The keys of a run, by role. Only `exchange/` ever holds them; everything else names their roles. */
export type Keys = { readonly [Role in keyof typeof KEY_VARIABLES]?: string | undefined };
