/** The shape of `--targets FILE`. The schema `targets` is made from these types, with their comments. */
import type { Level } from '../../contract/contract.ts';

/**
 * Several gateways for one run: wirecheck run --targets FILE. ${VAR} is replaced by the variable of that name, except in
 * a name.
 */
export interface TargetsFile {
  /** @minItems 1 */
  readonly targets: readonly TargetEntry[];
}

/**
 * Each key overrides flags, variables and the config file for this target.
 *
 * @title a target
 */
export interface TargetEntry {
  /**
   * Names the target in reports and on boards, and its folder. Decides its shard.
   *
   * @maxLength 100
   * @pattern ^(?!.*\$\{)[^\u0000-\u001f\u007f]*\S[^\u0000-\u001f\u007f]*$
   * @x-message text of at most 100 characters without control characters and ${VAR}
   */
  readonly name: string;
  /**
   * Base URL of the gateway, ending in the version segment.
   *
   * @x-message an address such as https://gateway.example/v1
   * @x-secret true
   */
  readonly baseUrl: string;
  /**
   * Variable that holds the key.
   *
   * @pattern ^[A-Za-z_]\w*$
   * @x-message the name of a variable, not the key itself
   * @x-secret true
   */
  readonly apiKeyEnv?: string;
  /**
   * Model to call.
   *
   * @minLength 1
   */
  readonly model?: string;
  /** Treat broken should clauses as failures. */
  readonly strict?: boolean;
  /**
   * Waiver file.
   *
   * @minLength 1
   */
  readonly waivers?: string;
  /**
   * Profile: a file, or a name such as common-servers.
   *
   * @minLength 1
   */
  readonly profile?: string;
  /** Levels that differ from those of the contract, by clause id. Added to those of the config file. */
  readonly levels?: Readonly<Record<string, Level>>;
  /** Headers to add to every request, instead of those of flags, variables and config file. */
  readonly headers?: Readonly<Record<string, HeaderValue>>;
  /** Secret headers to add to every request, each with the variable that holds its value. */
  readonly headersFromEnv?: Readonly<Record<string, VariableName>>;
}

/**
 * @x-message text, in quotes if it is a number
 * @x-secret true
 */
export type HeaderValue = string;

/** @x-message the name of a variable */
export type VariableName = string;
