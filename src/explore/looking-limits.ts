/** How much is sent to look into what failed. */

/** Requests that one finding may take, with those that show it and its neighbour once more. */
export const MOST_PER_FINDING = 40;

/** Findings that are shrunk. */
export const MOST_SHRUNK = 12;

/** Requests of one run for all of this, attempts and controls included. */
export const MOST_LOOKING = MOST_PER_FINDING * MOST_SHRUNK;
