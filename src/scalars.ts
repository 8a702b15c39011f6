/**
 * Numbers and texts of a certain form. The schemas of our files take the form from here: `npm run schemas` reads the tags.
 * Durations are milliseconds.
 */

/** @asType integer */
export type Integer = number;

/**
 * @asType integer
 * @minimum 0
 */
export type Count = number;

/**
 * @asType integer
 * @minimum 1
 */
export type PositiveInteger = number;

/** @minimum 0 */
export type Duration = number;

/** @pattern ^[0-9a-f]{64}$ */
export type Sha256 = string;

/**
 * @pattern ^(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})\.(0|[1-9][0-9]{0,8})(-[0-9A-Za-z.-]{1,60})?$
 * @x-message a version such as 0.2.0
 */
export type SemanticVersion = string;

/** @pattern ^[0-9a-f]{16}$ */
export type Fingerprint = string;

/** @pattern ^\d(\.\d)?$ */
export type HttpVersion = string;

/** @format date */
export type Day = string;

/** @format date-time */
export type Timestamp = string;
