/** Numbers and texts of a certain form. The schemas of our files take the form from here: `npm run schemas` reads the tags. */

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

/**
 * Milliseconds.
 *
 * @minimum 0
 */
export type Duration = number;

/** @pattern ^[0-9a-f]{64}$ */
export type Sha256 = string;

/** @pattern ^[0-9a-f]{16}$ */
export type Fingerprint = string;

/**
 * Such as `2030-12-31`.
 *
 * @format date
 */
export type Day = string;

/**
 * Such as `2030-12-31T23:59:59.000Z`.
 *
 * @format date-time
 */
export type Timestamp = string;
