import { OpineError, type Position, type VoteDistribution } from '../../clients/typescript/src/index.ts';
import type { Arrivals } from './arrivals.ts';
import type { Narrator } from './narrator.ts';
import type { Performer } from './performers.ts';

/** Who plays. */
export interface Cast {
  readonly nora: Performer;
  readonly idris: Performer;
  readonly pia: Performer;
}

/** Nora asks a question, her followers answer it, and one of them finds into her Hub. */
export async function play(cast: Cast, arrivals: Arrivals, narrator: Narrator): Promise<void> {
  await followNora(cast, arrivals, narrator);
  const postId = await askQuestion(cast, arrivals, narrator);
  await vote(cast, postId, narrator);
  await comment(cast, postId, arrivals, narrator);
  await openHub(cast, arrivals, narrator);
}

async function followNora({ nora, idris, pia }: Cast, arrivals: Arrivals, narrator: Narrator): Promise<void> {
  await narrator.act('Idris and Pia follow Nora');
  for (const { opine } of [idris, pia]) {
    await opine.post('/users/{userId}/follow', { params: { path: { userId: nora.id } } });
  }
  await arrivals.of(nora, 'user_followed', 2);
}

async function askQuestion(
  { nora, idris, pia }: Cast,
  arrivals: Arrivals,
  narrator: Narrator,
): Promise<string> {
  const sliderText = 'Should lunch be an hour?';
  await narrator.act(`Nora asks: ${sliderText}`);
  const { id } = await nora.opine.post('/posts', {
    body: {
      visibility: 'public',
      thoughtText: 'Half of one is a sandwich.',
      sliderText,
      slider: { leftLabel: 'Never', rightLabel: 'Always' },
    },
  });
  for (const follower of [idris, pia]) await arrivals.of(follower, 'followed_user_posted');
  return id;
}

async function vote({ nora, idris, pia }: Cast, postId: string, narrator: Narrator): Promise<void> {
  await narrator.act('All three vote; where is told to nobody, and kept with nobody');
  const params = { path: { postId } };
  const positions: [Performer, Position][] = [
    [nora, 'strong_right'],
    [idris, 'right'],
    [pia, 'left'],
  ];
  for (const [{ name, opine }, position] of positions) {
    const { summary } = await opine.post('/posts/{postId}/vote', { params, body: { position } });
    narrator.say(`${name} has voted, as one of ${summary.totalVotes}`);
  }
  const refused = await pia.opine.post('/posts/{postId}/vote', { params, body: { position: 'right' } }).then(
    () => 'a second vote was counted',
    (error: unknown) => (error instanceof OpineError ? error.message : String(error)),
  );
  narrator.say(`Pia votes again: ${refused}`);
  const { distribution } = await nora.opine.get('/posts/{postId}/vote/distribution', { params });
  narrator.say(`Never ${barsOf(distribution)} Always`);
}

function barsOf(distribution: VoteDistribution): string {
  return distribution.map(({ count }) => `[${'●'.repeat(count).padEnd(2)}]`).join(' ');
}

async function comment(
  { nora, pia }: Cast,
  postId: string,
  arrivals: Arrivals,
  narrator: Narrator,
): Promise<void> {
  await narrator.act('Pia comments');
  const text = 'With a walk after it.';
  await pia.opine.post('/posts/{postId}/comments', { params: { path: { postId } }, body: { text } });
  narrator.say(`“${text}”`);
  await arrivals.of(nora, 'post_commented');
}

async function openHub({ nora, idris }: Cast, arrivals: Arrivals, narrator: Narrator): Promise<void> {
  await narrator.act('Nora founds a Hub, and hands out an invite link');
  const hub = await nora.opine.post('/hubs', { body: { name: 'The long lunch' } });
  const params = { path: { hubId: hub.id } };
  const { token, url } = await nora.opine.post('/hubs/{hubId}/invite-links', {
    params,
    body: { maxUses: 5 },
  });
  narrator.say(url);

  await narrator.act('Idris opens the link and asks to join');
  const link = { path: { token } };
  const { hub: preview } = await idris.opine.get('/hub-invite-links/{token}', { params: link });
  narrator.say(`He sees: ${preview.name}, members: ${preview.memberCount}`);
  const request = await idris.opine.post('/hub-invite-links/{token}/join-requests', { params: link });
  await arrivals.of(nora, 'hub_join_request_created');

  await narrator.act('Nora approves, and posts what only members see');
  const path = { hubId: hub.id, requestId: request.id };
  await nora.opine.post('/hubs/{hubId}/join-requests/{requestId}/approve', { params: { path } });
  await arrivals.of(idris, 'hub_join_request_approved');
  await arrivals.of(nora, 'hub_member_joined');
  await nora.opine.post('/posts', {
    body: {
      visibility: 'private_locked_hub',
      hubIds: [hub.id],
      thoughtText: 'Tuesday at noon, at my place.',
    },
  });
  await arrivals.of(idris, 'hub_post_created');
}
