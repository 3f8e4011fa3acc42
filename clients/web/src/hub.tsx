import { cachePosts, opine, useHub, useList } from './api.ts';
import { membersOf } from './hubs.tsx';
import { Members } from './members.tsx';
import { PostCard, pathOf } from './post-card.tsx';
import { Items, LinkButton, QueryPage, Tabs, TimeAgo } from './ui.tsx';

/** A Hub with its posts, discussions and members. */
export function HubPage({ hubId, view }: { hubId: string; view: 'posts' | 'discussions' | 'members' }) {
  const path = `/hubs/${hubId}`;
  const views = { [path]: 'Posts', [`${path}/discussions`]: 'Discussions', [`${path}/members`]: 'Members' };
  const query = useHub(hubId);
  return (
    <QueryPage query={query} title={({ name }) => name} back="/hubs">
      {(hub) =>
        hub.viewerStatus === 'member' ? (
          <>
            <p className="hint">
              {membersOf(hub.memberCount)}. {hub.description}
            </p>
            <Tabs views={views} />
            {view === 'posts' && <Posts hubId={hubId} />}
            {view === 'discussions' && <Discussions hubId={hubId} />}
            {view === 'members' && <Members hub={hub} />}
          </>
        ) : (
          <p className="empty">Only members see what is in {hub.name}.</p>
        )
      }
    </QueryPage>
  );
}

function Posts({ hubId }: { hubId: string }) {
  const list = useList(['hub', hubId, 'feed'], async (query) =>
    cachePosts(await opine.get('/hubs/{hubId}/feed', { params: { path: { hubId }, query } }), hubId),
  );
  return (
    <>
      <LinkButton to={`/hubs/${hubId}/new`}>Post in this Hub</LinkButton>
      <Items list={list} empty="No posts yet. Write the first one.">
        {(post) => <PostCard post={post} hubId={hubId} />}
      </Items>
    </>
  );
}

function Discussions({ hubId }: { hubId: string }) {
  const list = useList(['hub', hubId, 'discussions'], (query) =>
    opine.get('/hubs/{hubId}/discussions', { params: { path: { hubId }, query } }),
  );
  return (
    <Items list={list} empty="Each post here gets a discussion. There is none yet.">
      {({ id, postId, preview, messageCount, lastActivityAt, unreadCount: unread }) => (
        <a className={`card row ${unread && 'unread'}`} href={`#${pathOf({ id: postId }, hubId)}/${id}`}>
          <strong>{preview.sliderText ?? preview.articleTitle ?? preview.thoughtText ?? 'A post'}</strong>
          <small>
            {unread > 0 && <strong>{unread === 100 ? '100+' : unread} unread · </strong>}
            {messageCount === 1 ? '1 message' : `${messageCount} messages`} · <TimeAgo at={lastActivityAt} />
          </small>
        </a>
      )}
    </Items>
  );
}
