import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Client, refusal } from '../support/client.ts';
import { aComment, commentsOn, type Post, place, requestComment } from '../support/frames.ts';
import { granted } from '../support/graph.ts';
import { aHub, aHubPost, aMemberOf, requestLeave } from '../support/hubs.ts';
import { type Opine, startOpine } from '../support/opine.ts';
import { aGuest, aHubReady, aRegistered, type Person } from '../support/people.ts';
import { seenBy } from '../support/posts.ts';

let opine: Opine;
/** Jonas is in no Hub. */
let jonas: Person;

beforeAll(async () => {
  opine = await startOpine();
  jonas = await aRegistered(opine, 'Jonas');
});

afterAll(() => opine.stop());

const FORBIDDEN = refusal(403, 'FORBIDDEN');
const NO_POST = refusal(404, 'POST_NOT_FOUND');

const listComments = (viewer: Client, { id }: Post) => viewer.get(`/posts/${id}/comments`);

describe('comments on Hub posts', () => {
  test('comments on a public_hub post are public and show the public profiles of their authors', async () => {
    const admin = await aHubReady(opine, 'Public Name');
    const hub = await aHub(admin);
    await granted(admin.patch('/users/me/hub-profile', { displayName: 'Name Among Us' }));
    const post = await aHubPost(admin, [hub], { visibility: 'public_hub' });
    const comments = [await aComment(admin, post), await aComment(jonas, post)];
    for (const viewer of [admin, jonas, aGuest(opine)]) {
      expect(await commentsOn(viewer, post)).toEqual(comments);
    }
    expect(comments[0].author).toMatchObject({ username: admin.username, name: 'Public Name' });
    const response = JSON.stringify(comments);
    for (const secret of ['Name Among Us', admin.phoneNumber]) expect(response).not.toContain(secret);
  });

  test('comments on a private post are 403 for its viewers and 404 for others', async () => {
    const admin = await aHubReady(opine);
    const [one, two, three] = [await aHub(admin), await aHub(admin), await aHub(admin)];
    const member = await aMemberOf(opine, admin, one);
    const [former, sharedTo] = [await aMemberOf(opine, admin, one), await aMemberOf(opine, admin, three)];
    const inOneHub = await aHubPost(member, [one]);
    const inTwoHubs = await aHubPost(admin, [one, two]);
    await place(admin, inTwoHubs, three);
    await granted(requestLeave(former, one));
    const viewersByPost: [Post, Client[]][] = [
      [inOneHub, [member, admin]],
      [inTwoHubs, [member, admin, sharedTo]],
    ];
    const nonViewers = [former, await aHubReady(opine), jonas];
    for (const [post, viewers] of viewersByPost) {
      for (const viewer of viewers) {
        expect(await listComments(viewer, post)).toMatchObject(FORBIDDEN);
        expect(await requestComment(viewer, post, { text: 'Hi.' })).toMatchObject(FORBIDDEN);
        expect(await seenBy(viewer, post)).toMatchObject({
          commentCount: 0,
          permissions: { canComment: false },
        });
      }
      for (const nonViewer of nonViewers) {
        expect(await listComments(nonViewer, post)).toMatchObject(NO_POST);
        expect(await requestComment(nonViewer, post, { text: 'Hi.' })).toMatchObject(NO_POST);
      }
      expect(await listComments(aGuest(opine), post)).toMatchObject(NO_POST);
    }
    expect(await listComments(sharedTo, inOneHub)).toMatchObject(NO_POST);
  });

  test('an author who left the Hub gets 403 for comments on their private post', async () => {
    const admin = await aHubReady(opine);
    const hub = await aHub(admin);
    const member = await aMemberOf(opine, admin, hub);
    const inOneHub = await aHubPost(member, [hub]);
    await granted(requestLeave(member, hub));
    expect(await listComments(member, inOneHub)).toMatchObject(FORBIDDEN);
    expect(await requestComment(member, inOneHub, { text: 'Hi.' })).toMatchObject(FORBIDDEN);
  });
});
