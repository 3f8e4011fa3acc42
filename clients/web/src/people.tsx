import { createOpine, type UserLite } from '@opine/client';
import { useDeferredValue, useState } from 'react';
import { done, opine, useAction, useList, useRead } from './api.ts';
import { Field } from './form.tsx';
import { useUserId } from './tokens.ts';
import { Action, Items, Page, Person } from './ui.tsx';

/** What changes with whom one follows. */
const OUTDATED = [['profile'], ['feed'], ['people'], ['suggestions']];

/** Follows a person or no longer does. */
export function Follow(props: { id: string; name: string; isFollowed: boolean; isLoud?: boolean }) {
  const { id, name, isFollowed, isLoud = false } = props;
  const params = { path: { userId: id } };
  const follow = useAction(
    () =>
      isFollowed
        ? opine.delete('/users/{userId}/follow', { params })
        : opine.post('/users/{userId}/follow', { params }),
    ({ following }) => done(`You ${following ? '' : 'no longer '}follow ${name}.`, OUTDATED)(),
  );
  return (
    <Action isLoud={isLoud && !isFollowed} run={follow}>
      {isFollowed ? 'Unfollow' : 'Follow'}
      <span className="unseen"> {name}</span>
    </Action>
  );
}

type Listed = Omit<UserLite, 'isAnonymous'> & { viewerFollows?: boolean | undefined };

/** A person in a list, with a button that follows them. */
export function PersonRow({ person }: { person: Listed }) {
  const isSelf = person.id === useUserId();
  return (
    <div className="row list-row">
      <Person person={person} />
      {!isSelf && person.id !== '' && person.viewerFollows !== undefined && (
        <Follow id={person.id} name={person.name} isFollowed={person.viewerFollows} />
      )}
    </div>
  );
}

/** The followers of a person, or whom they follow, with a search among them. */
export function FollowsPage({ userId, view }: { userId: string; view: 'followers' | 'following' }) {
  const [typed, setTyped] = useState('');
  const q = useDeferredValue(typed.trim());
  const list = useList(['people', view, userId, q], (page) => {
    const init = { params: { path: { userId }, query: { ...page, ...(q !== '' && { q }) } } };
    return view === 'followers'
      ? opine.get('/users/{userId}/followers', init)
      : opine.get('/users/{userId}/following', init);
  });
  return (
    <Page title={view === 'followers' ? 'Followers' : 'Following'} back={`/users/${userId}`}>
      <Field
        label="Find among them"
        type="search"
        maxLength={80}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <Items list={list} empty="Nobody here.">
        {(person) => <PersonRow person={person} />}
      </Items>
    </Page>
  );
}

// The default feed, which guests see, is of people whom the staff recommend.
const guest = createOpine({ baseUrl: location.origin });

/** Returns people whom one may want to follow: authors of the default feed and members of one's Hubs. */
async function readSuggestions(userId: string | null): Promise<Listed[]> {
  const { items: posts } = await guest.get('/posts', { params: { query: { limit: 50 } } });
  const found = new Map<string, Listed>(posts.map(({ author }) => [author.id, author]));
  found.delete('');
  if (userId !== null) {
    for (const person of await coMembers()) found.set(person.id, person);
    const params = { path: { userId }, query: { limit: 100 } };
    for await (const { id } of opine.items('/users/{userId}/following', { params })) found.delete(id);
    const blocks = opine.items('/users/me/blocks', { params: { query: { limit: 100 } } });
    for await (const { id } of blocks) found.delete(id);
    found.delete(userId);
  }
  return [...found.values()].slice(0, 8);
}

async function coMembers(): Promise<Listed[]> {
  const { items: hubs } = await opine.get('/users/me/hubs', { params: { query: { limit: 3 } } });
  const joined = hubs.filter(({ viewerStatus }) => viewerStatus === 'member');
  const lists = joined.map(({ id }) =>
    opine.get('/hubs/{hubId}/members', { params: { path: { hubId: id }, query: { limit: 10 } } }),
  );
  const members = (await Promise.all(lists)).flatMap(({ items }) => items);
  return members.map(({ userId, displayName, ...rest }) => ({ ...rest, id: userId, name: displayName }));
}

/** People whom the person may want to follow; nothing where there are none. */
export function Suggestions() {
  const userId = useUserId();
  const { data = [] } = useRead(['suggestions', userId], () => readSuggestions(userId), {
    staleTime: 60_000,
  });
  if (data.length === 0) return null;
  return (
    <section className="card" aria-labelledby="suggestions">
      <h2 id="suggestions">People you may like</h2>
      <ul className="items">
        {data.map((person) => (
          <li key={person.id}>
            <PersonRow person={{ ...person, viewerFollows: false }} />
          </li>
        ))}
      </ul>
    </section>
  );
}
