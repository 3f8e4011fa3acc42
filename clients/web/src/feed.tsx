import { useState } from 'react';
import { keepPosts, opine, queries, useList } from './api.ts';
import { PostCard } from './post-card.tsx';
import { useUserId } from './tokens.ts';
import { Button, Items, Page, Tabs } from './ui.tsx';

const SORTS = { recent: 'Recent', trending: 'Trending' } as const;
type Sort = keyof typeof SORTS;

// Which feed one was in, for the way back.
let lastSort: Sort = 'recent';

/** The home feed. A guest sees the posts of the default feed. */
export function Feed() {
  const [sort, setSort] = useState<Sort>(lastSort);
  const userId = useUserId();
  const choose = (next: Sort) => {
    lastSort = next;
    setSort(next);
  };
  return (
    <Page
      title="Opine"
      aside={
        <a className="button quiet" href="#/people">
          People
        </a>
      }
    >
      {userId === null && (
        <p className="card hint">
          Here is what people ask. <a href="#/sign-in">Sign in</a> to vote, and to ask something yourself.
        </p>
      )}
      <Tabs label="Order" views={SORTS} current={sort} onChange={choose} />
      <FeedList key={sort} sort={sort} />
    </Page>
  );
}

function FeedList({ sort }: { sort: Sort }) {
  const userId = useUserId();
  const queryKey = ['feed', sort];
  const list = useList(
    queryKey,
    async (page) => keepPosts(await opine.get('/posts', { params: { query: { sort, ...page } } })),
    {
      // New posts come in by themselves at the top. Farther down they would push away what one reads.
      refetchInterval: ({ state }) => isOnePage(state.data) && scrollY < 200 && 5_000,
    },
  );
  const isFurtherDown = list.data !== undefined && list.data.pages.length > 1;
  return (
    <>
      {isFurtherDown && (
        <p className="to-top">
          <Button
            kind="quiet"
            onClick={() => {
              scrollTo(0, 0);
              void queries.resetQueries({ queryKey });
            }}
          >
            Newest posts
          </Button>
        </p>
      )}
      <Items
        list={list}
        idOf={({ id }) => id}
        empty={
          userId === null ? (
            <p>Nobody has asked anything yet.</p>
          ) : (
            <p>
              Nothing here yet. <a href="#/people">Find people to follow</a> or{' '}
              <a href="#/new">ask something</a>.
            </p>
          )
        }
      >
        {(post) => <PostCard post={post} />}
      </Items>
    </>
  );
}

function isOnePage(data: unknown): boolean {
  return (data as { pages: unknown[] } | undefined)?.pages.length === 1;
}
