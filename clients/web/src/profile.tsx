import type { PublicProfile } from '@opine/client';
import { type ChangeEvent, useDeferredValue, useState } from 'react';
import { cachePosts, done, invalidate, opine, useAction, useList, useRead } from './api.ts';
import { announce } from './notices.ts';
import { PostCard } from './post-card.tsx';
import { useUserId } from './tokens.ts';
import { Action, Field, Items, Page, Person, QueryPage } from './ui.tsx';

/** The profile of a person with their posts. One's own can be changed. */
export function ProfilePage({ path }: { path: { userId: string } | { username: string } }) {
  const ownId = useUserId();
  const query = useRead(['profile', path], () =>
    'userId' in path
      ? opine.get('/users/{userId}/profile', { params: { path } })
      : opine.get('/users/by-username/{username}', { params: { path } }),
  );
  const signOut = useAction(() => opine.signOut(), done('You are signed out.', [], '/'));
  return (
    <QueryPage query={query} title={({ name }) => name} back="/">
      {(profile) => (
        <>
          <Head profile={profile} />
          <div className="actions">
            {profile.id === ownId ? <Action run={signOut}>Sign out</Action> : <Follow profile={profile} />}
          </div>
          <Posts userId={profile.id} />
        </>
      )}
    </QueryPage>
  );
}

function Head({ profile }: { profile: PublicProfile }) {
  const { bio, counts, activity, viewer } = profile;
  return (
    <div className="card">
      <Person person={profile}>{viewer?.followedBy === true && '· follows you'}</Person>
      {bio !== null && <p className="text">{bio}</p>}
      <p className="hint">
        {counts.followers} followers · {counts.following} following · {activity.votes} votes
      </p>
    </div>
  );
}

function Follow({ profile: { id, name, viewer } }: { profile: PublicProfile }) {
  const params = { path: { userId: id } };
  const isFollowed = viewer?.follows === true;
  const follow = useAction(
    () =>
      isFollowed
        ? opine.delete('/users/{userId}/follow', { params })
        : opine.post('/users/{userId}/follow', { params }),
    ({ following }) => {
      invalidate(['profile'], ['feed']);
      announce(following ? `You follow ${name}.` : `You no longer follow ${name}.`);
    },
  );
  return (
    <Action isLoud run={follow}>
      {isFollowed ? 'Unfollow' : 'Follow'}
    </Action>
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

/** Finds people by name or username. */
export function PeoplePage() {
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const find = (page: object) => opine.get('/search/users', { params: { query: { q, ...page } } });
  const list = useList(['people', q], find, { enabled: q !== '' });
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => setTyped(target.value);
  return (
    <Page title="Find people" back="/">
      <Field label="Name or username" type="search" maxLength={80} value={typed} onChange={onChange} />
      {q !== '' && (
        <Items list={list} empty="Nobody has a name like that.">
          {(person) => <Person person={person}>{person.viewerFollows === true && '· you follow'}</Person>}
        </Items>
      )}
    </Page>
  );
}
