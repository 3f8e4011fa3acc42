import { fill, POSTS, USERS, withoutIndexes } from '../population.ts';
import type { World } from '../world.ts';
import { measureSearches, type Query } from './search.ts';

/** Posts in the database, including those of the population. */
const SIZE = 2_000_000;

/** Words of the language. The frequency of a word is one by its rank. */
const WORDS = 50_000;

const WORDS_OF_A_POST = 20;

/** Every tenth post is private, by one author, and holds a word that no other post holds. */
const PRIVATE_WORD = 'confidential';

/** The oldest tenth of the posts holds a word that later ones lack. */
const OLD_WORD = 'zeppelin';

/** Returns the word of a rank: letters in place of digits. */
function wordOf(rank: number): string {
  return `w${[...String(rank)].map((digit) => 'abcdefghij'[Number(digit)]).join('')}`;
}

const ARCHIVE = `
set session_replication_role = replica;
create function pg_temp.draw(p_number bigint, p_seed integer) returns double precision language sql immutable
return (hashint8extended(p_number, p_seed) & 9007199254740991)::double precision / 9007199254740992;
insert into app.posts (id, author_id, slider_text, left_label, right_label, thought_text, visibility, created_at)
select
  pg_temp.id_of(n), pg_temp.id_of(case when n % 10 = 0 then ${USERS - 1} else n % ${USERS} end), 'Well?', 'Disagree', 'Agree',
  (
    select string_agg('w' || translate(floor(exp(pg_temp.draw(n, place) * ln(${WORDS})))::text, '0123456789', 'abcdefghij'), ' ')
    from generate_series(1, ${WORDS_OF_A_POST}) as place
  ) || case when n % 10 = 0 then ' ${PRIVATE_WORD}' else '' end || case when n < ${SIZE / 10} then ' ${OLD_WORD}' else '' end,
  case when n % 10 = 0 then 'private_locked_hub' else 'public' end::app.post_visibility,
  now() - (${SIZE} - n) * interval '15 seconds'
from generate_series(${POSTS}, ${SIZE} - 1) as n;
insert into app.post_words (post_id, is_public, words)
select p.id, p.is_public, app.word_vector(p.thought_text) from app.posts as p order by p.created_at
on conflict do nothing;
set session_replication_role = origin;
`;

/** Ranks from `first` on, drawn anew for each request. */
const rank = (first: number, count: number, n: number) => first + ((n * 7919) % count);
const frequent = (n: number) => wordOf(rank(10, 40, n));
const ordinary = (n: number) => wordOf(rank(500, 1_500, n));
const rare = (n: number) => wordOf(rank(20_000, 30_000, n));

const QUERIES: readonly Query[] = [
  ['the most frequent word', 'some', () => wordOf(1)],
  ['a frequent word', 'some', frequent],
  ['an ordinary word', 'some', ordinary],
  ['a rare word', 'maybe', rare],
  ['two frequent words', 'some', (n) => `${frequent(n)} ${frequent(n + 1)}`],
  ['two ordinary words', 'maybe', (n) => `${ordinary(n)} ${ordinary(n + 1)}`],
  ['a frequent and a rare word', 'maybe', (n) => `${frequent(n)} ${rare(n)}`],
  ['one ordinary word or another', 'some', (n) => `${ordinary(n)} or ${ordinary(n + 1)}`],
  ['an ordinary word but not a frequent one', 'some', (n) => `${ordinary(n)} -${frequent(n)}`],
  ['a phrase of two frequent words', 'maybe', (n) => `"${wordOf(1 + (n % 3))} ${wordOf(2 + (n % 5))}"`],
  ['a phrase of frequent words that no post holds', 'none', () => `"${Array(8).fill(wordOf(1)).join(' ')}"`],
  ['a word of old posts', 'some', () => OLD_WORD],
  ['a word of hidden posts', 'none', () => PRIVATE_WORD],
  ['a word of nobody', 'none', (n) => `qxz${n}jvk`],
];

/** Measures the latency of searches in two million posts: the first page. */
export async function searchPosts(world: World): Promise<void> {
  const database = await world.createDatabase();
  await fill(database.superuserUrl, withoutIndexes(['app.posts', 'app.post_words'], ARCHIVE));
  await measureSearches(world, database, {
    path: '/search/posts',
    queries: QUERIES,
    ofMembers: '"hasVoted" : false',
    maximum: { atMost: 200 },
  });
}
