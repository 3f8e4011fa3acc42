import { BookmarkFillIcon, BookmarkIcon } from '@primer/octicons-react';
import { cachePosts, done, opine, useAction, useList } from './api.ts';
import { DiscussionRow } from './hub.tsx';
import { PostCard } from './post-card.tsx';
import { Action, Items, Page, Tabs } from './ui.tsx';

const VIEWS = { '/saved': 'Posts', '/saved/discussions': 'Discussions' };

/** The posts that the person has saved. */
export function SavedPostsPage() {
  const list = useList(['saved', 'posts'], async (query) =>
    cachePosts(await opine.get('/users/me/saved-posts', { params: { query } })),
  );
  return (
    <Page title="Saved" back="/settings">
      <Tabs views={VIEWS} />
      <Items list={list} empty="You have saved no post. Nobody sees what you save.">
        {(post) => <PostCard post={post} />}
      </Items>
    </Page>
  );
}

/** The discussions that the person has saved. */
export function SavedDiscussionsPage() {
  const list = useList(['saved', 'discussions'], (query) =>
    opine.get('/users/me/saved-discussions', { params: { query } }),
  );
  return (
    <Page title="Saved" back="/settings">
      <Tabs views={VIEWS} />
      <Items list={list} empty="You have saved no discussion.">
        {(discussion) => <DiscussionRow discussion={discussion} beside={discussion.hub.name} />}
      </Items>
    </Page>
  );
}

/** Saves a discussion, or no longer does. */
export function SaveDiscussion(props: { hubId: string; discussionId: string; isSaved: boolean }) {
  const { hubId, discussionId, isSaved } = props;
  const params = { path: { hubId, discussionId } };
  const save = useAction(
    () =>
      isSaved
        ? opine.delete('/hubs/{hubId}/discussions/{discussionId}/save', { params })
        : opine.post('/hubs/{hubId}/discussions/{discussionId}/save', { params }),
    ({ saved }) =>
      done(`The discussion is ${saved ? '' : 'no longer '}saved.`, [['saved'], ['hub', hubId]])(),
  );
  return (
    <Action icon={isSaved ? BookmarkFillIcon : BookmarkIcon} run={save} aria-pressed={isSaved}>
      Save the discussion
    </Action>
  );
}
