import type { TestDatabase } from './database.ts';
import { whileRowsAreRefused } from './outages.ts';
import type { Recorder } from './recorder.ts';

/** What the journey knows of a post and its author's friend, and what the log may not say. */
export interface Talk {
  readonly database: TestDatabase;
  readonly post: string;
  readonly friend: string;
  readonly word: string;
}

/** `maya` does with a post whatever can be done with one, and is refused a few times. */
export async function talkAbout(maya: Recorder, guest: Recorder, talk: Talk): Promise<void> {
  await repost(maya, talk);
  await comment(maya, guest, talk);
  await share(maya, guest, talk);
  await save(maya, talk);
  await report(maya, talk);
}

async function repost(maya: Recorder, { database, post, word }: Talk): Promise<void> {
  const say = (fields: object) =>
    maya.call('create_repost', { id: post, body: { thoughtText: word, visibility: 'public', ...fields } });
  await say({ article: { title: word } });
  await say({ visibility: word });
  await whileRowsAreRefused(database, 'app.posts', () => say({ sliderText: word }));
  const { id } = await say({ sliderText: word });
  await maya.call('create_repost', { id, body: { thoughtText: word, visibility: 'public' } });
  await maya.call('list_frames', { id: post });
  await maya.call('list_frames', { id: post, query: `?cursor=${word}` });
}

async function comment(maya: Recorder, guest: Recorder, { database, post, word }: Talk): Promise<void> {
  const say = (body: unknown, headers = {}) => maya.call('create_comment', { id: post, body, headers });
  await say({ text: word, assetId: word });
  await say(`{"text": "${word}`);
  await whileRowsAreRefused(database, 'app.comments', () => say({ text: word }));
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

async function share(maya: Recorder, guest: Recorder, { database, post, friend, word }: Talk): Promise<void> {
  const toFeed = () => maya.call('share_to_feed', { id: post });
  await whileRowsAreRefused(database, 'app.feed_shares', toFeed);
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

async function save(maya: Recorder, { post, word }: Talk): Promise<void> {
  await maya.call('save_post', { id: word });
  await maya.call('save_post', { id: post });
  await maya.call('list_saved_posts', { query: `?cursor=${word}` });
  await maya.call('list_saved_posts');
  await maya.call('unsave_post', { id: post });
}

async function report(maya: Recorder, { database, post, friend, word }: Talk): Promise<void> {
  const say = (id: string, reason: string) =>
    maya.call('report_user', { id, body: { reason, details: word } });
  await say(friend, word);
  await say(post, 'other');
  await whileRowsAreRefused(database, 'app.reports', () => say(friend, 'other'));
  await say(friend, 'other');
  await maya.call('report_post', { id: post, body: { reason: 'spam', details: word, note: word } });
  await maya.call('report_post', { id: post, body: { reason: 'spam', details: word } });
}
