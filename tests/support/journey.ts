import { createHash } from 'node:crypto';
import { ROUTES } from '../../src/domains/all.ts';
import { type Client, clientOf, type Json, type Reply } from './client.ts';
import type { TestDatabase } from './database.ts';
import { tokenIn } from './hubs.ts';
import { whileInsertsFail } from './outages.ts';
import { aPng } from './pictures.ts';

/** Parts of a call. */
interface Parts {
  /** A string is sent unchanged. */
  readonly body?: unknown;
  /** Values of the path parameters. */
  readonly id?: string | readonly string[];
  readonly query?: string;
  readonly headers?: Record<string, string>;
}

interface Recorded {
  readonly operation: string;
  readonly reply: Reply;
}

/** A caller of operations that records replies and tokens. */
export interface Recorder {
  call(operation: string, parts?: Parts): Promise<Json>;
  /** Returns a recorder with another token, or none, and shared records. */
  as(accessToken?: string): Recorder;
  /** Calls by request id. */
  readonly calls: ReadonlyMap<string, Recorded>;
  /** Records tokens that were issued elsewhere. */
  keep(...tokens: string[]): void;
  /** All issued or recorded tokens. */
  readonly tokens: ReadonlySet<string>;
}

export function recorderOf(url: string): Recorder {
  const calls = new Map<string, Recorded>();
  const tokens = new Set<string>();
  return recorder(clientOf(url));

  function recorder(client: Client): Recorder {
    return {
      calls,
      tokens,
      keep: (...others) => {
        for (const token of others) tokens.add(token);
      },
      as: (accessToken) => recorder(clientOf(url, accessToken)),
      call: async (operation, parts = {}) => {
        const reply = await send(client, operation, parts);
        calls.set(reply.headers.get('x-request-id') ?? '', { operation, reply });
        for (const name of ['accessToken', 'refreshToken']) {
          if (reply.data?.[name]) tokens.add(reply.data[name]);
        }
        return reply.data;
      },
    };
  }
}

function send(
  client: Client,
  operation: string,
  { body, id = '', query = '', headers }: Parts,
): Promise<Reply> {
  const route = ROUTES.find((candidate) => candidate.id === operation);
  if (route === undefined) throw new Error(`There is no operation ${operation}.`);
  const ids = typeof id === 'string' ? [id] : [...id];
  const path = route.path.replaceAll(/\{\w+\}/g, () => ids.shift() ?? '') + query;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return client.send(route.method.toUpperCase(), path, text, {
    headers: { ...(text !== undefined && { 'content-type': 'application/json' }), ...headers },
  });
}

