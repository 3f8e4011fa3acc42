/** Notifications that somebody has, read or not. */
export const INBOX = 100_000;

/** How many somebody has who has read all of a few. */
export const SMALL_INBOX = 2_000;

/** In how many Hubs those are whose inboxes are read. */
export const INBOX_HUBS = 20;

/** Rows of the outbox that are drained at a time, and how often without anybody in the way. */
export const DRAINED = 50_000;
export const DRAIN_ROUNDS = 3;

/** For how long it is drained while somebody holds an old snapshot. */
export const HELD_MS = 60_000;

/** How many are told of a post in their Hub, and of how many posts. */
export const NOTIFIED = 100_000;
export const HUB_POSTS = 3;

/** Requests of others: of a block before a post, and of each of those until everybody is told. */
export const REQUESTS_BEFORE = 8_000;
export const REQUESTS_MEANWHILE = 4_000;

/** Follows of others while signals are timed. */
export const WRITES_A_SECOND = 1_000;

/** Streams that wait for a hint each, and how many are followed in a second. */
export const SIGNALS = 300;
export const SIGNALS_A_SECOND = 15;
