import { READERS, USERS } from './population.ts';
import { casting, type Votes } from './vote.ts';
import { HUBS_OF_SORTS, MEMBERS, PLACED_POSTS, VOTED_POSTS } from './votes-population.ts';

/** A multiple of 10, 32 and 64 connections. */
const COUNT = 3_200;

/** How many numbers a block has, half of which are spare. */
const BLOCK = 2 * COUNT;

// Likewise, and few: each costs the fold a tenth of a second.
const MEMBERS_COUNT = 320;

// Without a factor in common with VOTED_POSTS, and few enough for the API to remember the bearers of all.
const SPREAD_VOTERS = 9_599;

/** Each block's votes on one post, another one each. */
export const hot = casting({
  title: 'one post',
  count: COUNT,
  voter: [(n) => READERS + (n % BLOCK), `${READERS} + :n % ${BLOCK}`],
  post: [(n) => Math.floor(n / BLOCK), `:n / ${BLOCK}`],
});

export const spread = casting({
  title: `${VOTED_POSTS.toLocaleString('en')} posts`,
  count: COUNT,
  voter: [(n) => READERS + (n % SPREAD_VOTERS), `${READERS} + :n % ${SPREAD_VOTERS}`],
  post: [(n) => n % VOTED_POSTS, `:n % ${VOTED_POSTS}`],
});

const unplaced: Votes['post'] = [(n) => n % PLACED_POSTS, `:n % ${PLACED_POSTS}`];

const FIRST_PLACED = VOTED_POSTS - PLACED_POSTS;

const placed: Votes['post'] = [
  (n) => FIRST_PLACED + (n % PLACED_POSTS),
  `${FIRST_PLACED} + :n % ${PLACED_POSTS}`,
];

/** Votes of people of one sort. Nobody votes twice on a post: the numbers of both have no factor in common. */
function byMembers(sort: number, title: string, post: Votes['post']) {
  const first = USERS + sort * MEMBERS;
  const voter: Votes['voter'] = [(n) => first + (n % MEMBERS), `${first} + :n % ${MEMBERS}`];
  return casting({ title, count: MEMBERS_COUNT, voter, post });
}

export const inNone = byMembers(0, 'in no Hub', unplaced);
export const inFew = byMembers(1, `in ${HUBS_OF_SORTS[1]} Hubs, pending in all`, unplaced);
export const inMany = byMembers(2, `in ${HUBS_OF_SORTS[2]} Hubs, pending in all`, unplaced);
export const inManyPlaced = byMembers(2, `in ${HUBS_OF_SORTS[2]} Hubs, all of which have the post`, placed);
