import { sql } from 'kysely';
import { finishAccountDeletions } from '../../src/worker/tasks.ts';
import { seededRandom } from '../simulations/random.ts';
import type { Client, Json, Reply } from './client.ts';
import { requestBlock } from './graph.ts';
import {
  aHub,
  aHubPost,
  discussionOf,
  type Hub,
  join,
  requestAccept,
  requestClose,
  requestInvite,
  requestLeave,
  requestMessage,
  requestMessageDeletion,
  requestPostRemoval,
  requestRemove,
} from './hubs.ts';
import { PENDING_VOTE_KEY } from './keys.ts';
import { advanceTime, type Opine } from './opine.ts';
import { confirmedPerson, hubReadyPerson, type Person, registeredPerson } from './people.ts';
import {
  publish,
  requestComment,
  requestCommentDeletion,
  requestRepost,
  requestShareToFeed,
  requestShareToHubs,
} from './posts.ts';
import { enterCode, requestOtp } from './sign-in.ts';
import { castVote } from './votes.ts';
import { withWorkerDatabase } from './worker.ts';

/** People whose writes lock the same users, Hubs, posts and receipts. */
interface Contention {
  readonly opine: Opine;
  readonly admin: Person;
  readonly hubs: readonly Hub[];
  readonly posts: Json[];
}

const MEMBERS = 4;
const POSTS_KEPT = 6;

/**
 * Runs votes, comments, reposts, shares, removals, deletions, messages, Hub changes, closings, blocks, merges and account deletions beside
 * a busy worker.
 * @param rounds writes per member
 * @returns the replies with a status of 500 or more
 */
export async function contend(opine: Opine, rounds: number, seed: number): Promise<Reply[]> {
  const admin = await hubReadyPerson(opine, 'Admin');
  const members = await Promise.all(Array.from({ length: MEMBERS }, () => hubReadyPerson(opine, 'Member')));
  const hubs = [await aHub(admin), await aHub(admin), await aHub(admin)];
  for (const hub of hubs) await join(admin, hub, members);
  const merges = Math.ceil(rounds / 5);
  const phones = await Promise.all(Array.from({ length: merges }, () => confirmedPerson(opine, 'Phone')));
  const guests = await Promise.all(Array.from({ length: merges }, () => registeredPerson(opine, 'Guest')));
  const leavers = await Promise.all(Array.from({ length: merges }, () => hubReadyPerson(opine, 'Leaver')));
  // A phone gets one code a minute.
  await advanceTime(opine, '61 seconds');
  const world: Contention = { opine, admin, hubs, posts: [] };
  const stopping = new AbortController();
  const upkeep = Promise.all([foldAndRemove(opine, stopping.signal), endAccounts(opine, stopping.signal)]);
  // The await below reports a failure.
  upkeep.catch(() => {});
  const replies = await Promise.all([
    ...members.map((member, index) => write(world, member, rounds, seededRandom(100 * seed + index))),
    comeAndGo(world, members, rounds, seededRandom(100 * seed + 50)),
    talkAndClose(world, members, rounds),
    quarrel([...members, ...guests, ...phones], rounds, seededRandom(100 * seed + 80)),
    mergeAll(world, guests, phones, seededRandom(100 * seed + 60)),
    endAll(world, leavers, seededRandom(100 * seed + 70)),
  ]).finally(() => stopping.abort());
  await upkeep;
  return replies.flat().filter(({ status }) => status >= 500);
}

async function foldAndRemove({ database }: Opine, stopping: AbortSignal): Promise<void> {
  await withWorkerDatabase(database, async (db) => {
    while (!stopping.aborted) {
      await sql`select app.fold_receipts()`.execute(db);
      await sql`select app.fold_ballots(${[PENDING_VOTE_KEY]}::text[])`.execute(db);
      await sql`select app.fold_pools(0::smallint)`.execute(db);
      await sql`select app.fold_pools(1::smallint)`.execute(db);
      await sql`select app.fold_inbox_counts()`.execute(db);
      await sql`select app.prune_closed_hubs()`.execute(db);
    }
  });
}

async function endAccounts(opine: Opine, stopping: AbortSignal): Promise<void> {
  await withWorkerDatabase(opine.database, async (db) => {
    const { run } = finishAccountDeletions(db);
    while (!stopping.aborted) await run(stopping);
  });
}

/** Makes one member's writes, chosen by `random`. */
async function write(
  world: Contention,
  member: Person,
  rounds: number,
  random: () => number,
): Promise<Reply[]> {
  const { hubs, posts } = world;
  const own: Json[] = [];
  const comments: Json[] = [];
  const keep = async (list: Json[], request: Promise<Reply>) => {
    const reply = await request;
    if (reply.status === 201) list.push(reply.data);
    return reply;
  };
  const add = async (request: Promise<Reply>) => {
    const reply = await keep(own, request);
    if (reply.status === 201) posts.push(reply.data);
    return reply;
  };
  const remove = async (post: Json) => {
    const index = posts.indexOf(post);
    if (index >= 0) posts.splice(index, 1);
    return member.delete(`/posts/${post.id}`);
  };
  const target = () => posts[Math.floor(random() * posts.length)];
  const replies: Reply[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const post = target();
    const chance = random();
    const comment = comments.at(0);
    const oldest = own.length > POSTS_KEPT ? own.shift() : undefined;
    if (oldest !== undefined) replies.push(await remove(oldest));
    else if (post === undefined || chance < 0.15) replies.push(await add(publish(member, A_SLIDER)));
    else if (chance < 0.25) replies.push(await add(requestRepost(member, post, A_SLIDER)));
    else if (chance < 0.6) replies.push(await castVote(member, post));
    else if (chance < 0.75)
      replies.push(await keep(comments, requestComment(member, post, { text: 'Indeed.' })));
    else if (chance < 0.85 && comment !== undefined)
      replies.push(await requestCommentDeletion(member, comments.shift()));
    else if (chance < 0.92) replies.push(await requestShareToFeed(member, post));
    else
      replies.push(await requestShareToHubs(member, post, [...hubs].sort(() => random() - 0.5).slice(0, 2)));
  }
  return replies;
}

