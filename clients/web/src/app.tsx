import { onlineManager } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { Composer, Repost } from './composer.tsx';
import { Feed } from './feed.tsx';
import { HubPage } from './hub.tsx';
import { HubsPage, InvitationPage, InviteLinkPage, NewHubPage } from './hubs.tsx';
import { useBadge, useLiveEvents } from './live.ts';
import { dismiss, useNotice } from './notices.ts';
import { NotificationsPage } from './notifications.tsx';
import { PostPage } from './post-page.tsx';
import { PreferencesPage } from './preferences.tsx';
import { PeoplePage, ProfilePage } from './profile.tsx';
import { match, type Routes, usePath } from './router.ts';
import { OnboardingPage, SignInPage } from './session.tsx';
import { useUserId } from './tokens.ts';
import { Button, Page } from './ui.tsx';

const ROUTES: Routes = {
  '/': () => <Feed sort="recent" />,
  '/trending': () => <Feed sort="trending" />,
  '/sign-in': () => <SignInPage />,
  '/onboarding': () => <OnboardingPage />,
  '/new': () => <Composer />,
  '/posts/:postId': (postId) => <PostPage postId={postId} />,
  '/posts/:postId/repost': (postId) => <Repost postId={postId} />,
  '/people': () => <PeoplePage />,
  '/people/:username': (username) => <ProfilePage path={{ username }} />,
  '/users/:userId': (userId) => <ProfilePage path={{ userId }} />,
  '/notifications': () => <NotificationsPage />,
  '/notifications/preferences': () => <PreferencesPage />,
  '/hubs': () => <HubsPage />,
  '/hubs/new': () => <NewHubPage />,
  '/hubs/:hubId': (hubId) => <HubPage hubId={hubId} view="posts" />,
  '/hubs/:hubId/discussions': (hubId) => <HubPage hubId={hubId} view="discussions" />,
  '/hubs/:hubId/members': (hubId) => <HubPage hubId={hubId} view="members" />,
  '/hubs/:hubId/new': (hubId) => <Composer hubId={hubId} />,
  '/hubs/:hubId/posts/:postId': (hubId, postId) => <PostPage postId={postId} hubId={hubId} />,
  '/hubs/:hubId/posts/:postId/:discussionId': (hubId, postId, discussionId) => (
    <PostPage postId={postId} hubId={hubId} discussionId={discussionId} />
  ),
  '/invitations/:token': (token) => <InvitationPage token={token} />,
  '/join/:token': (token) => <InviteLinkPage token={token} />,
};

/** Pages that a guest signs in for first. */
const FOR_MEMBERS = /^\/(new|hubs|notifications|onboarding)|\/repost$/;

/** The app: the page of the current path, the tabs below, and the lines that say what happened. */
export function App() {
  const path = usePath();
  const userId = useUserId();
  useLiveEvents();
  const page = userId === null && FOR_MEMBERS.test(path) ? <SignInPage /> : match(ROUTES, path);
  return (
    <>
      <button type="button" className="skip" onClick={() => document.querySelector('h1')?.focus()}>
        Skip to the content
      </button>
      {/* The key starts a page anew for another path or person. */}
      <div key={`${userId} ${path}`}>{page ?? <Page title="There is no such page" back="/" />}</div>
      <NoticeLine />
      <TabBar path={path} userId={userId} />
    </>
  );
}

const OFFLINE = { text: 'You are offline. Opine goes on when you are back.', isError: true };

/** What happened last, and that one is offline. Screen readers watch only regions that were there before their text. */
function NoticeLine() {
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
  const last = useNotice();
  const notice = isOnline ? last : OFFLINE;
  const line = notice !== null && (
    <p className="notice">
      {notice.text}
      {notice === last && notice.isError && <Button onClick={dismiss}>OK</Button>}
    </p>
  );
  return (
    <div className="notices">
      <div role="status">{notice?.isError === false && line}</div>
      <div role="alert">{notice?.isError === true && line}</div>
    </div>
  );
}

function TabBar({ path, userId }: { path: string; userId: string | null }) {
  const badge = useBadge();
  const profile = userId === null ? '/sign-in' : `/users/${userId}`;
  const tabs = [
    ['/', '⌂', 'Home'],
    ['/hubs', '◎', 'Hubs'],
    ['/new', '+', 'Post'],
    ['/notifications', '◔', 'Inbox'],
    [profile, '☺', userId === null ? 'Sign in' : 'Profile'],
  ] as const;
  return (
    <nav className="tab-bar" aria-label="Main">
      {tabs.map(([to, icon, name]) => (
        <a key={name} href={`#${to}`} aria-current={path === to ? 'page' : undefined}>
          <span aria-hidden="true">{icon}</span>
          {name}
          {name === 'Inbox' && badge > 0 && (
            <span className="badge">
              {badge}
              <span className="unseen"> unread</span>
            </span>
          )}
        </a>
      ))}
    </nav>
  );
}
