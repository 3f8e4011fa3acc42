import type { Hub, HubDiscussion, SavedHubDiscussion } from '@opine/client';
import { GearIcon, PencilIcon } from '@primer/octicons-react';
import { cachePosts, opine, useHub, useList } from './api.ts';
import { membersOf, NonMember } from './hubs.tsx';
import { Invites } from './invites.tsx';
import { Members } from './members.tsx';
import { PostCard, pathOf } from './post-card.tsx';
import { Report } from './report.tsx';
import { More } from './sheet.tsx';
import { countOf, Items, LinkButton, QueryPage, Tabs, TimeAgo } from './ui.tsx';

type View = 'posts' | 'discussions' | 'members' | 'invite';

/** A Hub with its posts, discussions and members, and the ways into it. */
export function HubPage({ hubId, view }: { hubId: string; view: View }) {
  const path = `/hubs/${hubId}`;
  const views = {
    [path]: 'Posts',
    [`${path}/discussions`]: 'Discussions',
    [`${path}/members`]: 'Members',
    [`${path}/invite`]: 'Invite',
  };
  return (
    <QueryPage
      query={useHub(hubId)}
      title={({ name }) => name}
      back="/hubs"
      aside={(hub) => <Menu hub={hub} />}
    >
      {(hub) => (
        <>
          <p className="hint">{[membersOf(hub.memberCount), hub.description].filter(Boolean).join('. ')}</p>
          {hub.viewerStatus === 'member' ? (
            <>
              <Tabs views={views} />
              {view === 'posts' && <Posts hubId={hubId} />}
              {view === 'discussions' && <Discussions hubId={hubId} />}
              {view === 'members' && <Members hub={hub} />}
              {view === 'invite' && <Invites hub={hub} />}
            </>
          ) : (
            <NonMember hub={hub} />
          )}
        </>
      )}
    </QueryPage>
  );
}

function Menu({ hub: { id, name, viewerStatus } }: { hub: Hub }) {
  return (
    <More of={name}>
      {viewerStatus === 'member' && (
        <LinkButton to={`/hubs/${id}/settings`} icon={GearIcon}>
          Settings of the Hub
        </LinkButton>
      )}
      <Report kind="Hub" id={id} />
    </More>
  );
}

function Posts({ hubId }: { hubId: string }) {
  const list = useList(['hub', hubId, 'feed'], async (query) =>
    cachePosts(await opine.get('/hubs/{hubId}/feed', { params: { path: { hubId }, query } }), hubId),
  );
  return (
    <>
      <LinkButton icon={PencilIcon} to={`/hubs/${hubId}/new`}>
        Post in this Hub
      </LinkButton>
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
      {(discussion) => <DiscussionRow discussion={discussion} />}
    </Items>
  );
}

/** A discussion in a list. @param props.beside the Hub that it is in, where the list does not say so */
export function DiscussionRow(props: { discussion: HubDiscussion | SavedHubDiscussion; beside?: string }) {
  const { discussion, beside } = props;
  const { id, hubId, postId, preview, messageCount, lastActivityAt, unreadCount: unread } = discussion;
  return (
    <a className={`card row ${unread && 'unread'}`} href={`#${pathOf({ id: postId }, hubId)}/${id}`}>
      <strong>{preview.sliderText ?? preview.articleTitle ?? preview.thoughtText ?? 'A post'}</strong>
      <small>
        {beside !== undefined && `${beside} · `}
        {unread > 0 && <strong>{unread === 100 ? '100+' : unread} unread · </strong>}
        {countOf(messageCount, 'message')} · <TimeAgo at={lastActivityAt} />
      </small>
    </a>
  );
}
