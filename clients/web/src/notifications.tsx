import type { Notification, NotificationType } from '@opine/client';
import { opine, useAction, useList } from './api.ts';
import { refreshInbox, useBadge } from './live.ts';
import { navigate } from './router.ts';
import { Action, Avatar, Items, Page, TimeAgo } from './ui.tsx';

/** What happened, by type. A type of a later release has no text here. */
const TEXTS: Partial<Record<NotificationType, (notification: Notification, hub: string) => string>> = {
  post_vote_milestone: ({ milestoneTotal }) => `A question has ${milestoneTotal} votes now.`,
  post_commented: () => 'commented on your post.',
  post_reposted: () => 'reposted your post.',
  post_shared_to_feed: () => 'shared your post.',
  user_followed: () => 'follows you.',
  followed_user_posted: () => 'published a post.',
  hub_post_created: (_, hub) => `published a post in ${hub}.`,
  post_shared_to_hub: (_, hub) => `shared a post into ${hub}.`,
  hub_invite_received: (_, hub) => `invites you to ${hub}.`,
  hub_join_request_created: (_, hub) => `wants to join ${hub}.`,
  hub_join_request_approved: (_, hub) => `let you into ${hub}.`,
  hub_join_request_rejected: (_, hub) => `did not let you into ${hub}.`,
  hub_member_joined: (_, hub) => `joined ${hub}.`,
  hub_member_removed: (_, hub) => `removed you from ${hub}.`,
  hub_role_changed: (_, hub) => `changed your role in ${hub}.`,
};

/** The inbox. Choosing a notification marks it as read and leads to what it is about. */
export function NotificationsPage() {
  const badge = useBadge();
  const list = useList(['notifications'], (page) => opine.get('/notifications', { params: { query: page } }));
  const readAll = useAction(() => opine.patch('/notifications/read', { body: { all: true } }), refreshInbox);
  return (
    <Page title="Inbox" aside={badge > 0 && <Action run={readAll}>Mark all as read</Action>}>
      <Items list={list} empty="Nothing yet. Ask something, and people will answer.">
        {(notification) => <Entry notification={notification} />}
      </Items>
    </Page>
  );
}

function Entry({ notification }: { notification: Notification }) {
  const { id, type, actor, hub, createdAt, read } = notification;
  const markRead = useAction(
    () => opine.patch('/notifications/read', { body: { notificationId: id } }),
    refreshInbox,
  );
  const text = TEXTS[type]?.(notification, hub?.name ?? 'a Hub') ?? 'Something happened.';
  const open = () => {
    if (!read) markRead.mutate();
    navigate(targetOf(notification));
  };
  return (
    <button type="button" className={read ? 'card entry' : 'card entry unread'} onClick={open}>
      <Avatar name={actor.isAnonymous ? '∙' : actor.username} url={actor.profilePhotoUrl} />
      <span>
        {!actor.isAnonymous && <strong>@{actor.username} </strong>}
        {text}
        <small>
          {!read && 'New · '}
          <TimeAgo at={createdAt} />
        </small>
      </span>
    </button>
  );
}

/** Returns the path of what a notification is about. */
function targetOf({ postId, hub, actor, type }: Notification): string {
  if (postId !== null) return hub === null ? `/posts/${postId}` : `/hubs/${hub.id}/posts/${postId}`;
  if (hub !== null) return type === 'hub_invite_received' ? '/hubs' : `/hubs/${hub.id}`;
  return actor.id === '' ? '/notifications' : `/users/${actor.id}`;
}
