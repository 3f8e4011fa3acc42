import { connectSession, createBypass, type Session } from './feed-policies.ts';
import { addFeeds } from './feed-population.ts';
import { connectProbes, type Probes } from './feed-probes.ts';
import { connectReader, type FeedArgs, type FeedPage, type FeedReader, findPage } from './feed-reader.ts';
import { figuresTable, type Held, heldTable } from './feed-report.ts';
import { FULL, HUNDREDTH, personAt, placeOf, VIEWERS, type ViewerName } from './feed-sizes.ts';
import { type Timed, timeInTurn } from './feed-times.ts';
import { idOf } from './population.ts';
import type { Database, World } from './world.ts';

const DEEP_PAGE = 50;

const TARGETS = { probes: 2, deepPage: 1.2, growth: 2, policies: 1.15 };

/** Where feeds are read, and by what. */
interface Readers {
  readonly full: FeedReader;
  readonly hundredth: FeedReader;
  readonly probes: Probes;
  readonly probesOfHundredth: Probes;
  session(user: number, role: Parameters<typeof connectSession>[2]): Promise<Session>;
}

/** What is timed, and what of it is held against what. */
interface Measures {
  readonly held: readonly Held[];
  readonly figures: readonly Timed[];
}

async function measure(world: World, print: (text: string) => void): Promise<void> {
  const full = await world.createDatabase();
  const hundredth = await world.createDatabase();
  await addFeeds(full.superuserUrl, FULL);
  await addFeeds(hundredth.superuserUrl, HUNDREDTH);
  await timeFeeds(full, hundredth, print);
}

/** Times the feeds of two databases that are filled. */
export async function timeFeeds(
  full: Database,
  hundredth: Database,
  print: (text: string) => void,
): Promise<void> {
  await createBypass(full);
  await using parts = new AsyncDisposableStack();
  const readers = await connect(full, hundredth, parts);
  const measures: Measures[] = [];
  for (const viewer of VIEWERS) measures.push(await measuresOf(viewer, readers));
  measures.push({ held: otherTrending(readers), figures: otherFeeds(readers) });
  const times = await timeInTurn(measures.map(timedIn), (number) => print(`feeds: round ${number}`));
  const [held, figures] = [measures.flatMap((of) => of.held), measures.flatMap((of) => of.figures)];
  print(`\n${heldTable(held, times)}\n\n${figuresTable(figures, times)}`);
}

function timedIn({ held, figures }: Measures): Timed[] {
  return [...new Set([...held.flatMap(({ timed, against }) => [timed, against]), ...figures])];
}

async function connect(full: Database, hundredth: Database, parts: AsyncDisposableStack): Promise<Readers> {
  return {
    full: parts.use(await connectReader(full)),
    hundredth: parts.use(await connectReader(hundredth)),
    probes: parts.use(await connectProbes(full)),
    probesOfHundredth: parts.use(await connectProbes(hundredth)),
    session: async (user, role) => parts.use(await connectSession(full, user, role)),
  };
}

async function measuresOf(viewer: ViewerName, readers: Readers): Promise<Measures> {
  const { full, hundredth, probes, probesOfHundredth } = readers;
  const user = personAt(placeOf(viewer, FULL));
  const sources = await probes.sourcesOf(user);
  const deep = await findPage(full, user, DEEP_PAGE);
  const { cursor: trendingCursor } = await findPage(full, user, 2, { sort: 'trending' });
  const home = (title: string, reader: FeedReader, args: FeedArgs = {}): Timed => ({
    title: `${viewer}: ${title}`,
    run: () => reader.read('get_home_feed', user, args),
  });
  const probesOf = (limit: 1 | 21, by: Probes, where = ''): Timed => ({
    title: `${viewer}: ${sources.length} probes of ${limit}${where}`,
    run: () => by.probe(sources, limit),
  });
  const bare = probesOf(1, probes);
  const first = home('page 1', full);
  return {
    held: [
      { timed: first, against: bare, target: TARGETS.probes },
      { timed: first, against: probesOf(21, probes) },
      {
        timed: home(`page ${deep.page}`, full, { cursor: deep.cursor }),
        against: first,
        target: TARGETS.deepPage,
      },
      { timed: first, against: home('page 1, a hundredth', hundredth), target: TARGETS.growth },
      { timed: bare, against: probesOf(1, probesOfHundredth, ', a hundredth') },
      { timed: home('trending', full, { sort: 'trending' }), against: first },
      { timed: home('page 2 of it', full, { sort: 'trending', cursor: trendingCursor }), against: first },
      ...(await policiesOf(viewer, user, readers)),
    ],
    figures:
      viewer === 'hubs'
        ? [{ title: 'hubs: a probe for each co-member', run: () => probes.askCoMembers(user) }]
        : [],
  };
}

/** What policies cost: of the whole page, and of its cards. These are judged where the page is another without them. */
async function policiesOf(viewer: ViewerName, user: number, { session }: Readers): Promise<Held[]> {
  const under = await session(user, 'authenticated');
  const past = await session(user, 'past policies');
  const ids = idsIn(await under.homeFeed());
  const isSame = ids.join() === idsIn(await past.homeFeed()).join();
  const page: Held = {
    timed: { title: `${viewer}: page 1 under policies`, run: under.homeFeed },
    against: { title: isSame ? 'the same past them' : 'another page past them', run: past.homeFeed },
  };
  const cards: Held = {
    timed: { title: `${viewer}: its cards under policies`, run: () => under.cards(ids) },
    against: { title: 'the same past them', run: () => past.cards(ids) },
  };
  const target = TARGETS.policies;
  return isSame ? [{ ...page, target }, cards] : [page, { ...cards, target }];
}

function idsIn(answer: string): string[] {
  const page: FeedPage = JSON.parse(answer);
  return page.items.map(({ id }) => id);
}

/** What is trending for a guest and in a Hub, beside what is recent. */
function otherTrending({ full }: Readers): Held[] {
  const member = personAt(placeOf('hubs', FULL));
  const kinds = [
    ['a guest', null, {}],
    ['a Hub', member, { hubId: idOf(0) }],
  ] as const;
  return kinds.map(([whose, user, args]) => ({
    timed: {
      title: `${whose}: trending`,
      run: () => full.read('get_home_feed', user, { ...args, sort: 'trending' }),
    },
    against: { title: `${whose}: page 1`, run: () => full.read('get_home_feed', user, args) },
  }));
}

/** Feeds that are about one person or one Hub. */
function otherFeeds({ full, hundredth }: Readers): Timed[] {
  const dense = personAt(placeOf('dense', FULL));
  const member = personAt(placeOf('hubs', FULL));
  return [['', full] as const, [', a hundredth', hundredth] as const].flatMap(([suffix, reader]) => [
    {
      title: `the profile feed of the busiest${suffix}`,
      run: () => reader.read('get_profile_feed', dense, { userId: idOf(personAt(0)) }),
    },
    {
      title: `the feed of a Hub${suffix}`,
      run: () => reader.read('get_hub_feed', member, { hubId: idOf(0) }),
    },
  ]);
}

/** Home feeds of four people, and what they are held against. */
export const feeds = { name: 'feeds', measure };