/** A person of the journey with unique words. */
export interface JourneyPerson {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

/** Calls the operations on people, some of which are refused. */
export async function exercisePeople(maya: Recorder, guest: Recorder, jonas: JourneyPerson): Promise<void> {
  const { id } = jonas;
  await guest.call('search_users', { query: `?q=${jonas.name}` });
  await maya.call('search_users', { query: `?q=${jonas.username}&cursor=${jonas.name}` });
  await guest.call('get_profile_by_username', { id: jonas.username });
  await maya.call('get_profile', { id });
  await maya.call('follow_user', { id });
  await maya.call('follow_user', { id });
  await maya.call('update_follow', { id, body: { publicPostsMuted: jonas.name } });
  await maya.call('update_follow', { id, body: { publicPostsMuted: true } });
  await maya.call('list_followers', { id, query: `?q=${jonas.name}` });
  await maya.call('list_following', { id });
  await maya.call('unfollow_user', { id });
  await maya.call('block_user', { id });
  await maya.call('follow_user', { id });
  await maya.call('list_blocks');
  await maya.call('unblock_user', { id });
  await maya.call('list_sessions');
  await maya.call('end_session', { id });
  await maya.call('export_own_data');
  await maya.call('get_own_profile');
  await maya.call('update_own_profile', { body: { bio: jonas.name, profileAssetId: jonas.name } });
  await maya.call('update_own_profile', { body: { bio: jonas.name } });
  await maya.call('get_hub_profile');
  await maya.call('update_hub_profile', { body: { displayName: jonas.name } });
}

/** Announces a picture once incorrectly, then uploads and reads it. */
export async function uploadPicture(maya: Recorder, fileName: string): Promise<void> {
  const picture = await aPng();
  const announced = {
    purpose: 'post_image',
    contentType: 'image/png',
    sizeBytes: picture.byteLength,
    fileName,
  };
  await maya.call('presign_upload', { body: { ...announced, contentType: fileName } });
  const { uploadId, uploadUrl, headers } = await maya.call('presign_upload', { body: announced });
  const checksum = createHash('sha256').update(picture).digest('hex');
  const complete = () =>
    maya.call('complete_upload', { body: { uploadId, purpose: 'post_image', checksum } });
  await complete();
  await fetch(uploadUrl, { method: 'PUT', headers, body: new Uint8Array(picture) });
  const { assetId } = await complete();
  const { url } = await maya.call('get_download_url', { id: assetId });
  const { items } = await maya.call('get_download_urls', { body: { assetIds: [assetId] } });
  for (const signed of [uploadUrl, url, items[0].url])
    maya.keep(new URL(signed).searchParams.get('token') ?? '');
}

/** Secrets and ids of the Hub part of the journey. */
interface HubScene {
  readonly database: TestDatabase;
  readonly phoneNumber: string;
  readonly other: string;
  readonly word: string;
}

/** Creates a Hub, calls every Hub operation, some of which are refused, and leaves. */
export async function exerciseHub(maya: Recorder, guest: Recorder, keeper: HubScene): Promise<void> {
  const { word } = keeper;
  await maya.call('create_hub', { body: { name: word, customLink: word } });
  const { id } = await maya.call('create_hub', { body: { name: word, description: word } });
  await maya.call('get_hub', { id });
  await maya.call('update_hub', { id, body: { name: word, profileAssetId: word } });
  await maya.call('change_hub_link', { id, body: { customLink: word.toLowerCase() } });
  await maya.call('get_hub_settings', { id });
  await maya.call('update_hub_settings', { id, body: { contentMuted: true } });
  await maya.call('list_my_hubs');
  await maya.call('search_hubs', { query: `?q=${word}` });
  await invite(maya, guest, id, keeper);
  await ask(maya, guest, id);
  await manage(maya, id, keeper);
  await discuss(maya, id, keeper);
  await maya.call('leave_hub', { id });
  const other = await maya.call('create_hub', { body: { name: word } });
  await maya.call('close_hub', { id: word });
  await maya.call('close_hub', { id: other.id });
}

async function invite(
  maya: Recorder,
  guest: Recorder,
  id: string,
  { database, phoneNumber, other, word }: HubScene,
): Promise<void> {
  const body = { phoneNumbers: [phoneNumber, other] };
  await maya.call('create_invitations', { id, body: { phoneNumbers: [word] } });
  await whileInsertsFail(database, 'app.hub_invitations', () =>
    maya.call('create_invitations', { id, body }),
  );
  const headers = { 'idempotency-key': 'invitations-1' };
  const { items } = await maya.call('create_invitations', { id, body, headers });
  const tokens: string[] = items.map(({ inviteUrl }: Json) => tokenIn(inviteUrl));
  maya.keep(...tokens);
  await maya.call('list_invitations', { id });
  await guest.call('get_invitation', { id: word });
  for (const token of tokens) await guest.call('get_invitation', { id: token });
  await maya.call('accept_invitation', { id: items[0].id });
  await maya.call('decline_invitation', { id: items[0].id });
}

async function ask(maya: Recorder, guest: Recorder, id: string): Promise<void> {
  const link = await maya.call('create_invite_link', { id, body: {} });
  maya.keep(link.token);
  await maya.call('list_invite_links', { id });
  await guest.call('get_invite_link', { id: link.token });
  await maya.call('request_to_join', { id: link.token });
  await maya.call('list_join_requests', { id });
  await maya.call('approve_join_request', { id: [id, link.id] });
  await maya.call('reject_join_request', { id: [id, link.id] });
  await maya.call('withdraw_join_request', { id: [id, link.id] });
  await maya.call('revoke_invite_link', { id: [id, link.id] });
}

async function manage(maya: Recorder, id: string, { word }: HubScene): Promise<void> {
  const { items } = await maya.call('list_members', { id });
  const { userId } = items[0];
  await maya.call('list_members', { id, query: `?q=${word}` });
  await maya.call('list_admins', { id });
  await maya.call('add_admin', { id, body: { userId: word } });
  await maya.call('add_admin', { id, body: { userId } });
  await maya.call('remove_admin', { id: [id, userId] });
  await maya.call('remove_member', { id: [id, word] });
}

async function discuss(maya: Recorder, id: string, { database, word }: HubScene): Promise<void> {
  const post = await maya.call('create_post', {
    body: { thoughtText: word, visibility: 'private_locked_hub', hubIds: [id] },
  });
  await maya.call('get_hub_feed', { id });
  const { items } = await maya.call('list_discussions', { id });
  const discussion = [id, items[0].id];
  const say = (body: object) => maya.call('create_message', { id: discussion, body });
  await whileInsertsFail(database, 'app.messages', () => say({ text: word }));
  const { id: said } = await say({ text: word });
  await maya.call('report_message', { id: said, body: { reason: 'spam', details: word } });
  await say({ text: word, parentMessageId: word });
  await maya.call('list_messages', { id: discussion, query: `?cursor=${word}` });
  await maya.call('list_messages', { id: discussion });
  await maya.call('mark_discussion_read', { id: [id, word] });
  await maya.call('mark_discussion_read', { id: discussion });
  await maya.call('save_discussion', { id: discussion });
  await maya.call('list_saved_discussions');
  await maya.call('unsave_discussion', { id: discussion });
  await maya.call('delete_message', { id: [...discussion, word] });
  await maya.call('delete_message', { id: [...discussion, said] });
  await maya.call('remove_hub_post', { id: [id, word] });
  await maya.call('remove_hub_post', { id: [id, post.id] });
}

/** Secrets and ids of the post part of the journey. */
interface PostScene {
  readonly database: TestDatabase;
  readonly post: string;
  readonly friend: string;
  readonly word: string;
}

/** Calls every operation on a post, some of which are refused. */
export async function exercisePost(maya: Recorder, guest: Recorder, talk: PostScene): Promise<void> {
  await repost(maya, talk);
  await comment(maya, guest, talk);
  await share(maya, guest, talk);
  await save(maya, talk);
  await report(maya, talk);
}

async function repost(maya: Recorder, { database, post, word }: PostScene): Promise<void> {
  const say = (fields: object) =>
    maya.call('create_repost', { id: post, body: { thoughtText: word, visibility: 'public', ...fields } });
  await say({ article: { title: word } });
  await say({ visibility: word });
  await whileInsertsFail(database, 'app.posts', () => say({ sliderText: word }));
  const { id } = await say({ sliderText: word });
  await maya.call('create_repost', { id, body: { thoughtText: word, visibility: 'public' } });
  await maya.call('list_frames', { id: post });
  await maya.call('list_frames', { id: post, query: `?cursor=${word}` });
  await maya.call('search_posts', { query: `?q=${word}` });
  await maya.call('search_posts', { query: `?q=${word}&cursor=${word}` });
}

async function comment(maya: Recorder, guest: Recorder, { database, post, word }: PostScene): Promise<void> {
  const say = (body: unknown, headers = {}) => maya.call('create_comment', { id: post, body, headers });
  await say({ text: word, assetId: word });
  await say(`{"text": "${word}`);
  await whileInsertsFail(database, 'app.comments', () => say({ text: word }));
  await guest.call('create_comment', { id: post, body: { text: word } });
  const { id } = await say({ text: word }, { 'idempotency-key': `${word}-1` });
  await say({ text: word, parentCommentId: post });
  await maya.call('report_comment', { id, body: { reason: 'spam', details: word } });
  await say({ text: word, parentCommentId: id });
  await guest.call('list_comments', { id: post });
  await maya.call('list_comments', { id: post, query: `?parentCommentId=${word}` });
  await maya.call('delete_comment', { id: word });
  await maya.call('delete_comment', { id });
}

async function share(
  maya: Recorder,
  guest: Recorder,
  { database, post, friend, word }: PostScene,
): Promise<void> {
  const toFeed = () => maya.call('share_to_feed', { id: post });
  await whileInsertsFail(database, 'app.feed_shares', toFeed);
  await toFeed();
  await guest.call('get_profile_feed', { id: word });
  await guest.call('get_profile_feed', { id: friend, query: `?cursor=${word}` });
  await maya.call('get_profile_feed', { id: friend });
  const hub = await maya.call('create_hub', { body: { name: word } });
  await maya.call('share_to_hubs', { id: post, body: { hubIds: [word] } });
  await maya.call('share_to_hubs', { id: post, body: { hubIds: [hub.id] } });
  await maya.call('get_share_link', { id: post });
  await maya.call('get_share_link', { id: word });
  await maya.call('report_hub', { id: hub.id, body: { reason: 'spam', details: word } });
}

async function save(maya: Recorder, { post, word }: PostScene): Promise<void> {
  await maya.call('save_post', { id: word });
  await maya.call('save_post', { id: post });
  await maya.call('list_saved_posts', { query: `?cursor=${word}` });
  await maya.call('list_saved_posts');
  await maya.call('unsave_post', { id: post });
}

async function report(maya: Recorder, { database, post, friend, word }: PostScene): Promise<void> {
  const say = (id: string, reason: string) =>
    maya.call('report_user', { id, body: { reason, details: word } });
  await say(friend, word);
  await say(post, 'other');
  await whileInsertsFail(database, 'app.reports', () => say(friend, 'other'));
  await say(friend, 'other');
  await maya.call('report_post', { id: post, body: { reason: 'spam', details: word, note: word } });
  await maya.call('report_post', { id: post, body: { reason: 'spam', details: word } });
}
