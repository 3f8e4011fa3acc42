import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { untilGone } from '../support/account-deletions.ts';
import type { Client, Json } from '../support/client.ts';
import { timePasses } from '../support/clock.ts';
import { aReply, commentCountSeenBy, repliesTo } from '../support/comments.ts';
import {
  aComment,
  commentsOn,
  profileFeedOf,
  requestCommentDeletion,
  requestReport,
  requestSave,
  savedBy,
  share,
} from '../support/frames.ts';
import { block, granted, idsOf, mergeInto } from '../support/graph.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aConfirmed, aGuest, aRegistered, type Person } from '../support/people.ts';
import { aThought } from '../support/posts.ts';

let opine: Opine;
/** Whose post it is, and two who comment on it. */
let amara: Person;
let jonas: Person;
let lena: Person;
let post: Json;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  amara = await aConfirmed(opine, 'Amara');
  [jonas, lena] = [await aRegistered(opine, 'Jonas'), await aRegistered(opine, 'Lena')];
  post = await aThought(amara);
});

const countSeenBy = (viewer: Client) => commentCountSeenBy(viewer, post);

describe('whoever verifies the phone of a user of theirs', () => {
  test('has what they said under the name of that user, who may remove it', async () => {
    const known = await aConfirmed(opine, 'Known');
    const [first, root] = [await aComment(jonas, post, 'One.'), await aComment(jonas, post, 'Two.')];
    const below = await aReply(jonas, post, await aComment(known, post, 'Three.'));
    const merged = await mergeInto(opine, jonas, known);
    const said = await commentsOn(amara, post);
    expect(said.map(({ text, author }) => [text, author.id])).toEqual([
      ['One.', known.id],
      ['Two.', known.id],
      ['Three.', known.id],
    ]);
    expect(said[0].author).toMatchObject({ username: known.username, name: 'Known', isAnonymous: false });
    expect(await repliesTo(amara, post, said[2])).toMatchObject([{ id: below.id, author: { id: known.id } }]);
    expect(await countSeenBy(amara)).toBe(4);
    for (const comment of [first, root]) await granted(requestCommentDeletion(merged, comment));
    expect(await countSeenBy(amara)).toBe(2);
  });

  test('has it hidden from whom that user has blocked', async () => {
    const known = await aConfirmed(opine, 'Known');
    await block(known, lena);
    const comment = await aComment(jonas, post);
    expect(idsOf(await commentsOn(lena, post))).toEqual([comment.id]);
    await mergeInto(opine, jonas, known);
    expect(await commentsOn(lena, post)).toEqual([]);
  });

  test('has what was written for their old account while it was merged', async () => {
    const known = await aConfirmed(opine, 'Known');
    const merged = await mergeInto(opine, jonas, known);
    // As requests that began before the merge.
    const { superuser } = opine.database;
    await sql`
      insert into app.comments (post_id, author_id, body) values (${post.id}, ${jonas.id}, 'Late.')
    `.execute(superuser);
    await sql`
      insert into app.saved_posts (user_id, post_id) values (${jonas.id}, ${post.id})
    `.execute(superuser);
    await untilGone(opine, jonas.id);
    expect(await commentsOn(amara, post)).toMatchObject([{ text: 'Late.', author: { id: known.id } }]);
    expect(await countSeenBy(amara)).toBe(1);
    expect(await savedBy(merged)).toEqual([post.id]);
  });

  test('keeps what both have saved, each once, the last saved first', async () => {
    const known = await aConfirmed(opine, 'Known');
    const [first, second, third, both] = [
      post,
      await aThought(amara),
      await aThought(amara),
      await aThought(amara),
    ];
    for (const [reader, saved] of [
      [known, both],
      [known, first],
      [jonas, second],
      [known, third],
    ] as const) {
      await granted(requestSave(reader, saved));
      await timePasses(opine, '1 second');
    }
    await granted(requestSave(jonas, both));
    const merged = await mergeInto(opine, jonas, known);
    const saved = await savedBy(merged);
    expect(saved.filter((id) => id !== both.id)).toEqual([third.id, second.id, first.id]);
    expect(saved.filter((id) => id === both.id)).toHaveLength(1);
  });

  test('has shared to the feed of that user, each post once', async () => {
    const known = await aConfirmed(opine, 'Known');
    const [his, theirs, both] = [post, await aThought(amara), await aThought(amara)];
    for (const shared of [his, both]) await share(jonas, shared);
    for (const shared of [theirs, both]) await share(known, shared);
    await mergeInto(opine, jonas, known);
    const feed = await profileFeedOf(aGuest(opine), known);
    expect(feed.toSorted()).toEqual(idsOf([his, theirs, both]).sort());
  });

  test('has reported in the name of that user', async () => {
    const known = await aConfirmed(opine, 'Known');
    const report = async (reporter: Client, of: Json) =>
      (await granted(requestReport(reporter, 'posts', of))).reportId;
    const both = await aThought(amara);
    const [his, , kept] = [await report(jonas, post), await report(jonas, both), await report(known, both)];
    const merged = await mergeInto(opine, jonas, known);
    expect([await report(merged, post), await report(merged, both)]).toEqual([his, kept]);
  });

  test('is reported as that user', async () => {
    const [known, other] = [await aConfirmed(opine, 'Known'), await aConfirmed(opine)];
    const report = async (reporter: Client, of: Person) =>
      (await granted(requestReport(reporter, 'users', of))).reportId;
    const [about, kept] = [await report(lena, jonas), await report(amara, known)];
    for (const reported of [jonas, other]) await report(amara, reported);
    for (const reporter of [jonas, known]) await report(reporter, other);
    await report(jonas, known);
    await mergeInto(opine, jonas, known);
    expect([await report(lena, known), await report(amara, known)]).toEqual([about, kept]);
  });
});
