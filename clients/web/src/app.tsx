import { onlineManager } from '@tanstack/react-query';
import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { Composer, Repost } from './composer.tsx';
import { DiscussionPage } from './discussion.tsx';
import { Feed } from './feed.tsx';
import { HubPage } from './hub.tsx';
import { HubsPage, InvitationPage, InviteLinkPage, NewHubPage } from './hubs.tsx';
import { useBadge, useLiveEvents } from './live.ts';
import { dismiss, useNotice } from './notices.ts';
import { NotificationsPage } from './notifications.tsx';
import { PostPage } from './post-page.tsx';
import { PeoplePage, ProfilePage } from './profile.tsx';
import { match, onNavigation, type Routes, usePath } from './router.ts';
import { OnboardingPage, SignInPage } from './session.tsx';
import { useUserId } from './tokens.ts';
import { Button, Page } from './ui.tsx';

const ROUTES: Routes = {
  '/': () => <Feed />,
  '/sign-in': () => <SignInPage />,
  '/onboarding': () => <OnboardingPage />,
  '/new': () => <Composer />,
  '/posts/:postId': (postId) => <PostPage postId={postId ?? ''} />,
  '/posts/:postId/repost': (postId) => <Repost postId={postId ?? ''} />,
  '/people': () => <PeoplePage />,
  '/users/:userId': (userId) => <ProfilePage userId={userId ?? ''} />,
  '/notifications': () => <NotificationsPage />,
  '/hubs': () => <HubsPage />,
  '/hubs/new': () => <NewHubPage />,
  '/hubs/:hubId': (hubId) => <HubPage hubId={hubId ?? ''} />,
  '/hubs/:hubId/new': (hubId) => <Composer hubId={hubId ?? ''} />,
  '/hubs/:hubId/posts/:postId': (hubId, postId) => <PostPage postId={postId ?? ''} hubId={hubId ?? ''} />,
  '/hubs/:hubId/discussions/:discussionId': (hubId, discussionId) => (
    <DiscussionPage hubId={hubId ?? ''} discussionId={discussionId ?? ''} />
  ),
  '/invitations/:token': (token) => <InvitationPage token={token ?? ''} />,
  '/join/:token': (token) => <InviteLinkPage token={token ?? ''} />,
};

/** The app: the page of the current path, the tabs below, and the lines that say what happened. */
export function App() {
  const path = usePath();
  const userId = useUserId();
  useLiveEvents();
  useScroll();
  return (
    <>
      <button type="button" className="skip" onClick={() => document.querySelector('h1')?.focus()}>
        Skip to the content
      </button>
      <Offline />
      {/* The key starts a page anew for another path or person. */}
      <div key={`${userId} ${path}`}>{match(ROUTES, path) ?? <NotFound />}</div>
      <NoticeLine />
      <TabBar path={path} userId={userId} />
    </>
  );
}

function NotFound() {
  return (
    <Page title="Not found" back="/">
      <p className="empty">There is no such page.</p>
    </Page>
  );
}

// Where one was in the feed. Every other page starts at its top.
let feedPosition = 0;

function useScroll(): void {
  useEffect(() => {
    let isFeed = location.hash.length < 3;
    const remember = () => {
      if (isFeed) feedPosition = scrollY;
    };
    const stop = onNavigation(() => {
      isFeed = location.hash.length < 3;
      scrollTo(0, isFeed ? feedPosition : 0);
    });
    addEventListener('scroll', remember, { passive: true });
    return () => {
      stop();
      removeEventListener('scroll', remember);
    };
  }, []);
}

function Offline() {
  const isOnline = useSyncExternalStore(
    (listener) => onlineManager.subscribe(listener),
    () => onlineManager.isOnline(),
  );
  return (
    <div role="alert">
      {!isOnline && <p className="banner">You are offline. Opine goes on when you are back.</p>}
    </div>
  );
}

function NoticeLine() {
  const notice = useNotice();
  // Both regions are there from the start, because screen readers watch only regions that they know.
  return (
    <div className="notices">
      <div role="status">{notice?.isError === false && <Line>{notice.text}</Line>}</div>
      <div role="alert">{notice?.isError === true && <Line>{notice.text}</Line>}</div>
    </div>
  );
}

function Line({ children }: { children: ReactNode }) {
  return (
    <p className="notice">
      <span>{children}</span>
      <Button kind="quiet" label="Dismiss" onClick={dismiss}>
        ✕
      </Button>
    </p>
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
