import { BellIcon, HomeIcon, PeopleIcon, PersonIcon, PlusIcon } from '@primer/octicons-react';
import { onlineManager } from '@tanstack/react-query';
import { Component, type ReactNode, useSyncExternalStore } from 'react';
import { Composer, Repost } from './composer.tsx';
import { Feed } from './feed.tsx';
import { HubPage } from './hub.tsx';
import { HubSettingsPage } from './hub-settings.tsx';
import { HubsPage, InvitationPage, InviteLinkPage, NewHubPage } from './hubs.tsx';
import { useBadge, useLiveEvents } from './live.ts';
import { DecisionsPage, ReportsPage } from './moderation.tsx';
import { dismiss, useNotice } from './notices.ts';
import { NotificationsPage } from './notifications.tsx';
import { FollowsPage } from './people.tsx';
import { FramesPage, PostPage } from './post-page.tsx';
import { PreferencesPage } from './preferences.tsx';
import { ProfilePage } from './profile.tsx';
import { match, type Routes, usePath } from './router.ts';
import { SavedDiscussionsPage, SavedPostsPage } from './saved.tsx';
import { HubSearchPage, PeoplePage, PostSearchPage } from './search.tsx';
import { OnboardingPage, SignInPage } from './session.tsx';
import { BlocksPage, SessionsPage } from './sessions.tsx';
import { EditProfilePage, HubProfilePage, PhonePage, SettingsPage } from './settings.tsx';
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
  '/posts/:postId/frames': (postId) => <FramesPage postId={postId} />,
  '/people': () => <PeoplePage />,
  '/search/posts': () => <PostSearchPage />,
  '/search/hubs': () => <HubSearchPage />,
  '/people/:username': (username) => <ProfilePage path={{ username }} />,
  '/users/:userId': (userId) => <ProfilePage path={{ userId }} />,
  '/users/:userId/followers': (userId) => <FollowsPage userId={userId} view="followers" />,
  '/users/:userId/following': (userId) => <FollowsPage userId={userId} view="following" />,
  '/saved': () => <SavedPostsPage />,
  '/saved/discussions': () => <SavedDiscussionsPage />,
  '/decisions': () => <DecisionsPage />,
  '/reports': () => <ReportsPage />,
  '/settings': () => <SettingsPage />,
  '/settings/profile': () => <EditProfilePage />,
  '/settings/hub-profile': () => <HubProfilePage />,
  '/settings/phone': () => <PhonePage />,
  '/settings/sessions': () => <SessionsPage />,
  '/settings/blocks': () => <BlocksPage />,
  '/notifications': () => <NotificationsPage />,
  '/notifications/preferences': () => <PreferencesPage />,
  '/hubs': () => <HubsPage />,
  '/hubs/new': () => <NewHubPage />,
  '/hubs/:hubId': (hubId) => <HubPage hubId={hubId} view="posts" />,
  '/hubs/:hubId/discussions': (hubId) => <HubPage hubId={hubId} view="discussions" />,
  '/hubs/:hubId/members': (hubId) => <HubPage hubId={hubId} view="members" />,
  '/hubs/:hubId/invite': (hubId) => <HubPage hubId={hubId} view="invite" />,
  '/hubs/:hubId/settings': (hubId) => <HubSettingsPage hubId={hubId} />,
  '/hubs/:hubId/new': (hubId) => <Composer hubId={hubId} />,
  '/hubs/:hubId/posts/:postId': (hubId, postId) => <PostPage postId={postId} hubId={hubId} />,
  '/hubs/:hubId/posts/:postId/:discussionId': (hubId, postId, discussionId) => (
    <PostPage postId={postId} hubId={hubId} discussionId={discussionId} />
  ),
  '/invitations/:token': (token) => <InvitationPage token={token} />,
  '/join/:token': (token) => <InviteLinkPage token={token} />,
};

/** Pages that a guest signs in for first. */
const FOR_MEMBERS =
  /^\/(new|hubs|notifications|onboarding|saved|settings|decisions|reports|search\/hubs)|\/(repost|followers|following)$/;

/** The app: the navigation with what happened last, and the page of the current path. */
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
      <div className="side">
        <NoticeLine />
        <TabBar path={path} userId={userId} />
      </div>
      {/* The key starts a page anew for another path or person. */}
      <Boundary key={`${userId} ${path}`}>{page ?? <Page title="There is no such page" back="/" />}</Boundary>
    </>
  );
}

/** Keeps the navigation where a page breaks. */
class Boundary extends Component<{ children: ReactNode }, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError() {
    return { isBroken: true };
  }

  override render() {
    if (!this.state.isBroken) return this.props.children;
    return (
      <Page title="This page is broken" back="/">
        <div className="empty" role="alert">
          <p>Something on this page cannot be shown.</p>
          <Button onClick={() => location.reload()}>Load it again</Button>
        </div>
      </Page>
    );
  }
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
    ['/', HomeIcon, 'Home'],
    ['/hubs', PeopleIcon, 'Hubs'],
    ['/new', PlusIcon, 'Post'],
    ['/notifications', BellIcon, 'Inbox'],
    [profile, PersonIcon, userId === null ? 'Sign in' : 'Profile'],
  ] as const;
  return (
    <nav className="tab-bar" aria-label="Main">
      {tabs.map(([to, Icon, name]) => (
        <a key={name} href={`#${to}`} aria-current={path === to ? 'page' : undefined}>
          <Icon aria-hidden="true" />
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
