import { withClient } from '../local/connection.ts';
import { doingsOf, EVENTS, framesOf, postsOf } from './feed-activity.ts';
import { blocksOf, DEFAULT_FEED, FEED_DRAWING, followsOf, hubsOf } from './feed-people.ts';
import type { FeedSize } from './feed-sizes.ts';
import { TRIAL } from './feed-trial.ts';
import { COUNTS, DRAWING, peopleOf, withoutIndexes } from './hub-population.ts';
import { settle } from './settle.ts';

const TABLES = [
  'app.profiles',
  'app.follows',
  'app.memberships',
  'app.hub_presence',
  'app.member_names',
  'app.articles',
  'app.posts',
  'app.trending_scores',
  'app.placements',
  'app.vote_receipts',
  'app.comments',
  'app.feed_shares',
  'app.feed_events',
];

/**
 * Fills a database with people and what they have done in a year, and with nothing else.
 * @param superuserUrl a superuser's connection URL
 */
export function addFeeds(superuserUrl: string, size: FeedSize): Promise<void> {
  const steps = [
    peopleOf(size),
    hubsOf(size),
    COUNTS,
    followsOf(size),
    blocksOf(size),
    DEFAULT_FEED,
    framesOf(size),
    doingsOf(size),
    postsOf(size),
    EVENTS,
  ];
  return withClient(superuserUrl, async (client) => {
    await client.query('truncate app.users cascade');
    await client.query(`${DRAWING} ${FEED_DRAWING}`);
    await client.query(withoutIndexes(TABLES, steps.join('\n')));
    await client.query(TRIAL);
    await settle(client);
  });
}
