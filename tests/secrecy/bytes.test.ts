import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { redefinitions } from '../support/mutations.ts';
import { anOpine, type Opine } from '../support/opine.ts';
import { aSlider } from '../support/posts.ts';
import { type AttackerView, readAttackerView } from './attacker-view.ts';
import { claimsBy, countCorrect } from './attacks.ts';
import { byBytes, countStaleImages, rowsInBytes } from './bytes.ts';
import { aPoll } from './community.ts';
import { byDeadRows } from './transactions.ts';
import { ballotsOf, cast, DEFAULT_DELAY, fold, foldWithout, truthOf } from './votes.ts';

/** Counts the stale row images in free space of pages, and the votes that they reveal. */
async function readLeftovers(view: AttackerView, truth: ReadonlyMap<string, string>) {
  const rows = await rowsInBytes(view);
  return {
    images: countStaleImages(view, rows),
    votes: countCorrect(await claimsBy(() => byBytes(view, rows), view), truth),
  };
}

const NOTHING = { images: {}, votes: 0 };

test('a fold without concurrent votes leaves no stale counts in the bytes of pages', async () => {
  const opine = await anOpine(DEFAULT_DELAY);
  const { ada, voters } = await aPoll(opine);
  const ballots = ballotsOf(voters, await aSlider(ada));
  const truth = truthOf(ballots);
  await cast(ballots.slice(0, -1));
  const before = await readLeftovers(await readAttackerView(opine), truth);
  expect(before.votes).toBeGreaterThan(6);
  await fold(opine);
  await cast(ballots.slice(-1));
  await fold(opine);
  expect(await readLeftovers(await readAttackerView(opine), truth)).toEqual(NOTHING);
});

/** Folds votes with a vote on another post between the fold and its vacuum. */
async function foldWithInterveningVote(): Promise<{
  view: AttackerView;
  truth: ReadonlyMap<string, string>;
}> {
  const opine = await anOpine(DEFAULT_DELAY);
  const { ada, voters } = await aPoll(opine);
  const [square, other] = [await aSlider(ada), await aSlider(ada)];
  const ballots = ballotsOf(voters, square);
  await cast(ballots);
  await foldWithout(opine, 'vacuum');
  await cast(ballotsOf(voters.slice(0, 1), other));
  await foldWithout(opine, 'pools', 'ballots', 'receipts');
  return { view: await readAttackerView(opine), truth: truthOf(ballots) };
}

test('a vote between a fold and its vacuum leaves no dead rows in pages', async () => {
  const { view, truth } = await foldWithInterveningVote();
  expect(countCorrect(await claimsBy(byDeadRows, view), truth)).toBe(0);
});

/** Makes votes count in this generation of slots at any time. */
async function fixSlotGeneration(opine: Opine, generation: 0 | 1): Promise<void> {
  const body = `return (floor(extract(epoch from app.now()) / 30) % 2)::smallint`;
  const { mutate } = redefinitions(['app.slot_generation', body, `return ${generation}`]);
  await sql.raw(mutate).execute(opine.database.superuser);
}

/** Counts the votes that bytes reveal when other votes come before and after each step of a fold. */
async function votesRevealedUnderLoad(next: 0 | 1): Promise<number> {
  const opine = await anOpine(DEFAULT_DELAY);
  const { ada, voters } = await aPoll(opine);
  const [square, ...others] = await Promise.all([1, 2, 3, 4].map(() => aSlider(ada)));
  const castOther = async () => cast(ballotsOf(voters.slice(0, 1), others.pop()));
  await fixSlotGeneration(opine, 0);
  const ballots = ballotsOf(voters, square);
  await cast(ballots);
  await foldWithout(opine, 'vacuum');
  await castOther();
  await foldWithout(opine, 'pools', 'ballots', 'receipts');
  await fixSlotGeneration(opine, next);
  await castOther();
  await foldWithout(opine, 'vacuum');
  await castOther();
  await foldWithout(opine, 'pools', 'ballots', 'receipts');
  return (await readLeftovers(await readAttackerView(opine), truthOf(ballots))).votes;
}

test('a fold under constant votes truncates the inactive generation of slots', async () => {
  expect(await votesRevealedUnderLoad(1)).toBe(0);
});

test('a single generation of slots leaves bytes of stale counts under constant votes', async () => {
  expect(await votesRevealedUnderLoad(0)).toBeGreaterThan(6);
});

// docs/vote-secrecy.md, "Free space in files": vacuum frees a row and keeps its bytes until the space is used again.
test('free space keeps former totals of a post, which tell no votes but those that were folded alone', async () => {
  const opine = await anOpine(DEFAULT_DELAY);
  const { ada, voters } = await aPoll(opine);
  const [one, other] = [ballotsOf(voters, await aSlider(ada)), ballotsOf(voters, await aSlider(ada), 2)];
  const foldedAlone = [one.slice(9, 10), other.slice(9, 10)];
  const rounds = [
    [...one.slice(0, 8), ...other.slice(0, 8)],
    [...one.slice(8, 9), ...other.slice(8, 9)],
    ...foldedAlone,
  ];
  for (const round of rounds) {
    await cast(round);
    await fold(opine);
  }
  const { images, votes } = await readLeftovers(await readAttackerView(opine), truthOf([...one, ...other]));
  expect(Object.keys(images)).toEqual(['app.vote_pools']);
  expect(votes).toBeLessThanOrEqual(foldedAlone.length);
});
