import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, refusal } from '../support/client.ts';
import { aComment, commentsOn, type Post, place, requestComment } from '../support/frames.ts';
import { granted } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, aHubReady, aRegistered, type Person } from '../support/people.ts';
import { seenBy } from '../support/posts.ts';

let opine: Opine;
/** Who is in no Hub. */
let jonas: Person;

beforeAll(async () => {
  opine = await startOpine();
  jonas = await aRegistered(opine, 'Jonas');
});

afterAll(() => opine.stop());

const FORBIDDEN = refusal(403, 'FORBIDDEN');
const NO_POST = refusal(404, 'POST_NOT_FOUND');

const askForComments = (viewer: Client, { id }: Post) => viewer.get(`/posts/${id}/comments`);

describe('in Hubs', () => {
  test('a public_hub post has public comments, by the public names of their authors', async () => {
    const admin = await aHubReady(opine, 'Public Name');
    const hub = await aHub(admin);
    await granted(admin.patch('/users/me/hub-profile', { displayName: 'Name Among Us' }));
    const both = await aHubPost(admin, [hub], { visibility: 'public_hub' });
    const comments = [await aComment(admin, both), await aComment(jonas, both)];
    for (const viewer of [admin, jonas, aGuest(opine)]) {
      expect(await commentsOn(viewer, both)).toEqual(comments);
    }
    expect(comments[0].author).toMatchObject({ username: admin.username, name: 'Public Name' });
    const told = JSON.stringify(comments);
    for (const secret of ['Name Among Us', admin.phoneNumber]) expect(told).not.toContain(secret);
  });

  test('a private post has none, which is said to whoever sees it and to nobody else', async () => {
    const admin = await aHubReady(opine);
    const [one, two, three] = [await aHub(admin), await aHub(admin), await aHub(admin)];
    const member = await aMemberOf(opine, admin, one);
    const [former, sharedTo] = [await aMemberOf(opine, admin, one), await aMemberOf(opine, admin, three)];
    const locked = await aHubPost(member, [one]);
    const wide = await aHubPost(admin, [one, two]);
    await place(admin, wide, three);
    await granted(requestLeave(former, one));
    const sees: [Post, Client[]][] = [
      [locked, [member, admin]],
      [wide, [member, admin, sharedTo]],
    ];
    const strangers = [former, await aHubReady(opine), jonas];
    for (const [hidden, viewers] of sees) {
      for (const viewer of viewers) {
        expect(await askForComments(viewer, hidden)).toMatchObject(FORBIDDEN);
        expect(await requestComment(viewer, hidden, { text: 'Hi.' })).toMatchObject(FORBIDDEN);
        expect(await seenBy(viewer, hidden)).toMatchObject({
          commentCount: 0,
          permissions: { canComment: false },
        });
      }
      for (const stranger of strangers) {
        expect(await askForComments(stranger, hidden)).toMatchObject(NO_POST);
        expect(await requestComment(stranger, hidden, { text: 'Hi.' })).toMatchObject(NO_POST);
      }
      expect(await askForComments(aGuest(opine), hidden)).toMatchObject(NO_POST);
    }
    expect(await askForComments(sharedTo, locked)).toMatchObject(NO_POST);
  });

  test('an author who has left still sees their private post, and that it has no comments', async () => {
    const admin = await aHubReady(opine);
    const hub = await aHub(admin);
    const member = await aMemberOf(opine, admin, hub);
    const locked = await aHubPost(member, [hub]);
    await granted(requestLeave(member, hub));
    expect(await askForComments(member, locked)).toMatchObject(FORBIDDEN);
    expect(await requestComment(member, locked, { text: 'Hi.' })).toMatchObject(FORBIDDEN);
  });
});