/** Makes members leave Hubs and join again, and takes posts out of Hubs. */
async function comeAndGo(
  { admin, hubs, posts }: Contention,
  members: readonly Person[],
  rounds: number,
  random: () => number,
): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let round = 0; round < rounds / 3; round += 1) {
    const member = members[Math.floor(random() * members.length)];
    const hub = hubs[Math.floor(random() * hubs.length)];
    if (member === undefined || hub === undefined) throw new Error('There is no member or no Hub.');
    if (random() < 0.5) replies.push(await requestLeave(member, hub));
    else replies.push(await requestRemove(admin, hub, member, { removePosts: true }));
    for (const post of posts.slice(-3)) replies.push(await requestPostRemoval(admin, hub, post));
    const invited = await requestInvite(admin, hub, member.phoneNumber);
    replies.push(invited);
    if (invited.status === 201) replies.push(await requestAccept(member, invited.data.items[0]));
  }
  return replies;
}

/** Makes people block and unblock each other. */
async function quarrel(people: readonly Person[], rounds: number, random: () => number): Promise<Reply[]> {
  const replies: Reply[] = [];
  const one = () => people[Math.floor(random() * people.length)];
  for (let round = 0; round < rounds; round += 1) {
    const [blocker, other] = [one(), one()];
    if (blocker === undefined || other === undefined) throw new Error('There is nobody.');
    replies.push(await requestBlock(blocker, other));
    if (random() < 0.7) replies.push(await blocker.delete(`/users/${other.id}/block`));
  }
  return replies;
}

/** Returns the posts and comments whose counts or marks do not fit the comments and blocks that there are. */
export async function wrongCounts({ database }: Opine): Promise<unknown[]> {
  const { rows } = await sql`
    select p.id
    from app.posts as p
    where p.comment_count <> (
      select count(*) from app.comments as c where c.post_id = p.id and c.author_id is not null and not c.is_hidden
    )
    union all
    select root.id
    from app.comments as root
    where root.reply_count <> (
      select count(*) from app.comments as c where c.parent_id = root.id and not c.is_hidden
    )
    union all
    select c.id
    from app.comments as c
    join app.posts as p on p.id = c.post_id
    where c.is_hidden <> exists (
      select from app.blocked_pairs as b where b.user_id = c.author_id and b.other_id = p.author_id
    )
  `.execute(database.superuser);
  return rows;
}

/** Has members write and delete messages in Hubs that their admin closes meanwhile. */
async function talkAndClose(
  { admin }: Contention,
  members: readonly Person[],
  rounds: number,
): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let round = 0; round < rounds / 10; round += 1) {
    const hub = await aHub(admin);
    await join(admin, hub, members);
    const discussion = await discussionOf(admin, hub, await aHubPost(admin, [hub]));
    const talk = async (member: Person) => {
      for (let count = 0; count < 4; count += 1) {
        const sent = await requestMessage(member, discussion, { text: 'Once more.' });
        replies.push(sent);
        if (sent.status !== 201) return;
        replies.push(
          ...(await Promise.all(
            [member, admin].map((one) => requestMessageDeletion(one, discussion, sent.data)),
          )),
        );
      }
    };
    const closing = async () => {
      await talk(admin);
      replies.push(await requestClose(admin, hub));
    };
    await Promise.all([...members.map(talk), closing()]);
  }
  return replies;
}

/** Merges phoneless accounts into phone accounts while both write. */
async function mergeAll(
  { posts }: Contention,
  guests: readonly Person[],
  phones: readonly Person[],
  random: () => number,
): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const [index, guest] of guests.entries()) {
    const phone = phones[index];
    if (phone === undefined) throw new Error('There is no phone.');
    for (let count = 0; count < 4; count += 1) replies.push(...(await voteAndComment(guest, posts, random)));
    replies.push(await requestOtp(guest, phone.phoneNumber));
    replies.push(
      ...(
        await Promise.all([
          enterCode(guest, phone.phoneNumber),
          voteAndComment(guest, posts, random),
          voteAndComment(phone, posts, random),
        ])
      ).flat(),
    );
  }
  return replies;
}

/** Deletes accounts while their owners write. */
async function endAll(
  { admin, hubs, posts }: Contention,
  leavers: readonly Person[],
  random: () => number,
): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const leaver of leavers) {
    for (const hub of hubs) await join(admin, hub, [leaver]);
    const reply = await publish(leaver, A_SLIDER);
    if (reply.status === 201) posts.push(reply.data);
    for (let count = 0; count < 4; count += 1) replies.push(...(await voteAndComment(leaver, posts, random)));
    replies.push(
      ...(await Promise.all([voteAndComment(leaver, posts, random), leaver.delete('/users/me')])).flat(),
    );
  }
  return replies;
}

/** Votes and comments on the same post concurrently. */
async function voteAndComment(
  person: Client,
  posts: readonly Json[],
  random: () => number,
): Promise<Reply[]> {
  const post = posts[Math.floor(random() * posts.length)];
  if (post === undefined) return [];
  return Promise.all([castVote(person, post), requestComment(person, post, { text: 'So it is.' })]);
}

const A_SLIDER = { sliderText: 'Is this so?' };
