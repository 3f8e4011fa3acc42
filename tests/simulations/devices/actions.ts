import { audienceVotes } from '../../support/audience.ts';
import type { Json, Reply } from '../../support/client.ts';
import { allowContacts } from '../../support/contacts.ts';
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
import {
  aSlider,
  requestComment,
  requestCommentDeletion,
  requestReply,
  requestRepost,
  requestShareToFeed,
  requestShareToHubs,
} from '../../support/posts.ts';
import { quietHoursFromNow } from '../../support/preferences.ts';
import { castVote } from '../../support/votes.ts';
import { foldAllVotes } from '../../support/worker.ts';
import { pick } from '../random.ts';
import { adminOf, type World } from './world.ts';

/** The people and items of an action. */
interface Scene {
  readonly world: World;
  readonly actor: Person;
  readonly other: Person;
  readonly hub: Json;
  /** An index of posts, comments or blocks. */
  readonly item: number;
  readonly isOn: boolean;
}

type Action = (scene: Scene) => Promise<Reply | undefined>;

/** Who may act in a calm schedule, which keeps the access of device owners; Lena has no device. */
type CalmActor = 'everybody' | 'Lena' | 'nobody';

type WeightedAction = readonly [weight: number, calmActor: CalmActor, run: Action];

const succeeded = (reply: Reply | undefined) => reply !== undefined && reply.status < 300;

/** Records an accepted action in the model. */
const recording =
  (action: Action, record: (scene: Scene, reply: Reply) => void): Action =>
  async (scene) => {
    const reply = await action(scene);
    if (reply !== undefined && succeeded(reply)) record(scene, reply);
    return reply;
  };

const recordingPost = (action: Action) =>
  recording(action, ({ world, actor }, { data }) => {
    world.posts.push(data);
    world.rules.hasPublished(actor, data);
  });

/** Runs an action with one of the posts, if there is any. */
const withPost =
  (action: (post: Json, scene: Scene) => Promise<Reply>): Action =>
  async (scene) => {
    const post = pick(scene.world.posts, scene.item);
    return post === null ? undefined : action(post, scene);
  };

const SILENCEABLE = ['post_commented', 'comment_replied', 'user_mentioned', 'hub_post_created'];

const mentions = ({ actor, other }: Scene) => `@${actor.username} and @${other.username.toUpperCase()}`;

const targets = ({ world, hub, isOn }: Scene) => (isOn ? world.hubs.map(({ id }) => id) : [hub.id]);

async function inviteAndAccept({ world, hub, actor }: Scene): Promise<Reply | undefined> {
  const { status, data } = await requestInvite(adminOf(world, hub), hub, actor.phoneNumber);
  return status === 201 ? requestAccept(actor, data.items[0]) : undefined;
}

async function requestToJoin({ world, actor, hub }: Scene): Promise<Json | undefined> {
  return aJoinRequest(adminOf(world, hub), hub, actor).catch(() => undefined);
}

