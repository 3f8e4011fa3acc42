import { type ChangeEvent, type ReactNode, useEffect, useState } from 'react';
import { cachePosts, opine, useList } from './api.ts';
import { Field } from './form.tsx';
import { HubRow } from './hubs.tsx';
import { PersonRow, Suggestions } from './people.tsx';
import { PostCard } from './post-card.tsx';
import { createStore } from './store.ts';
import { onPersonChange } from './tokens.ts';
import { Items, Page, Tabs } from './ui.tsx';

const VIEWS = { '/people': 'People', '/search/posts': 'Posts', '/search/hubs': 'Hubs' };

// The views search for the same words.
const words = createStore('');
onPersonChange(() => words.set(''));

const PAUSE_MS = 300;

/** Returns a text once it has rested: searches per hour are limited. */
function useRested(text: string): string {
  const [rested, setRested] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return rested;
}

type SearchProps = { label: string; hint?: string; rest?: ReactNode; found: (q: string) => ReactNode };

function SearchPage({ label, hint, rest, found }: SearchProps) {
  const typed = words.use();
  const q = useRested(typed.trim());
  const onChange = ({ target }: ChangeEvent<HTMLInputElement>) => words.set(target.value);
  return (
    <Page title="Search" back="/">
      <Tabs views={VIEWS} />
      <Field label={label} hint={hint} type="search" maxLength={80} value={typed} onChange={onChange} />
      {q === '' ? rest : found(q)}
    </Page>
  );
}

/** Finds people by name or username. */
export function PeoplePage() {
  return <SearchPage label="Name or username" rest={<Suggestions />} found={(q) => <People q={q} />} />;
}

function People({ q }: { q: string }) {
  const list = useList(['people', 'found', q], (page) =>
    opine.get('/search/users', { params: { query: { q, ...page } } }),
  );
  return (
    <Items list={list} empty="Nobody has a name like that.">
      {(person) => <PersonRow person={person} />}
    </Items>
  );
}

/** Finds posts by their words. */
export function PostSearchPage() {
  const hint = 'Words, "a phrase", -without, or';
  return <SearchPage label="Words in a post" hint={hint} found={(q) => <Posts q={q} />} />;
}

function Posts({ q }: { q: string }) {
  const list = useList(['feed', 'found', q], async (page) =>
    cachePosts(await opine.get('/search/posts', { params: { query: { q, ...page } } })),
  );
  return (
    <Items list={list} empty="No post has these words.">
      {(post) => <PostCard post={post} />}
    </Items>
  );
}

/** Finds Hubs by name or link. */
export function HubSearchPage() {
  return <SearchPage label="Name or link of a Hub" found={(q) => <Hubs q={q} />} />;
}

function Hubs({ q }: { q: string }) {
  const list = useList(['hubs', 'found', q], (page) =>
    opine.get('/search/hubs', { params: { query: { q, ...page } } }),
  );
  return (
    <Items list={list} empty="No Hub has a name like that.">
      {(hub) => <HubRow hub={hub} />}
    </Items>
  );
}
