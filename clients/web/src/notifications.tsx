import type { Notification, NotificationType } from '@opine/client';
import { GearIcon } from '@primer/octicons-react';
import { opine, useAction, useList } from './api.ts';
import { refreshInbox, useBadge } from './live.ts';
import { navigate } from './router.ts';
import { Action, Avatar, Items, LinkButtons, Page, TimeAgo } from './ui.tsx';

type Texts = Partial<Record<NotificationType, (hub: string, votes: number | string) => string>>;

/** What somebody did, by group and type. A type of a later release has no text here, and nothing is `post_voted` any more. */
export const GROUPS: Readonly<Record<string, Texts>> = {
  'You and your posts': {
    post_commented: () => 'commented on your post',
    comment_replied: () => 'replied to your comment',
    user_mentioned: () => 'mentioned you',
    post_reposted: () => 'reposted your post',
    post_shared_to_feed: () => 'shared your post',
    user_followed: () => 'follows you',
    post_vote_milestone: (_, votes) => `A question has ${votes} votes now`,
  },
  'People you follow': { followed_user_posted: () => 'published a post' },
  Hubs: {
    hub_post_created: (hub) => `published a post in ${hub}`,
    post_shared_to_hub: (hub) => `shared a post into ${hub}`,
    hub_invite_received: (hub) => `invites you to ${hub}`,
    hub_join_request_created: (hub) => `wants to join ${hub}`,
    hub_join_request_approved: (hub) => `let you into ${hub}`,
    hub_join_request_rejected: (hub) => `did not let you into ${hub}`,
    hub_member_joined: (hub) => `joined ${hub}`,
    hub_member_removed: (hub) => `removed you from ${hub}`,
    hub_role_changed: (hub) => `changed your role in ${hub}`,
  },
};
const moderation_decided = () => 'A moderation decision concerns you';
const TEXTS: Texts = Object.assign({ moderation_decided }, ...Object.values(GROUPS));

/** Returns what a type of notifications is about. */
export function labelOf(type: NotificationType): string {
  return withSubject(TEXTS[type]?.('a Hub', 'hundreds of') ?? type);
}

/** Returns what happened, with a subject where the text begins with a verb. */
function withSubject(text: string): string {
  return /^[A-Z]/.test(text) ? text : `Somebody ${text}`;
}

/** The inbox. Choosing a notification marks it as read and leads to what it is about. */
export function NotificationsPage() {
  const badge = useBadge();
  const list = useList(['notifications'], (page) => opine.get('/notifications', { params: { query: page } }));
  const readAll = useAction(() => opine.patch('/notifications/read', { body: { all: true } }), refreshInbox);
  return (
    <Page title="Inbox" aside={<LinkButtons of={[['/notifications/preferences', GearIcon, 'Settings']]} />}>
      {badge > 0 && <Action run={readAll}>Mark all as read</Action>}
      <Items list={list} empty="Nothing yet. Ask something, and people will answer.">
        {(notification) => <Entry notification={notification} />}
      </Items>
    </Page>
  );
}

function Entry({ notification }: { notification: Notification }) {
  const { id, type, actor, hub, milestoneTotal, createdAt, read } = notification;
  const body = { notificationId: id };
  const markRead = useAction(() => opine.patch('/notifications/read', { body }), refreshInbox);
  const text = TEXTS[type]?.(hub?.name ?? 'a Hub', milestoneTotal ?? 'many') ?? 'Something happened';
  const open = () => {
    if (!read) markRead.mutate();
    navigate(targetOf(notification));
  };
  return (
    <button type="button" className={read ? 'card entry' : 'card entry unread'} onClick={open}>
      <Avatar name={actor.isAnonymous ? '∙' : actor.username} url={actor.profilePhotoUrl} />
      <span>
        {!actor.isAnonymous && <strong>@{actor.username} </strong>}
        {actor.isAnonymous ? withSubject(text) : text}.
        <small>
          {!read && 'New · '}
          <TimeAgo at={createdAt} />
        </small>
      </span>
    </button>
  );
}

const MEMBER_TYPES: readonly string[] = ['hub_join_request_created', 'hub_member_joined', 'hub_role_changed'];

/** Notifications of a post by their actor, which is gone with a suspended or ended account. */
const OWN_POST_TYPES: readonly string[] = ['followed_user_posted', 'hub_post_created', 'post_reposted'];

/** Returns the path of what a notification is about. */
function targetOf({ postId, hub, actor, type }: Notification): string {
  if (type === 'moderation_decided') return '/decisions';
  const isGone = actor.isAnonymous && OWN_POST_TYPES.includes(type);
  if (postId !== null && !isGone)
    return hub === null ? `/posts/${postId}` : `/hubs/${hub.id}/posts/${postId}`;
  if (type === 'hub_invite_received' || type === 'hub_member_removed') return '/hubs';
  // The requests to join stand above the members.
  if (hub !== null) return MEMBER_TYPES.includes(type) ? `/hubs/${hub.id}/members` : `/hubs/${hub.id}`;
  return actor.id === '' ? '/notifications' : `/users/${actor.id}`;
}
