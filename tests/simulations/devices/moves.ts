import { audienceVotes } from '../../support/audience.ts';
import type { Json, Reply } from '../../support/client.ts';
import { allowContacts } from '../../support/contacts.ts';
import { votesAreFolded } from '../../support/fold.ts';
import {
  requestComment,
  requestCommentDeletion,
  requestPlace,
  requestRepost,
  requestShare,
} from '../../support/frames.ts';
import { requestBlock, requestFollow, requestMute } from '../../support/graph.ts';
import {
  aJoinRequest,
  requestAccept,
  requestAppoint,
  requestDecide,
  requestInvite,
  requestLeave,
  requestRemove,
} from '../../support/hubs.ts';
import type { Person } from '../../support/people.ts';
import { aSlider } from '../../support/posts.ts';
import { castVote } from '../../support/votes.ts';
import { adminOf, type PhoneWorld } from './world.ts';

/** Who and what a move is about. */
interface Scene {
  readonly world: PhoneWorld;
  readonly actor: Person;
  readonly other: Person;
  readonly hub: Json;
  /** Which of the posts, comments or blocks that there are. */
  readonly thing: number;
  readonly isOn: boolean;
}

/** A move that is refused changes nothing, and is as good as any. */
type Act = (scene: Scene) => Promise<Reply | undefined>;

/** Who may do it where nobody who has a device may see more or less than before: Lena has none. */
type Calm = 'everybody' | 'Lena' | 'nobody';

/** How often it happens. */
type Move = readonly [weight: number, calm: Calm, act: Act];

export const pick = <Item>(items: readonly Item[], index: number): Item | undefined =>
  items[index % Math.max(items.length, 1)];

const succeeded = (reply: Reply | undefined) => reply !== undefined && reply.status < 300;

/** Notes in the ledger what an act has changed, unless it was refused. */
const noting =
  (act: Act, note: (scene: Scene, reply: Reply) => void): Act =>
  async (scene) => {
    const reply = await act(scene);
    if (reply !== undefined && succeeded(reply)) note(scene, reply);
    return reply;
  };

const publishing = (act: Act) =>
  noting(act, ({ world, actor }, { data }) => {
    world.posts.push(data);
    world.ledger.hasPublished(actor, data);
  });

const postOf = ({ world, thing }: Scene) => pick(world.posts, thing);

const targets = ({ world, hub, isOn }: Scene) => (isOn ? world.hubs.map(({ id }) => id) : [hub.id]);

async function accepts({ world, hub, actor }: Scene): Promise<Reply | undefined> {
  const { status, data } = await requestInvite(adminOf(world, hub), hub, actor.phoneNumber);
  return status === 201 ? requestAccept(actor, data.items[0]) : undefined;
}

async function asksToJoin({ world, actor, hub }: Scene): Promise<Json | undefined> {
  return aJoinRequest(adminOf(world, hub), hub, actor).catch(() => undefined);
}