/** The actions of people. */
export const ACTIONS: Readonly<Record<string, WeightedAction>> = {
  follows: [6, 'everybody', ({ actor, other }) => requestFollow(actor, other)],
  unfollows: [2, 'everybody', ({ actor, other }) => actor.delete(`/users/${other.id}/follow`)],
  'switches alerts for': [2, 'everybody', ({ actor, other, isOn }) => requestMute(actor, other, isOn)],
  'posts in public': [
    5,
    'everybody',
    recordingPost(({ actor }) => actor.post('/posts', { visibility: 'public', thoughtText: 'So it is.' })),
  ],
  'posts in Hubs': [
    7,
    'everybody',
    recordingPost((scene) => {
      const visibility = scene.item % 2 === 0 ? 'public_hub' : 'private_locked_hub';
      return scene.actor.post('/posts', { visibility, thoughtText: 'Among us.', hubIds: targets(scene) });
    }),
  ],
  'reposts in public': [
    3,
    'everybody',
    recordingPost(withPost((post, { actor }) => requestRepost(actor, post))),
  ],
  'reposts into Hubs': [
    5,
    'everybody',
    recordingPost(
      withPost((post, scene) =>
        requestRepost(scene.actor, post, { visibility: 'private_locked_hub', hubIds: targets(scene) }),
      ),
    ),
  ],
  'shares to their feed': [3, 'everybody', withPost((post, { actor }) => requestShareToFeed(actor, post))],
  'shares into a Hub': [
    4,
    'everybody',
    withPost((post, { actor, hub }) => requestShareToHubs(actor, post, [hub])),
  ],
  'comments on': [
    6,
    'everybody',
    recording(
      withPost((post, { actor }) => requestComment(actor, post, { text: 'Quite so.' })),
      ({ world }, { data }) => {
        world.comments.push(data);
      },
    ),
  ],
  'replies to a comment': [
    6,
    'everybody',
    async ({ world, actor, item }) => {
      const named = pick(world.comments, item);
      if (named === null) return undefined;
      const reply = await requestReply(actor, { id: named.postId }, named);
      if (succeeded(reply)) {
        world.comments.push(reply.data);
        const root = world.comments.find(({ id }) => id === reply.data.parentCommentId);
        world.rules.hasReplied(reply.data, root);
      }
      return reply;
    },
  ],
  'mentions two in a comment on': [
    5,
    'everybody',
    recording(
      withPost((post, scene) => requestComment(scene.actor, post, { text: `Right, ${mentions(scene)}?` })),
      ({ world }, { data }) => {
        world.comments.push(data);
      },
    ),
  ],
  'mentions two in a post': [
    5,
    'everybody',
    recordingPost((scene) => {
      const target = scene.isOn
        ? { visibility: 'public' }
        : { visibility: 'private_locked_hub', hubIds: [scene.hub.id] };
      return scene.actor.post('/posts', { ...target, thoughtText: `${mentions(scene)}: so it is.` });
    }),
  ],
  'changes preferences': [
    4,
    'nobody',
    async ({ world, actor, item, isOn }) => {
      const types = Object.fromEntries(SILENCEABLE.map((type, index) => [type, (item >> index) % 2 === 0]));
      const hours = isOn && item % 3 === 0 ? await quietHoursFromNow(world.opine) : { quietHours: null };
      const reply = await actor.patch('/users/me/notification-preferences', { push: types, ...hours });
      if (succeeded(reply)) world.rules.hasChangedPreferences(actor, types, hours.quietHours !== null);
      return reply;
    },
  ],
  'gets a hundred votes': [
    1,
    'everybody',
    async ({ world: { opine, harness }, actor }) => {
      const slider = await aSlider(actor);
      await audienceVotes(opine, harness.audience, slider, 4);
      await foldAllVotes(opine);
      return castVote(actor, slider);
    },
  ],
  'a comment is removed': [
    2,
    'nobody',
    async ({ world, item }) => {
      const comment = pick(world.comments, item);
      const author = world.people.find(({ id }) => id === comment?.author.id);
      return comment && author ? requestCommentDeletion(author, comment) : undefined;
    },
  ],
  'a post is removed': [
    2,
    'nobody',
    async ({ world, item }) => {
      const post = pick(world.posts, item);
      const author = world.people.find(({ id }) => id === post?.author.id);
      return post ? author?.delete(`/posts/${post.id}`) : undefined;
    },
  ],
  'is invited': [
    3,
    'everybody',
    ({ world, hub, actor }) => requestInvite(adminOf(world, hub), hub, actor.phoneNumber),
  ],
  'requests to join and is rejected': [
    3,
    'everybody',
    async (scene) => {
      const request = await requestToJoin(scene);
      return request && requestDecide(adminOf(scene.world, scene.hub), scene.hub, request, 'reject');
    },
  ],
  'requests to join and is approved': [
    3,
    'Lena',
    recording(
      async (scene) => {
        const request = await requestToJoin(scene);
        return request && requestDecide(adminOf(scene.world, scene.hub), scene.hub, request, 'approve');
      },
      ({ world, actor, hub }) => world.rules.hasJoined(actor, hub),
    ),
  ],
  'is invited and joins': [
    9,
    'Lena',
    recording(inviteAndAccept, ({ world, actor, hub }, { data }) => {
      if (data.viewerStatus === 'member') world.rules.hasJoined(actor, hub);
    }),
  ],
  leaves: [
    8,
    'Lena',
    recording(
      ({ actor, hub }) => requestLeave(actor, hub),
      ({ world, actor, hub }) => world.rules.hasLeft(actor, hub),
    ),
  ],
  'is removed': [
    3,
    'Lena',
    recording(
      ({ world, actor, hub }) => requestRemove(adminOf(world, hub), hub, actor),
      ({ world, actor, hub }) => world.rules.hasLeft(actor, hub),
    ),
  ],
  'has a new role': [
    3,
    'everybody',
    ({ world, actor, hub }) => requestAppoint(adminOf(world, hub), hub, actor, 'manager'),
  ],
  'mutes or unmutes': [
    6,
    'nobody',
    recording(
      ({ actor, hub, isOn }) => actor.patch(`/hubs/${hub.id}/notification-settings`, { contentMuted: isOn }),
      ({ world, actor, hub, isOn }) => world.rules.hasMuted(actor, hub, isOn),
    ),
  ],
  blocks: [
    4,
    'nobody',
    recording(
      ({ actor, other }) => requestBlock(actor, other),
      ({ world, actor, other }) => {
        world.blocks.push([actor, other]);
        world.rules.hasBlocked(actor, other);
      },
    ),
  ],
  'a block is lifted': [
    5,
    'nobody',
    async ({ world, item }) => {
      const [blocker, blocked] = pick(world.blocks, item) ?? [];
      if (blocker === undefined || blocked === undefined) return undefined;
      const reply = await blocker.delete(`/users/${blocked.id}/block`);
      if (succeeded(reply)) world.rules.hasUnblocked(blocker, blocked);
      return reply;
    },
  ],
  'lets the app read contacts': [5, 'nobody', ({ actor }) => allowContacts(actor)],
};
