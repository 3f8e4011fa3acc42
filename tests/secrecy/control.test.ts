import { afterAll, beforeAll, expect, test } from 'vitest';
import { aCrowd } from '../builders/secrecy-crowd.ts';
import { type Ballot, ballotsOfAll, cast, fold, truthOf } from '../builders/secrecy-votes.ts';
import { type Opine, startOpine } from '../harness/opine.ts';
import { claimsOf, voteOf } from './evidence.ts';
import { byOrder } from './orders.ts';
import { spoilsOf } from './spoils.ts';
import { byDeadRows, byVisibleRows } from './transactions.ts';

let opine: Opine;
let ballots: Ballot[];
beforeAll(async () => {
  opine = await startOpine({ VOTE_ACTIVITY_DELAY_SECONDS: '300-1800' });
  console.time('crowd');
  const crowd = await aCrowd(opine);
  console.timeEnd('crowd');
  ballots = ballotsOfAll(crowd).early;
  await cast(ballots);
  console.timeEnd('crowd');
});
afterAll(() => opine.stop());
test('x', async () => {
  const truth = truthOf(ballots);
  for (const folded of [false, true]) {
    if (folded) await fold(opine);
    console.time('spoils');
    const spoils = await spoilsOf(opine);
    console.timeEnd('spoils');
    console.log(spoils.versions.length, spoils.visible.length, truth.size);
    for (const attack of [byVisibleRows, byDeadRows, byOrder]) {
      const theories = attack(spoils);
      const claims = claimsOf(spoils.tallies, theories);
      const right = claims.filter(({ post, user, position }) => truth.get(voteOf(post, user)) === position);
      console.log(
        folded,
        attack.name,
        theories.length,
        claims.length,
        right.length,
        Object.entries(Object.groupBy(claims, (c) => c.how)).map(([k, v]) => [k, v?.length]),
      );
      console.timeLog('crowd');
    }
  }
});
