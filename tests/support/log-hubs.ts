import type { Json } from './client.ts';
import type { TestDatabase } from './database.ts';
import { tokenIn } from './hubs.ts';
import { whileRowsAreRefused } from './outages.ts';
import type { Recorder } from './recorder.ts';

/** What the journey knows of who keeps a Hub, and what the log may not say. */
export interface Keeper {
  readonly database: TestDatabase;
  readonly phoneNumber: string;
  readonly other: string;
  readonly word: string;
}

/** `maya` founds a Hub, does there what there is to do, is refused a few times, and leaves it. */
export async function keepHub(maya: Recorder, guest: Recorder, keeper: Keeper): Promise<void> {
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
}

async function invite(
  maya: Recorder,
  guest: Recorder,
  id: string,
  { database, phoneNumber, other, word }: Keeper,
): Promise<void> {
  const body = { phoneNumbers: [phoneNumber, other] };
  await maya.call('create_invitations', { id, body: { phoneNumbers: [word] } });
  await whileRowsAreRefused(database, 'app.hub_invitations', () =>
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
  await maya.call('revoke_invite_link', { id: [id, link.id] });
}

async function manage(maya: Recorder, id: string, { word }: Keeper): Promise<void> {
  const { items } = await maya.call('list_members', { id });
  const { userId } = items[0];
  await maya.call('list_members', { id, query: `?q=${word}` });
  await maya.call('list_admins', { id });
  await maya.call('add_admin', { id, body: { userId: word } });
  await maya.call('add_admin', { id, body: { userId } });
  await maya.call('remove_admin', { id: [id, userId] });
  await maya.call('remove_member', { id: [id, word] });
}

async function discuss(maya: Recorder, id: string, { database, word }: Keeper): Promise<void> {
  await maya.call('create_post', {
    body: { thoughtText: word, visibility: 'private_locked_hub', hubIds: [id] },
  });
  await maya.call('get_hub_feed', { id });
  const { items } = await maya.call('list_discussions', { id });
  const discussion = [id, items[0].id];
  const say = (body: object) => maya.call('create_message', { id: discussion, body });
  await whileRowsAreRefused(database, 'app.messages', () => say({ text: word }));
  const { id: said } = await say({ text: word });
  await maya.call('report_message', { id: said, body: { reason: 'spam', details: word } });
  await say({ text: word, parentMessageId: word });
  await maya.call('list_messages', { id: discussion, query: `?cursor=${word}` });
  await maya.call('list_messages', { id: discussion });
  await maya.call('save_discussion', { id: discussion });
  await maya.call('list_saved_discussions');
  await maya.call('unsave_discussion', { id: discussion });
}
