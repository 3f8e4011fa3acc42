import type { ListedPerson, OwnProfile, PublicProfile } from '@opine/client';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useDeferredValue, useState } from 'react';
import { keepPosts, opine, refresh, useList, useMe } from './api.ts';
import { PicturePicker } from './media.tsx';
import { say } from './notices.ts';
import { PostCard } from './post-card.tsx';
import { navigate } from './router.ts';
import { useUserId } from './tokens.ts';
import { Avatar, Button, Field, Form, Items, Loading, Page, Person, Problem, Tabs } from './ui.tsx';

const keyOf = (userId: string) => ['profile', userId];

/** The profile of a person with their posts. One's own can be changed. */
export function ProfilePage({ userId }: { userId: string }) {
  const isOwn = useUserId() === userId;
  const {
    data: profile,
    error,
    refetch,
  } = useQuery({
    queryKey: keyOf(userId),
    queryFn: () => opine.get('/users/{userId}/profile', { params: { path: { userId } } }),
    // Before onboarding one has no public profile.
    enabled: !isOwn || undefined,
  });
  if (profile === undefined) {
    return (
      <Page title="Profile" back="/">
        {error === null ? <Loading /> : <Problem error={error} retry={refetch} />}
        {isOwn && error !== null && <SignOut />}
      </Page>
    );
  }
  return (
    <Page title={profile.name} back="/">
      <Head profile={profile} />
      {isOwn ? (
        <Own />
      ) : profile.viewer?.blocking ? (
        <Unblock profile={profile} />
      ) : (
        <Follow profile={profile} />
      )}
      <Views userId={userId} />
    </Page>
  );
}

function Head({ profile }: { profile: PublicProfile }) {
  const { name, username, bio, profilePhotoUrl, counts, activity, viewer } = profile;
  return (
    <div className="head">
      <Avatar name={name} url={profilePhotoUrl} isLarge />
      <div>
        <p>
          @{username} {viewer?.followedBy === true && <small>follows you</small>}
        </p>
        {bio !== null && <p className="text">{bio}</p>}
        <p className="hint">
          {counts.followers} followers · {counts.following} following · {activity.posts} posts ·{' '}
          {activity.votes} votes
        </p>
      </div>
    </div>
  );
}

function Follow({ profile: { id, name, viewer } }: { profile: PublicProfile }) {
  const params = { path: { userId: id } };
  const follow = useMutation({
    mutationFn: () =>
      viewer?.follows === true
        ? opine.delete('/users/{userId}/follow', { params })
        : opine.post('/users/{userId}/follow', { params }),
    onSuccess: ({ following }) => {
      refresh(keyOf(id), ['feed']);
      say(following ? `You follow ${name}.` : `You no longer follow ${name}.`);
    },
  });
  const mute = useMutation({
    mutationFn: (publicPostsMuted: boolean) =>
      opine.patch('/users/{userId}/notification-settings', { params, body: { publicPostsMuted } }),
    onSuccess: () => refresh(keyOf(id)),
  });
  const block = useMutation({
    mutationFn: () => opine.post('/users/{userId}/block', { params }),
    onSuccess: () => refresh(keyOf(id), ['feed']),
  });
  return (
    <div className="actions">
      <Button kind="loud" onClick={() => follow.mutate()} disabled={follow.isPending}>
        {viewer?.follows === true ? 'Unfollow' : 'Follow'}
      </Button>
      {viewer?.follows === true && (
        <Button
          kind="quiet"
          pressed={!viewer.publicPostsMuted}
          onClick={() => mute.mutate(!viewer.publicPostsMuted)}
        >
          Tell me of posts
        </Button>
      )}
      {viewer !== null && (
        <Button kind="quiet" onClick={() => block.mutate()}>
          Block
        </Button>
      )}
    </div>
  );
}

function Unblock({ profile: { id } }: { profile: PublicProfile }) {
  const unblock = useMutation({
    mutationFn: () => opine.delete('/users/{userId}/block', { params: { path: { userId: id } } }),
    onSuccess: () => refresh(keyOf(id), ['feed']),
  });
  return (
    <div className="actions">
      <Button onClick={() => unblock.mutate()}>Unblock</Button>
    </div>
  );
}

