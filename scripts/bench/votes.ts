import { createBearers } from './bearers.ts';
import { addMembers } from './votes-population.ts';
import { foldTable, membersTable, postsTable, retriesTable, votesLine } from './votes-report.ts';
import { type Trial, tryMembers, tryPosts } from './votes-trial.ts';
import type { World } from './world.ts';

const CLIENTS = [32, 64];
const POSTS_ROUNDS = 7;
const MEMBERS_ROUNDS = 3;

async function measure(world: World, pgbench: string, print: (text: string) => void): Promise<void> {
  const template = await world.createDatabase();
  await addMembers(template.superuserUrl);
  const polls = {
    world,
    template,
    bearers: await createBearers(),
    pgbench,
    onRound: (clients: number, series: Trial['series']) => print(votesLine(clients, series)),
  };
  const onPosts: Trial[] = [];
  const byMembers: Trial[] = [];
  for (const clients of CLIENTS) {
    onPosts.push(await tryPosts({ ...polls, rounds: POSTS_ROUNDS }, clients));
    byMembers.push(await tryMembers({ ...polls, rounds: MEMBERS_ROUNDS }, clients));
  }
  const tables = [
    postsTable(onPosts),
    retriesTable(onPosts),
    membersTable(byMembers),
    foldTable([...onPosts, ...byMembers]),
  ];
  print(`\n${tables.join('\n\n')}\n`);
}

/** Voting by many at once, on one post or many, in no Hub or many, while the worker folds. */
export const votes = { name: 'votes', measure };
