/** A release that cannot be made: the message says why, and what to do. Anything else that is thrown is a bug. */
export class ReleaseError extends Error {}
