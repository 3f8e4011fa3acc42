import { isOpineError, type UserLite } from '@opine/client';
import { ArrowLeftIcon, CopyIcon, type Icon } from '@primer/octicons-react';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps, ReactNode, RefObject } from 'react';
import { createElement, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { List, Run } from './api.ts';
import { Place, usePlace } from './drafts.ts';
import { isGone, isStepMissing, messageOf } from './errors.ts';
import { goBack, redirect, usePath } from './router.ts';

let isFirst = true;

/** A page with its heading, which gets the focus after a navigation, as screen readers expect of a new page. */
export function Page(props: { title: string; back?: string; aside?: ReactNode; children?: ReactNode }) {
  const { title, back, aside, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title === 'Opine' ? title : `${title} · Opine`;
  }, [title]);
  useLayoutEffect(() => {
    scrollTo(0, 0);
    // The first page keeps the focus where the browser puts it.
    if (!isFirst) heading.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  return (
    <main id="main">
      <header className="bar">
        {back !== undefined && (
          <LinkButton icon={ArrowLeftIcon} isBare to={back} onClick={goBack}>
            Back
          </LinkButton>
        )}
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {aside}
      </header>
      {children}
    </main>
  );
}

/** What stands in place of content that is not there yet. */
const LOADING = <p className="empty">Loading…</p>;

/** What stands in place of content that could not be read, with what to do about it; nothing without an error. */
export function Problem(props: { error: unknown; retry: () => unknown; wayOut?: ReactNode }) {
  const { error, retry, wayOut = <LinkButton to="/">Go to the feed</LinkButton> } = props;
  if (error === null) return null;
  const [name, next] = isOpineError(error, 'UNAUTHORIZED')
    ? ['Sign in', () => redirect('/sign-in')]
    : isStepMissing(error)
      ? ['Go on', () => redirect('/onboarding')]
      : ['Try again', retry];
  return (
    <div className="empty" role="alert">
      <p>{messageOf(error)}</p>
      {isGone(error) ? wayOut : <Button onClick={() => next()}>{name}</Button>}
    </div>
  );
}

/** A page that needs data. Until the data is there, and when the person may no longer see it, the page says why not. */
export function QueryPage<T>(props: {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  title: string | ((data: T) => string);
  back: string;
  aside?: (data: T) => ReactNode;
  wayOut?: ReactNode;
  children: (data: T) => ReactNode;
}) {
  const { query, title, back, aside, wayOut, children } = props;
  const { error, refetch } = query;
  const data = isGone(error) ? undefined : query.data;
  const name = typeof title === 'string' ? title : data === undefined ? 'Opine' : title(data);
  return (
    <Page title={name} back={back} aside={data !== undefined && aside?.(data)}>
      {data !== undefined && children(data)}
      {data === undefined &&
        (error === null ? LOADING : <Problem error={error} retry={refetch} wayOut={wayOut} />)}
    </Page>
  );
}

/** Shows the items of a list and reads on as one scrolls; `empty` says what to do where there are none. */
export function Items<T extends { id: string }>(props: {
  list: List<T>;
  empty: ReactNode;
  children: (item: T) => ReactNode;
}) {
  const { list, empty, children } = props;
  const place = usePlace('items');
  if (list.items.length === 0 && list.isError) return <Problem error={list.error} retry={list.refetch} />;
  if (list.isPending) return LOADING;
  if (list.items.length === 0) return <p className="empty">{empty}</p>;
  return (
    <>
      <ul className="items">
        {list.items.map((item) => (
          <li key={item.id}>
            <Place value={`${place}/${item.id}`}>{children(item)}</Place>
          </li>
        ))}
      </ul>
      {list.isError && <Problem error={list.error} retry={list.fetchNextPage} />}
      {list.hasNextPage && !list.isError && <LoadMore list={list} />}
    </>
  );
}

/** A button that presses itself shortly before it is on the screen. */
function LoadMore<T>({ list }: { list: List<T> }) {
  const { isFetchingNextPage, fetchNextPage } = list;
  const place = useRef<HTMLDivElement>(null);
  const isNear = useVisible(place, '600px');
  useEffect(() => {
    if (isNear && !isFetchingNextPage) void fetchNextPage();
  }, [isNear, isFetchingNextPage, fetchNextPage]);
  return (
    <div ref={place} className="empty">
      <Button disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
        {isFetchingNextPage ? 'Loading…' : 'Show more'}
      </Button>
    </div>
  );
}

/** Returns whether an element is on the screen, or within `margin` of it. */
export function useVisible(place: RefObject<HTMLElement | null>, margin = '0px'): boolean {
  const [isVisible, setVisible] = useState(false);
  useEffect(() => {
    if (place.current === null) return;
    const observer = new IntersectionObserver(([entry]) => setVisible(entry?.isIntersecting ?? false), {
      rootMargin: margin,
    });
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [place, margin]);
  return isVisible;
}

interface Look {
  readonly isLoud?: boolean | undefined;
  readonly icon?: Icon | undefined;
  /** Whether only the icon is seen, and the text is for screen readers. */
  readonly isBare?: boolean | undefined;
}

/** Returns what buttons and links of a look have in common. */
function lookOf({ isLoud = false, icon: Icon, isBare = false, children }: Look & { children?: ReactNode }) {
  return {
    className: `button ${isLoud ? 'loud' : ''} ${isBare ? 'bare' : ''}`,
    children: (
      <>
        {Icon && <Icon aria-hidden="true" />}
        {isBare ? <span className="unseen">{children}</span> : children}
      </>
    ),
  };
}

export function Button({ isLoud, icon, isBare, children, ...rest }: ComponentProps<'button'> & Look) {
  return <button type="button" {...lookOf({ isLoud, icon, isBare, children })} {...rest} />;
}

/** A button that does something once, and rests until it is done. */
export function Action({ run, ...rest }: ComponentProps<typeof Button> & { run: Run<void> }) {
  return <Button disabled={run.isPending} onClick={() => run.mutate()} {...rest} />;
}

/** A link to a page of the app that looks like a button. */
export function LinkButton(props: ComponentProps<'a'> & Look & { to: string }) {
  const { to, isLoud, icon, isBare, children, ...rest } = props;
  return <a href={`#${to}`} {...lookOf({ isLoud, icon, isBare, children })} {...rest} />;
}

/** Links to pages: the path, icon and name of each. */
export function LinkButtons({ of }: { of: readonly (readonly [to: string, icon: Icon, name: string])[] }) {
  return of.map(([to, icon, name]) => (
    <LinkButton key={to} to={to} icon={icon}>
      {name}
    </LinkButton>
  ));
}

/** A text that people send on, with a button that copies it. */
export function Copyable({ text, label }: { text: string; label: string }) {
  const [said, say] = useState('');
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => say('Copied.'),
      () => say('This browser does not let Opine copy. Select the link yourself.'),
    );
  return (
    <div className="copyable">
      <input aria-label={label} value={text} readOnly onFocus={({ target }) => target.select()} />
      <Button icon={CopyIcon} onClick={copy}>
        Copy
      </Button>
      <span className="hint" role="status">
        {said}
      </span>
    </div>
  );
}

/** A link out of the app. The other site learns neither where it comes from nor gets hold of this window. */
export function ExternalLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

// The pattern by which the service notifies (docs/product.md N25): letters of other scripts may stand beside a mention.
const MENTION =
  /(?<![@/_\p{Nd}]|(?=\p{L})\p{Script=Latin})@(\w{3,30})(?![@_\p{Nd}\p{Mn}\p{Me}]|(?=\p{L})\p{Script=Latin})/u;

/** What a person has written. A mention leads to the person of that username. */
export function Text({ children }: { children: string }) {
  // The odd parts are the usernames.
  const parts = children
    .normalize()
    .split(MENTION)
    .map((part, index) =>
      index % 2 === 0 ? part : createElement('a', { href: `#/people/${part.toLowerCase()}` }, `@${part}`),
    );
  return createElement('p', { className: 'text' }, ...parts);
}

/** Links between the views of a page: their names by path. */
export function Tabs({ views }: { views: Readonly<Record<string, string>> }) {
  const path = usePath();
  return (
    <nav className="tabs" aria-label="Views">
      {Object.entries(views).map(([to, name]) => (
        <a key={to} href={`#${to}`} aria-current={to === path && 'page'}>
          {name}
        </a>
      ))}
    </nav>
  );
}

/** A photo, or the first letter of a name. The name stands beside it, so it has no text of its own. */
export function Avatar({ name, url }: { name: string; url: string | null }) {
  if (url !== null) return <img className="avatar" src={url} alt="" width={40} height={40} />;
  return (
    <span className="avatar" aria-hidden="true">
      {name.slice(0, 1) || '?'}
    </span>
  );
}

/** The photo and name of a person, which lead to their profile unless the account is gone. */
export function Person(props: { person: Omit<UserLite, 'isAnonymous'>; children?: ReactNode }) {
  const { person, children } = props;
  return (
    <NameLink of={person} href={person.id === '' ? undefined : `#/users/${person.id}`}>
      {person.username && `@${person.username}`} {children}
    </NameLink>
  );
}

type Named = Pick<UserLite, 'name' | 'profilePhotoUrl'>;

/** The photo and name of a person or Hub, as a link with `href`. */
export function NameLink({ of, children, ...rest }: ComponentProps<'a'> & { of: Named }) {
  return (
    <a className="person" {...rest}>
      <Avatar name={of.name} url={of.profilePhotoUrl} />
      <span>
        <strong>{of.name || 'Somebody'}</strong>
        <small>{children}</small>
      </span>
    </a>
  );
}

const UNITS = Object.entries({ day: 86_400, hour: 3_600, minute: 60 } as const);
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });

/** How long ago something happened. */
export function TimeAgo({ at }: { at: string }) {
  const seconds = (Date.now() - Date.parse(at)) / 1000;
  const unit = UNITS.find(([, length]) => seconds >= length);
  const text = unit === undefined ? 'now' : relative.format(-Math.floor(seconds / unit[1]), unit[0] as 'day');
  return <time dateTime={at}>{text}</time>;
}

/** Returns a day as people write it. */
export function dayOf(at: string): string {
  return new Date(at).toLocaleDateString('en', { dateStyle: 'long' });
}

/** Returns a number of things in words. */
export function countOf(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? '' : 's'}`;
}
