import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { parseIdempotency } from '../../src/http/idempotency.ts';
import { anOpine } from '../support/opine.ts';
import { aSlider } from '../support/posts.ts';
import { readAttackerView } from './attacker-view.ts';
import { claimsBy, countCorrect } from './attacks.ts';
import { aPoll } from './community.ts';
import { byFingerprints, positionsIn } from './records.ts';
import { ballotsOf, cast, DEFAULT_DELAY, fold, truthOf } from './votes.ts';

test('a vote stores no request fingerprint, which would reveal its position', async () => {
  const opine = await anOpine(DEFAULT_DELAY);
  const { ada, voters } = await aPoll(opine, 6);
  const ballots = ballotsOf(voters, await aSlider(ada));
  await cast(ballots);
  await fold(opine);
  expect(await byFingerprints(await readAttackerView(opine))).toEqual([]);
  for (const { voter, post, position } of ballots) {
    const { key, fingerprint } = parseIdempotency('a-key', 'cast_vote', { postId: post.id, position }) ?? {};
    await sql`
      insert into gateway.idempotent_answers (user_id, key, fingerprint)
      values (${voter.id}, ${key}, ${fingerprint})`.execute(opine.database.superuser);
  }
  const claims = await claimsBy(byFingerprints, await readAttackerView(opine));
  expect(countCorrect(claims, truthOf(ballots))).toBe(6);
});

test('positionsIn reads positions from names and from five counts with a single vote', () => {
  expect(positionsIn('{"position": "strong_left"}')).toEqual([0]);
  expect(positionsIn('a LEFT turn, leftovers and bright_ideas')).toEqual([1]);
  expect(positionsIn('(0,0,0,1,0)')).toEqual([3]);
  expect(positionsIn('[0, 0, 0, 0, 1]')).toEqual([4]);
  expect(positionsIn('Failing row contains (null, 4711, 0, 0, 1, 0, 0).')).toEqual([2]);
  expect(positionsIn('{0,2,0,1,0} (1,0,0,0,0,0)')).toEqual([]);
});
