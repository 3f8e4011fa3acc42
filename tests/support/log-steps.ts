import { createHash } from 'node:crypto';
import { aPng } from './pictures.ts';
import type { Recorder } from './recorder.ts';

/** Somebody of the journey: who they are, and the words that only they know. */
export interface Words {
  readonly id: string;
  readonly username: string;
  readonly name: string;
}

/** `maya` looks for people, follows and blocks, and is refused a few times. */
export async function meetPeople(maya: Recorder, guest: Recorder, jonas: Words): Promise<void> {
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

/** `maya` uploads a picture under a name of her own, after a wrong one, and reads it. */
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
  for (const signed of [uploadUrl, url]) maya.keep(new URL(signed).searchParams.get('token') ?? '');
}
