import type { PublicProfile } from '@opine/client';
import { BellIcon, BellSlashIcon, BookmarkIcon, GearIcon, PencilIcon } from '@primer/octicons-react';
import { cachePosts, done, invalidate, opine, useAction, useList, useRead } from './api.ts';
import { Follow } from './people.tsx';
import { PostCard } from './post-card.tsx';
import { Block, Report } from './report.tsx';
import { More, SheetAction } from './sheet.tsx';
import { useUserId } from './tokens.ts';
import { Action, Avatar, countOf, Items, LinkButtons, QueryPage } from './ui.tsx';

/** The profile of a person with their posts. One's own leads to what one can change. */
export function ProfilePage({ path }: { path: { userId: string } | { username: string } }) {
  const ownId = useUserId();
  const query = useRead(['profile', path], () =>
    'userId' in path
      ? opine.get('/users/{userId}/profile', { params: { path } })
      : opine.get('/users/by-username/{username}', { params: { path } }),
  );
  return (
    <QueryPage
      query={query}
      title={({ name }) => name}
      back="/"
      aside={(profile) => profile.id !== ownId && <Menu profile={profile} />}
    >
      {(profile) => (
        <>
          <Head profile={profile} />
          <div className="actions">
            {profile.id === ownId ? <LinkButtons of={OWN_ACTIONS} /> : <Relation profile={profile} />}
          </div>
          <Posts userId={profile.id} />
        </>
      )}
    </QueryPage>
  );
}

function Head({ profile }: { profile: PublicProfile }) {
  const { id, name, username, bio, counts, activity, viewer, profilePhotoUrl, adminHubs } = profile;
  return (
    <div className="card">
      <div className="person large">
        <Avatar name={name} url={profilePhotoUrl} />
        <span>
          <strong>{name}</strong>
          <small>
            @{username}
            {viewer?.followedBy === true && ' · follows you'}
          </small>
        </span>
      </div>
      {bio !== null && <p className="text">{bio}</p>}
      <p className="counts">
        <a href={`#/users/${id}/followers`}>{countOf(counts.followers, 'follower')}</a>
        <a href={`#/users/${id}/following`}>{counts.following} following</a>
        <span>{countOf(activity.posts, 'post')}</span>
        <span>{countOf(activity.votes, 'vote')}</span>
      </p>
      {adminHubs.length > 0 && <p className="hint">Leads {adminHubs.map((hub) => hub.name).join(', ')}</p>}
    </div>
  );
}

const OWN_ACTIONS = [
  ['/settings/profile', PencilIcon, 'Edit'],
  ['/saved', BookmarkIcon, 'Saved'],
  ['/settings', GearIcon, 'Settings'],
] as const;

function Relation({ profile: { id, name, viewer } }: { profile: PublicProfile }) {
  if (viewer?.blocking === true) return <Unblock id={id} name={name} />;
  return <Follow id={id} name={name} isFollowed={viewer?.follows === true} isLoud />;
}

/** Ends a block. */
export function Unblock({ id, name }: { id: string; name: string }) {
  const unblock = useAction(
    () => opine.delete('/users/{userId}/block', { params: { path: { userId: id } } }),
    done(`${name} is no longer blocked.`, [['profile'], ['blocks'], ['feed'], ['people'], ['suggestions']]),
  );
  return (
    <Action run={unblock}>
      Unblock<span className="unseen"> {name}</span>
    </Action>
  );
}

function Menu({ profile: { id, name, viewer } }: { profile: PublicProfile }) {
  return (
    <More of={name}>
      {viewer?.follows === true && <Alerts userId={id} isMuted={viewer.publicPostsMuted} />}
      <Report kind="person" id={id} />
      {viewer?.blocking !== true && <Block id={id} name={name} />}
    </More>
  );
}

/** Mutes the notifications of what a followed person publishes. */
function Alerts({ userId, isMuted }: { userId: string; isMuted: boolean }) {
  const turn = useAction(
    () =>
      opine.patch('/users/{userId}/notification-settings', {
        params: { path: { userId } },
        body: { publicPostsMuted: !isMuted },
      }),
    () => invalidate(['profile']),
  );
  return (
    <SheetAction icon={isMuted ? BellIcon : BellSlashIcon} run={turn}>
      {isMuted ? 'Notify me of new posts' : 'Do not notify me of new posts'}
    </SheetAction>
  );
}

function Posts({ userId }: { userId: string }) {
  const list = useList(['profile', userId, 'feed'], async (query) =>
    cachePosts(await opine.get('/users/{userId}/feed', { params: { path: { userId }, query } })),
  );
  return (
    <Items list={list} empty="No public posts yet.">
      {(post) => <PostCard post={post} />}
    </Items>
  );
}
