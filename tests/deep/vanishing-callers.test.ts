import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Json, Reply } from '../support/client.ts';
import { scaled } from '../support/depth.ts';
import { aHub, type Hub, join, requestLeave } from '../support/hubs.ts';
import { anOpine } from '../support/opine.ts';
import { confirmedPerson, hubReadyPerson, type Person, registeredPerson } from '../support/people.ts';
import {
  publish,
  requestComment,
  requestRepost,
  requestSavePost,
  requestShareToFeed,
  requestShareToHubs,
} from '../support/posts.ts';
import { enterCode, requestOtp } from '../support/sign-in.ts';
import { castVote } from '../support/votes.ts';

const ROUNDS = scaled(160);
const A_SLIDER = { sliderText: 'Is this so?' };

/** A post with its author, and a Hub with its admin and a discussion. */
interface Scene {
  readonly admin: Person;
  readonly author: Person;
  readonly post: Json;
  readonly hub: Hub;
  readonly discussionId: string;
}

/** Requests of a caller whose account, membership or target disappears meanwhile. */
const REQUESTS: readonly ((caller: Person, scene: Scene) => Promise<Reply>)[] = [
  (caller, { post }) => castVote(caller, post),
  (caller, { post }) => requestComment(caller, post, { text: 'So it is.' }),
  (caller, { post }) => requestShareToFeed(caller, post),
  (caller, { post, hub }) => requestShareToHubs(caller, post, [hub]),
  (caller, { post }) => requestRepost(caller, post, A_SLIDER),
  (caller, { post }) => requestSavePost(caller, post),
  (caller) => publish(caller, A_SLIDER),
  (caller) => caller.post('/hubs', { name: 'Oak Street' }),
  (caller, { author }) => caller.post(`/users/${author.id}/follow`),
  (caller, { author }) => caller.delete(`/users/${author.id}/follow`),
  (caller, { admin }) => admin.post(`/users/${caller.id}/follow`),
  (caller, { admin }) => caller.post(`/users/${admin.id}/block`),
  (caller, { author }) => author.post(`/users/${caller.id}/block`),
  (caller, { post }) => caller.post(`/reports/posts/${post.id}`, { reason: 'spam' }),
  (caller, { author }) => caller.post(`/reports/users/${author.id}`, { reason: 'spam' }),
  (caller, { hub, discussionId }) =>
    caller.post(`/hubs/${hub.id}/discussions/${discussionId}/messages`, { text: 'Well.' }),
  (caller) => caller.patch('/users/me/profile', { fullName: 'Another' }),
  (caller) => caller.put('/users/me/onboarding/media', {}),
  (caller) => caller.put('/users/me/onboarding/contacts', { permission: 'granted' }),
  (caller) => caller.patch('/notifications/read', { all: true }),
  (caller) => caller.get('/users/me/onboarding/status'),
  (caller) => caller.get('/users/me/profile'),
  (caller) => caller.get('/users/me/export'),
  (caller) => caller.get('/users/me/saved-posts'),
  (caller) => caller.get('/notifications'),
  (caller) => caller.get('/posts'),
  (caller, { post }) => caller.get(`/posts/${post.id}`),
  (caller, { post }) => caller.get(`/posts/${post.id}/comments`),
  (caller, { hub }) => caller.get(`/hubs/${hub.id}/feed`),
  (caller, { hub }) => caller.get(`/hubs/${hub.id}/members`),
];

test('no request is 5xx while its caller deletes the account, merges or leaves and its post or author is deleted', async () => {
  // The log has the cause of a 5xx.
  const logged: string[] = [];
  const opine = await anOpine({ LOG_LEVEL: 'error' }, (line) => logged.push(line));
  const admin = await hubReadyPerson(opine, 'Admin');
  const hub = await aHub(admin);
  const sendSoon = async (send: () => Promise<Reply>, source = String(send)) => {
    await pause(Math.random() * 25);
    const { status, error } = await send();
    return { source, status, error };
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    await opine.database.superuser.deleteFrom('app.rate_limits').execute();
    const [author, leaver] = [await hubReadyPerson(opine, 'Author'), await hubReadyPerson(opine, 'Leaver')];
    const [phone, guest] = [await confirmedPerson(opine, 'Phone'), await registeredPerson(opine, 'Guest')];
    await join(admin, hub, [author, leaver]);
    const { data: post } = await publish(author, A_SLIDER);
    await publish(author, { ...A_SLIDER, visibility: 'private_locked_hub', hubIds: [hub.id] });
    const { data } = await admin.get(`/hubs/${hub.id}/discussions`);
    const scene = { admin, author, post, hub, discussionId: data.items[0].id };
    await requestOtp(guest, phone.phoneNumber);
    const replies = await Promise.all([
      ...[leaver, phone, guest].flatMap((caller) =>
        REQUESTS.map((request) => sendSoon(() => request(caller, scene), String(request))),
      ),
      sendSoon(() => leaver.delete('/users/me')),
      sendSoon(() => requestLeave(leaver, hub)),
      sendSoon(() => enterCode(guest, phone.phoneNumber)),
      sendSoon(() => author.delete(round % 2 === 0 ? '/users/me' : `/posts/${post.id}`)),
    ]);
    expect({ failed: replies.filter(({ status }) => status >= 500), logged }).toEqual({
      failed: [],
      logged: [],
    });
  }
});
