/** Idle streams on one process. */
export const STREAMS = 15_000;

/** Those that are opened and left first, so that what a process needs once is not counted. */
export const RUN_UP = 500;

/** Processes that hold the other ends. */
export const CLIENTS = 2;

/** Connections of each that are being opened at once. */
export const AT_ONCE = 32;

/** How long comments are watched: twice the time in which each stream gets one. */
export const WATCHED_MS = 30_000;

/** What the baseline's comments are apart, as the API's. */
export const COMMENT_EVERY_MS = 15_000;
