import { SearchIcon } from '@primer/octicons-react';
import { useLayoutEffect } from 'react';
import { cachePosts, opine, useList } from './api.ts';
import { Suggestions } from './people.tsx';
import { PostCard } from './post-card.tsx';
import { onPersonChange, useUserId } from './tokens.ts';
import { Items, LinkButtons, Page, Tabs } from './ui.tsx';

const positions = new Map<string, number>();
onPersonChange(() => positions.clear());

/** The home feed. A guest sees the posts of the default feed. */
export function Feed({ sort }: { sort: 'recent' | 'trending' }) {
  const isGuest = useUserId() === null;
  const list = useList(
    ['feed', sort],
    async (page) => cachePosts(await opine.get('/posts', { params: { query: { sort, ...page } } })),
    {
      // New posts come in by themselves at the top. Farther down they would push away what one reads.
      refetchOnMount: ({ state }) => state.isInvalidated || isOnePage(state.data),
      refetchInterval: ({ state }) => isOnePage(state.data) && scrollY < 200 && 5_000,
    },
  );
  // A page starts at its top, except for the feed, which goes on where one left it.
  useLayoutEffect(() => {
    scrollTo(0, positions.get(sort) ?? 0);
    return () => void positions.set(sort, scrollY);
  }, [sort]);
  return (
    <Page title="Opine" aside={<LinkButtons of={[['/people', SearchIcon, 'Search']]} />}>
      {isGuest && (
        <p className="card hint">
          This is what people ask. <a href="#/sign-in">Sign in</a> to vote, and to ask something yourself.
        </p>
      )}
      <Tabs views={{ '/': 'Recent', '/trending': 'Trending' }} />
      <Items
        list={list}
        empty={
          <>
            Nothing yet. <a href="#/people">Find people to follow</a>, or <a href="#/new">ask something</a>.
          </>
        }
      >
        {(post) => <PostCard post={post} />}
      </Items>
      {list.isSuccess && list.items.length === 0 && <Suggestions />}
    </Page>
  );
}

function isOnePage(data: unknown): boolean {
  return (data as { pages: unknown[] } | undefined)?.pages.length === 1;
}
