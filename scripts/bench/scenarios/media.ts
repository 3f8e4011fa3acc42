import { startApi } from '../api.ts';
import { fill, idOf, POSTS, READERS } from '../population.ts';
import type { Requests } from '../requests.ts';
import { afterWarmUp, measureRounds, printTable, quantile, type Variant, verdict } from '../rounds.ts';
import type { World } from '../world.ts';

const ROUNDS = 7;

/** Requests of each kind in a round. */
const COUNT = 50;

/** Milliseconds of the median. */
const TARGET = { atMost: 10 };

/** Two pictures for each post: those of a page of 20 cards. */
const PICTURES = 40;

const FIRST_PICTURE = 1_000_000;

const PICTURES_OF_POSTS = `
set session_replication_role = replica;
insert into app.stored_objects (id, owner_id, bucket)
select pg_temp.id_of(${FIRST_PICTURE} + 2 * n + place), p.author_id, 'media'
from generate_series(0, ${POSTS - 1}) as n, generate_series(0, 1) as place, app.posts as p where p.id = pg_temp.id_of(n);
insert into app.assets (id, owner_id, purpose, content_type, size_bytes, checksum, width, height, blurhash, has_thumbnail)
select o.id, o.owner_id, 'post_image', 'image/jpeg', 482113, sha256('picture'), 1200, 1600, 'LEHV6nWB2yk8pyo0adR*.7kCMdnj', true
from app.stored_objects as o;
insert into app.article_assets (article_id, place, asset_id, alt_text)
select pg_temp.id_of(n), place + 1, pg_temp.id_of(${FIRST_PICTURE} + 2 * n + place), 'Two benches under a lime tree'
from generate_series(0, ${POSTS - 1}) as n, generate_series(0, 1) as place;
update app.articles set media_count = 2;
set session_replication_role = origin;
`;

function picturesOf(title: string, user?: (n: number) => number): Requests {
  const idsAt = (n: number) =>
    Array.from({ length: PICTURES }, (_, place) =>
      idOf(FIRST_PICTURE + ((n * PICTURES + place) % (2 * POSTS))),
    );
  return {
    title,
    count: COUNT,
    status: 200,
    answerHolds: idOf(FIRST_PICTURE).slice(0, 24),
    request: (n) => ({
      method: 'POST',
      path: '/uploads/download-urls',
      body: { assetIds: idsAt(n), variant: 'thumbnail' },
      ...(user && { user: user(n) }),
    }),
  };
}

/** Measures the second request of a page of cards: the links of its 40 pictures. */
export async function media(world: World): Promise<void> {
  const database = await world.createDatabase();
  await fill(database.superuserUrl, PICTURES_OF_POSTS);
  await using api = await startApi(world, database);
  const all = [picturesOf('as a guest'), picturesOf('with a bearer', (n) => n % READERS)];
  const variants = all.map(
    (requests): Variant => ({
      title: requests.title,
      measure: async (round) => {
        const timings = await api.load(requests, round * COUNT, 1);
        return afterWarmUp(timings).map(([sent, answered]) => (answered - sent) * 1000);
      },
    }),
  );
  const resultsOf = await measureRounds([variants], { name: 'media', rounds: ROUNDS });
  printTable(
    ['milliseconds for the links of 40 pictures', 'median', '95th percentile', 'maximum', 'target'],
    variants.map((variant) => {
      const times = resultsOf(variant).flat();
      const cells = [0.5, 0.95, 1].map((share) => quantile(times, share).toFixed(1));
      return [variant.title, ...cells, verdict(quantile(times, 0.5), TARGET, String)];
    }),
  );
}
