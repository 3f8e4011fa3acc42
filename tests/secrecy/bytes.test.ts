import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { redefinitions } from '../support/mutations.ts';
import { anOpine, type Opine } from '../support/opine.ts';
import { aSlider } from '../support/posts.ts';
import { claimsBy, rightAmong } from './attacks.ts';
import { aRound } from './audience.ts';
import { byBytes, leftIn, rowsInBytes } from './bytes.ts';
import { type Spoils, spoilsOf } from './spoils.ts';
import { byDeadRows } from './transactions.ts';
import { ballotsOf, cast, fold, foldWithout, LATE, truthOf } from './votes.ts';

/** How many former counts the free space of pages still has, and how many votes they give away. */
async function leftOver(spoils: Spoils, truth: ReadonlyMap<string, string>) {
  const rows = await rowsInBytes(spoils);
  return {
    left: leftIn(spoils, rows),
    votes: rightAmong(await claimsBy(() => byBytes(spoils, rows), spoils), truth),
  };
}

const NOTHING = { left: {}, votes: 0 };

test('where all is quiet, a fold leaves no former counts in the bytes of pages', async () => {
  const opine = await anOpine(LATE);
  const { ada, voters } = await aRound(opine);
  const ballots = ballotsOf(voters, await aSlider(ada));
  const truth = truthOf(ballots);
  await cast(ballots.slice(0, -1));
  const before = await leftOver(await spoilsOf(opine), truth);
  expect(before.votes).toBeGreaterThan(6);
  await fold(opine);
  await cast(ballots.slice(-1));
  await fold(opine);
  expect(await leftOver(await spoilsOf(opine), truth)).toEqual(NOTHING);
});

/** A round of votes, and one on another post that comes between their fold and its vacuum. */
async function interrupted(): Promise<{ spoils: Spoils; truth: ReadonlyMap<string, string> }> {
  const opine = await anOpine(LATE);
  const { ada, voters } = await aRound(opine);
  const [square, other] = [await aSlider(ada), await aSlider(ada)];
  const ballots = ballotsOf(voters, square);
  await cast(ballots);
  await foldWithout(opine, 'vacuum');
  await cast(ballotsOf(voters.slice(0, 1), other));
  await foldWithout(opine, 'pools', 'ballots', 'receipts');
  return { spoils: await spoilsOf(opine), truth: truthOf(ballots) };
}

test('where somebody votes between the fold and its vacuum, former rows have no place all the same', async () => {
  const { spoils, truth } = await interrupted();
  expect(rightAmong(await claimsBy(byDeadRows, spoils), truth)).toBe(0);
});

/** Until the test ends, votes count in this half of the slots, whatever time it is. */
async function countIn(opine: Opine, generation: 0 | 1): Promise<void> {
  const body = `return (floor(extract(epoch from app.now()) / 30) % 2)::smallint`;
  const { mutate } = redefinitions(['app.slot_generation', body, `return ${generation}`]);
  await sql.raw(mutate).execute(opine.database.superuser);
}

/** How much can be read of a round of votes where others vote all the time, on both sides of each step of the fold. */
async function amidVotes(next: 0 | 1): Promise<number> {
  const opine = await anOpine(LATE);
  const { ada, voters } = await aRound(opine);
  const [square, ...others] = await Promise.all([1, 2, 3, 4].map(() => aSlider(ada)));
  const somebodyVotes = async () => cast(ballotsOf(voters.slice(0, 1), others.pop()));
  await countIn(opine, 0);
  const ballots = ballotsOf(voters, square);
  await cast(ballots);
  await foldWithout(opine, 'vacuum');
  await somebodyVotes();
  await foldWithout(opine, 'pools', 'ballots', 'receipts');
  await countIn(opine, next);
  await somebodyVotes();
  await foldWithout(opine, 'vacuum');
  await somebodyVotes();
  await foldWithout(opine, 'pools', 'ballots', 'receipts');
  return (await leftOver(await spoilsOf(opine), truthOf(ballots))).votes;
}

test('where somebody votes at every moment, the half that nobody votes into is cut off', async () => {
  expect(await amidVotes(1)).toBe(0);
});

test('were there no halves, bytes of former counts would be left', async () => {
  expect(await amidVotes(0)).toBeGreaterThan(6);
});

// Vacuum frees the place of a former row and leaves its bytes until something else is written there: what follows is
// not so yet, and is one with the WAL as to who can read it.
test.fails('where totals in one page grow at different times, no bytes of former ones are left', async () => {
  const opine = await anOpine(LATE);
  const { ada, voters } = await aRound(opine);
  const [one, other] = [ballotsOf(voters, await aSlider(ada)), ballotsOf(voters, await aSlider(ada), 2)];
  const rounds = [
    [...one.slice(0, 8), ...other.slice(0, 8)],
    [...one.slice(8, 9), ...other.slice(8, 9)],
    one.slice(9, 10),
    other.slice(9, 10),
  ];
  for (const round of rounds) {
    await cast(round);
    await fold(opine);
  }
  expect(await leftOver(await spoilsOf(opine), truthOf([...one, ...other]))).toEqual(NOTHING);
});
