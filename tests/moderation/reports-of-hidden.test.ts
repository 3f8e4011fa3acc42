import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { expectOk } from '../support/client.ts';
import { block } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import {
  anonymousPerson,
  hubReadyPerson,
  type Person,
  registeredPerson,
  type UserRef,
} from '../support/people.ts';
import { aComment, aReply, aThought, requestCommentDeletion } from '../support/posts.ts';
import { duringTransaction } from '../support/races.ts';
import { NOT_FOUND, REPORTABLES, type Reportable, requestReport } from '../support/reports.ts';

let opine: Opine;
/** The author of the reported post and the founder of the reported Hub. */
let amara: Person;
/** The reporter. */
let maya: Person;
let targets: Readonly<Record<Reportable, UserRef>>;

beforeAll(async () => {
  opine = await startOpine();
});

afterAll(() => opine.stop());

beforeEach(async () => {
  [amara, maya] = [await hubReadyPerson(opine, 'Amara'), await anonymousPerson(opine)];
  const post = await aThought(amara);
  targets = { users: amara, posts: post, hubs: await aHub(amara), comments: await aComment(amara, post) };
});

describe('a report of hidden content', () => {
  test('a blocked reporter cannot report the blocker, their posts or comments, but can report their Hub', async () => {
    const blocked = await registeredPerson(opine);
    await block(amara, blocked);
    for (const things of ['users', 'posts', 'comments'] as const) {
      expect(await requestReport(blocked, things, targets[things])).toMatchObject(NOT_FOUND[things]);
    }
    expect((await requestReport(blocked, 'hubs', targets.hubs)).status).toBe(201);
  });

  test('a blocker can report the blocked user, but not their posts or comments', async () => {
    await block(maya, amara);
    expect((await requestReport(maya, 'users', amara)).status).toBe(201);
    for (const things of ['posts', 'comments'] as const) {
      expect(await requestReport(maya, things, targets[things])).toMatchObject(NOT_FOUND[things]);
    }
  });

  test.each(REPORTABLES)(
    'a report of %s that a concurrent transaction hides or deletes returns 404',
    async (things) => {
      const { id } = targets[things];
      const changes = {
        users: sql`insert into app.blocks (blocker_id, blocked_id) values (${id}, ${maya.id})`,
        posts: sql`delete from app.posts where id = ${id}`,
        hubs: sql`delete from app.hubs where id = ${id}`,
        comments: sql`delete from app.comments where id = ${id}`,
      };
      const late = await duringTransaction(
        opine,
        () => requestReport(maya, things, { id }),
        async (holder) => {
          await sql`lock table app.reports in share mode`.execute(holder);
          await changes[things].execute(holder);
        },
      );
      expect(late).toMatchObject(NOT_FOUND[things]);
    },
  );

  test('a deleted comment and a comment of a blocked user cannot be reported', async () => {
    const { posts, comments } = targets;
    const lena = await registeredPerson(opine);
    const [reply, alone] = [await aReply(lena, posts, comments), await aComment(lena, posts)];
    await expectOk(requestCommentDeletion(amara, comments));
    await expectOk(requestCommentDeletion(lena, alone));
    for (const comment of [comments, alone]) {
      expect(await requestReport(maya, 'comments', comment)).toMatchObject(NOT_FOUND.comments);
    }
    expect((await requestReport(maya, 'comments', reply)).status).toBe(201);
    await block(maya, lena);
    expect(await requestReport(maya, 'comments', reply)).toMatchObject(NOT_FOUND.comments);
  });

  test('a private post can be reported by members of its Hub alone', async () => {
    const hub = await aHub(amara);
    const [member, former] = [await aMemberOf(opine, amara, hub), await aMemberOf(opine, amara, hub)];
    const post = await aHubPost(amara, [hub]);
    await expectOk(requestLeave(former, hub));
    expect((await requestReport(member, 'posts', post)).status).toBe(201);
    for (const nonMember of [former, maya, await hubReadyPerson(opine)]) {
      expect(await requestReport(nonMember, 'posts', post)).toMatchObject(NOT_FOUND.posts);
    }
  });

  test('deleted posts, closed Hubs and deleted accounts cannot be reported', async () => {
    await expectOk(amara.delete(`/posts/${targets.posts.id}`));
    await expectOk(requestLeave(amara, targets.hubs));
    for (const things of ['posts', 'hubs', 'comments'] as const) {
      expect(await requestReport(maya, things, targets[things])).toMatchObject(NOT_FOUND[things]);
    }
    await expectOk(amara.delete('/users/me'));
    expect(await requestReport(maya, 'users', amara)).toMatchObject(NOT_FOUND.users);
  });
});
