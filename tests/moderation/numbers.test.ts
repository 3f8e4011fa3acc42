import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { expectOk } from '../support/client.ts';
import { startOpineWithIdp } from '../support/id-tokens.ts';
import { advanceTime } from '../support/opine.ts';
import { confirmedPerson } from '../support/people.ts';
import { aSlider } from '../support/posts.ts';
import { aReport, aStaffMember } from '../support/staff.ts';
import { castVote } from '../support/votes.ts';
import { foldAllVotes } from '../support/worker.ts';

// docs/product.md S26
test('the numbers of the day count people, posts and open reports at once, votes after their hour, and begin anew at midnight', async () => {
  const opine = await startOpineWithIdp();
  onTestFinished(() => opine.stop());
  // The next noon: the hours of this test are of one day.
  const { rows } = await sql<{ wait: string }>`
    select (date_trunc('day', app.now(), 'UTC') + interval '36 hours' - app.now())::text as wait
  `.execute(opine.database.superuser);
  await advanceTime(opine, rows[0]?.wait ?? '');
  const sam = await aStaffMember(opine, 'support', 'sam');
  const numbers = async () => (await expectOk(sam.get('/admin/numbers'))) as object;
  const none = { peopleCount: 0, postCount: 0, voteCount: 0, openReportCount: 0 };
  expect(await numbers()).toEqual(none);

  const [maya, jonas] = [await confirmedPerson(opine, 'Maya'), await confirmedPerson(opine, 'Jonas')];
  const post = await aSlider(maya);
  await aReport(jonas, 'posts', post);
  for (const voter of [maya, jonas]) {
    await expectOk(castVote(voter, post));
    await foldAllVotes(opine);
  }
  const today = { peopleCount: 2, postCount: 1, voteCount: 0, openReportCount: 1 };
  expect(await numbers()).toEqual(today);
  await advanceTime(opine, '62 minutes');
  expect(await numbers()).toEqual({ ...today, voteCount: 2 });
  await advanceTime(opine, '12 hours');
  // A session lives eight hours.
  const tomorrow = await aStaffMember(opine, 'support', 'tom');
  expect(await expectOk(tomorrow.get('/admin/numbers'))).toEqual({ ...none, openReportCount: 1 });
});