/** What one does with one's own account. */
function Own() {
  const { data: me } = useMe();
  const [isEditing, setEditing] = useState(false);
  return (
    <>
      <div className="actions">
        <Button pressed={isEditing} onClick={() => setEditing(!isEditing)}>
          Edit
        </Button>
        <SignOut />
      </div>
      {isEditing && me !== undefined && <Edit me={me} onDone={() => setEditing(false)} />}
    </>
  );
}

function SignOut() {
  const signOut = useMutation({ mutationFn: () => opine.signOut(), onSettled: () => navigate('/') });
  return (
    <Button kind="quiet" onClick={() => signOut.mutate()}>
      Sign out
    </Button>
  );
}

function Edit({ me, onDone }: { me: OwnProfile; onDone: () => void }) {
  const [profileAssetId, setPhoto] = useState<string | null>(null);
  const save = useMutation({
    mutationFn: ({ fullName = '', username = '', bio = '' }: Record<string, string>) =>
      opine.patch('/users/me/profile', {
        body: { fullName, username, bio: bio || null, ...(profileAssetId !== null && { profileAssetId }) },
      }),
    onSuccess: () => {
      refresh(['me'], keyOf(me.id), ['feed']);
      say('Your profile is changed.');
      onDone();
    },
  });
  return (
    <Form label="Your profile" onSubmit={(fields) => save.mutate(fields)}>
      <Field label="Your name">
        <input name="fullName" defaultValue={me.fullName ?? ''} minLength={2} maxLength={80} required />
      </Field>
      <Field label="Username">
        <input name="username" defaultValue={me.username ?? ''} pattern="[a-z0-9_]{3,30}" required />
      </Field>
      <Field label="About you">
        <textarea name="bio" defaultValue={me.bio ?? ''} maxLength={160} rows={2} />
      </Field>
      <PicturePicker
        label={profileAssetId === null ? 'Another photo' : 'The photo is uploaded'}
        purpose="profile_photo"
        onUploaded={({ assetId }) => setPhoto(assetId)}
      />
      <Button type="submit" kind="loud" disabled={save.isPending}>
        Save
      </Button>
    </Form>
  );
}

const VIEWS = { posts: 'Posts', followers: 'Followers', following: 'Following' } as const;

function Views({ userId }: { userId: string }) {
  const [view, setView] = useState<keyof typeof VIEWS>('posts');
  return (
    <>
      <Tabs label="Show" views={VIEWS} current={view} onChange={setView} />
      {view === 'posts' ? <Posts userId={userId} /> : <Follows key={view} userId={userId} of={view} />}
    </>
  );
}

function Posts({ userId }: { userId: string }) {
  const params = { path: { userId } };
  const list = useList([...keyOf(userId), 'feed'], async (query) =>
    keepPosts(await opine.get('/users/{userId}/feed', { params: { ...params, query } })),
  );
  return (
    <Items list={list} idOf={({ id }) => id} empty={<p>No public posts yet.</p>}>
      {(post) => <PostCard post={post} />}
    </Items>
  );
}

function Follows({ userId, of }: { userId: string; of: 'followers' | 'following' }) {
  const params = { path: { userId } };
  const list = useList<ListedPerson>([...keyOf(userId), of], (query) =>
    of === 'followers'
      ? opine.get('/users/{userId}/followers', { params: { ...params, query } })
      : opine.get('/users/{userId}/following', { params: { ...params, query } }),
  );
  return (
    <Items list={list} idOf={({ id }) => id} empty={<p>Nobody yet.</p>}>
      {(person) => <Person person={person}>{person.viewerFollows && '· you follow'}</Person>}
    </Items>
  );
}

/** Finds people by name or username. */
export function PeoplePage() {
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  return (
    <Page title="Find people" back="/">
      <Field label="Name or username">
        <input type="search" maxLength={80} value={typed} onChange={({ target }) => setTyped(target.value)} />
      </Field>
      {q !== '' && <Found key={q} q={q} />}
    </Page>
  );
}

function Found({ q }: { q: string }) {
  const list = useList(['people', q], (page) =>
    opine.get('/search/users', { params: { query: { q, ...page } } }),
  );
  return (
    <Items list={list} idOf={({ id }) => id} empty={<p>Nobody has a name like that.</p>}>
      {(person) => <Person person={person}>{person.viewerFollows === true && '· you follow'}</Person>}
    </Items>
  );
}