/** What people do, by what it is called. */
export const MOVES: Readonly<Record<string, Move>> = {
  follows: [6, 'everybody', ({ actor, other }) => requestFollow(actor, other)],
  unfollows: [2, 'everybody', ({ actor, other }) => actor.delete(`/users/${other.id}/follow`)],
  'has alerts of or not': [2, 'everybody', ({ actor, other, isOn }) => requestMute(actor, other, isOn)],
  'posts in public': [
    5,
    'everybody',
    publishing(({ actor }) => actor.post('/posts', { visibility: 'public', thoughtText: 'So it is.' })),
  ],
  'posts in Hubs': [
    7,
    'everybody',
    publishing((scene) => {
      const visibility = scene.thing % 2 === 0 ? 'public_hub' : 'private_locked_hub';
      return scene.actor.post('/posts', { visibility, thoughtText: 'Among us.', hubIds: targets(scene) });
    }),
  ],
  'reposts in public': [
    3,
    'everybody',
    publishing(async (scene) => {
      const post = postOf(scene);
      return post && requestRepost(scene.actor, post);
    }),
  ],
  'reposts into Hubs': [
    5,
    'everybody',
    publishing(async (scene) => {
      const post = postOf(scene);
      const into = { visibility: 'private_locked_hub', hubIds: targets(scene) };
      return post && requestRepost(scene.actor, post, into);
    }),
  ],
  'shares to their feed': [
    3,
    'everybody',
    async (scene) => {
      const post = postOf(scene);
      return post && requestShare(scene.actor, post);
    },
  ],
  'shares into a Hub': [
    4,
    'everybody',
    async (scene) => {
      const post = postOf(scene);
      return post && requestPlace(scene.actor, post, [scene.hub]);
    },
  ],
  'comments on': [
    6,
    'everybody',
    async (scene) => {
      const post = postOf(scene);
      const reply = await (post && requestComment(scene.actor, post, { text: 'Quite so.' }));
      if (succeeded(reply)) scene.world.comments.push(reply?.data);
      return reply;
    },
  ],
  'asks a hundred': [
    1,
    'everybody',
    async ({ world: { opine, stage }, actor }) => {
      const slider = await aSlider(actor);
      await audienceVotes(opine, stage.audience, slider, 4);
      await votesAreFolded(opine);
      return castVote(actor, slider);
    },
  ],
  'a comment is removed': [
    2,
    'nobody',
    async ({ world, thing }) => {
      const comment = pick(world.comments, thing);
      const author = world.people.find(({ id }) => id === comment?.author.id);
      return comment && author && requestCommentDeletion(author, comment);
    },
  ],
  'a post is removed': [
    2,
    'nobody',
    async ({ world, thing }) => {
      const post = pick(world.posts, thing);
      const author = world.people.find(({ id }) => id === post?.author.id);
      return post && author?.delete(`/posts/${post.id}`);
    },
  ],
  'is invited': [
    3,
    'everybody',
    ({ world, hub, actor }) => requestInvite(adminOf(world, hub), hub, actor.phoneNumber),
  ],
  'asks to join, and may not': [
    3,
    'everybody',
    async (scene) => {
      const request = await asksToJoin(scene);
      return request && requestDecide(adminOf(scene.world, scene.hub), scene.hub, request, 'reject');
    },
  ],
  'asks to join, and may': [
    3,
    'Lena',
    noting(
      async (scene) => {
        const request = await asksToJoin(scene);
        return request && requestDecide(adminOf(scene.world, scene.hub), scene.hub, request, 'approve');
      },
      ({ world, actor, hub }) => world.ledger.hasJoined(actor, hub),
    ),
  ],
  'is invited and joins': [
    9,
    'Lena',
    noting(accepts, ({ world, actor, hub }, { data }) => {
      if (data.viewerStatus === 'member') world.ledger.hasJoined(actor, hub);
    }),
  ],
  leaves: [
    8,
    'Lena',
    noting(
      ({ actor, hub }) => requestLeave(actor, hub),
      ({ world, actor, hub }) => world.ledger.hasLeft(actor, hub),
    ),
  ],
  'is removed': [
    3,
    'Lena',
    noting(
      ({ world, actor, hub }) => requestRemove(adminOf(world, hub), hub, actor),
      ({ world, actor, hub }) => world.ledger.hasLeft(actor, hub),
    ),
  ],
  'has a new role': [
    3,
    'everybody',
    ({ world, actor, hub }) => requestAppoint(adminOf(world, hub), hub, actor, 'manager'),
  ],
  'mutes or not': [
    6,
    'nobody',
    noting(
      ({ actor, hub, isOn }) => actor.patch(`/hubs/${hub.id}/notification-settings`, { contentMuted: isOn }),
      ({ world, actor, hub, isOn }) => world.ledger.hasMuted(actor, hub, isOn),
    ),
  ],
  blocks: [
    4,
    'nobody',
    noting(
      ({ actor, other }) => requestBlock(actor, other),
      ({ world, actor, other }) => {
        world.blocks.push([actor, other]);
        world.ledger.hasBlocked(actor, other);
      },
    ),
  ],
  'somebody is unblocked': [
    5,
    'nobody',
    async ({ world, thing }) => {
      const [blocker, blocked] = pick(world.blocks, thing) ?? [];
      if (blocker === undefined || blocked === undefined) return undefined;
      const reply = await blocker.delete(`/users/${blocked.id}/block`);
      if (succeeded(reply)) world.ledger.hasUnblocked(blocker, blocked);
      return reply;
    },
  ],
  'lets the app read contacts': [5, 'nobody', ({ actor }) => allowContacts(actor)],
};
