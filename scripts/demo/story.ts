import { OpineError, type Position, type VoteDistribution } from '../../clients/typescript/src/index.ts';
import type { Deliveries } from './deliveries.ts';
import type { Output } from './output.ts';
import type { DemoUser } from './users.ts';

/** The users of the story, the signals that reach them, and the output. */
export interface Story {
  readonly url: string;
  /** Null without the local staff: then nobody moderates. */
  readonly staffProviderUrl: string | null;
  readonly nora: DemoUser;
  readonly idris: DemoUser;
  readonly pia: DemoUser;
  readonly deliveries: Deliveries;
  readonly output: Output;
}

/**
 * Runs the story: Nora posts a question, her followers vote, and one of them joins her Hub.
 * @returns the id of the question
 */
export async function runStory(story: Story): Promise<string> {
  await followNora(story);
  const postId = await postQuestion(story);
  await vote(story, postId);
  await comment(story, postId);
  await openHub(story);
  return postId;
}

async function followNora({ nora, idris, pia, deliveries, output }: Story): Promise<void> {
  await output.section('Idris and Pia follow Nora');
  for (const { opine } of [idris, pia]) {
    await opine.post('/users/{userId}/follow', { params: { path: { userId: nora.id } } });
  }
  await deliveries.expect(nora, 'user_followed', 2);
}

async function postQuestion({ url, nora, idris, pia, deliveries, output }: Story): Promise<string> {
  const sliderText = 'Should lunch be an hour?';
  await output.section(`Nora posts: ${sliderText}`);
  const { id } = await nora.opine.post('/posts', {
    body: {
      visibility: 'public',
      thoughtText: 'Half of one is a sandwich.',
      sliderText,
      slider: { leftLabel: 'Never', rightLabel: 'Always' },
    },
  });
  output.line(`Watch the result at ${url}/#/posts/${id}`);
  for (const follower of [idris, pia]) await deliveries.expect(follower, 'followed_user_posted');
  return id;
}

async function vote({ nora, idris, pia, output }: Story, postId: string): Promise<void> {
  await output.section('All three vote; Opine never stores the position with the person');
  const params = { path: { postId } };
  const positions: [DemoUser, Position][] = [
    [nora, 'strong_right'],
    [idris, 'right'],
    [pia, 'left'],
  ];
  for (const [{ name, opine }, position] of positions) {
    await output.pause();
    const { summary } = await opine.post('/posts/{postId}/vote', { params, body: { position } });
    output.line(`${name} has voted; total votes: ${summary.totalVotes}`);
  }
  const refusal = await pia.opine.post('/posts/{postId}/vote', { params, body: { position: 'right' } }).then(
    () => 'Opine counted a second vote',
    (error: unknown) => (error instanceof OpineError ? error.message : String(error)),
  );
  output.line(`Pia votes again: ${refusal}`);
  const { distribution } = await nora.opine.get('/posts/{postId}/vote/distribution', { params });
  output.line(`Never ${barsOf(distribution)} Always`);
}

function barsOf(distribution: VoteDistribution): string {
  return distribution.map(({ count }) => `[${'●'.repeat(count).padEnd(2)}]`).join(' ');
}

async function comment({ nora, pia, deliveries, output }: Story, postId: string): Promise<void> {
  await output.section('Pia comments');
  const text = 'With a walk after it.';
  await pia.opine.post('/posts/{postId}/comments', { params: { path: { postId } }, body: { text } });
  output.line(`“${text}”`);
  await deliveries.expect(nora, 'post_commented');
}

async function openHub({ nora, idris, deliveries, output }: Story): Promise<void> {
  await output.section('Nora creates a Hub and an invite link');
  const hub = await nora.opine.post('/hubs', { body: { name: 'The long lunch' } });
  const params = { path: { hubId: hub.id } };
  const { token, url } = await nora.opine.post('/hubs/{hubId}/invite-links', {
    params,
    body: { maxUses: 5 },
  });
  output.line(url);

  await output.section('Idris opens the link and requests to join');
  const link = { path: { token } };
  const { hub: preview } = await idris.opine.get('/hub-invite-links/{token}', { params: link });
  output.line(`He sees: ${preview.name}, members: ${preview.memberCount}`);
  const request = await idris.opine.post('/hub-invite-links/{token}/join-requests', { params: link });
  await deliveries.expect(nora, 'hub_join_request_created');

  await output.section('Nora approves, and posts for members only');
  const path = { hubId: hub.id, requestId: request.id };
  await nora.opine.post('/hubs/{hubId}/join-requests/{requestId}/approve', { params: { path } });
  await deliveries.expect(idris, 'hub_join_request_approved');
  await deliveries.expect(nora, 'hub_member_joined');
  await nora.opine.post('/posts', {
    body: {
      visibility: 'private_locked_hub',
      hubIds: [hub.id],
      thoughtText: 'Tuesday at noon, at my place.',
    },
  });
  await deliveries.expect(idris, 'hub_post_created');
}
