import { isOpineError, type UserLite } from '@opine/client';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { List } from './api.ts';
import { isStepMissing, messageOf } from './errors.ts';
import { redirect, usePath } from './router.ts';

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
          <LinkButton to={back}>
            ←<span className="unseen">Back</span>
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
export function Loading() {
  return <p className="empty">Loading…</p>;
}

/** What stands in place of content that could not be read, with what to do about it. */
export function Problem({ error, retry }: { error: unknown; retry: () => unknown }) {
  const [name, next] = isOpineError(error, 'UNAUTHORIZED')
    ? ['Sign in', () => redirect('/sign-in')]
    : isStepMissing(error)
      ? ['Go on', () => redirect('/onboarding')]
      : ['Try again', retry];
  return (
    <div className="empty" role="alert">
      <p>{messageOf(error)}</p>
      <Button onClick={() => next()}>{name}</Button>
    </div>
  );
}

/** A page that needs data. Until the data is there, it says why not. */
export function QueryPage<T>(props: {
  query: Pick<UseQueryResult<T>, 'data' | 'error' | 'refetch'>;
  title: string | ((data: T) => string);
  back: string;
  children: (data: T) => ReactNode;
}) {
  const { query, title, back, children } = props;
  const { data, error, refetch } = query;
  const name = typeof title === 'string' ? title : data === undefined ? 'Opine' : title(data);
  return (
    <Page title={name} back={back}>
      {data !== undefined && children(data)}
      {data === undefined && (error === null ? <Loading /> : <Problem error={error} retry={refetch} />)}
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
  if (list.items.length === 0 && list.isError) return <Problem error={list.error} retry={list.refetch} />;
  if (list.isPending) return <Loading />;
  if (list.items.length === 0) return <p className="empty">{empty}</p>;
  return (
    <>
      <ul className="items">
        {list.items.map((item) => (
          <li key={item.id}>{children(item)}</li>
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

/** A button. */
export function Button({ isLoud = false, ...rest }: ComponentProps<'button'> & { isLoud?: boolean }) {
  return <button type="button" className={isLoud ? 'button loud' : 'button'} {...rest} />;
}

/** A button that does something once, and rests until it is done. */
export function Action({ run, ...rest }: ComponentProps<typeof Button> & { run: Run }) {
  return <Button disabled={run.isPending} onClick={() => run.mutate()} {...rest} />;
}

type Run = Pick<UseMutationResult<unknown, Error, void>, 'mutate' | 'isPending'>;

/** The button that sends a form. */
export function Submit({ run, children }: { run: Pick<Run, 'isPending'>; children: ReactNode }) {
  const isPending = run.isPending;
  return (
    <Button type="submit" isLoud disabled={isPending}>
      {children}
    </Button>
  );
}

/** A link to a page of the app that looks like a button. */
export function LinkButton({ to, ...rest }: ComponentProps<'a'> & { to: string }) {
  return <a className="button" href={`#${to}`} {...rest} />;
}

/** A link out of the app. The other site learns neither where it comes from nor gets hold of this window. */
export function ExternalLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  );
}

/** A form that hands over its fields by name, trimmed. */
export function Form(props: {
  onSubmit: (fields: Record<string, string>, reset: () => void) => void;
  label: string;
  children: ReactNode;
}) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
    props.onSubmit(Object.fromEntries(entries), () => form.reset());
  };
  return (
    <form className="form" onSubmit={submit} aria-label={props.label}>
      {props.children}
    </form>
  );
}

/** A text field with its label and a hint, of several lines with `rows`. */
export function Field(props: ComponentProps<'input'> & { label: string; hint?: string; rows?: number }) {
  const { label, hint, rows, ...rest } = props;
  const id = useId();
  const field = { id, 'aria-describedby': hint === undefined ? undefined : `${id}-hint`, ...rest };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {rows === undefined ? (
        <input {...field} />
      ) : (
        <textarea rows={rows} {...(field as ComponentProps<'textarea'>)} />
      )}
      <p className="hint" id={`${id}-hint`}>
        {hint}
      </p>
    </div>
  );
}

/** Links between the views of a page: their names by path. */
export function Tabs({ views }: { views: Readonly<Record<string, string>> }) {
  const path = usePath();
  return (
    <nav className="tabs" aria-label="Views">
      {Object.entries(views).map(([to, name]) => (
        <LinkButton key={to} to={to} aria-current={to === path && 'page'}>
          {name}
        </LinkButton>
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
  const who = (
    <>
      <Avatar name={person.name} url={person.profilePhotoUrl} />
      <span>
        <strong>{person.name || 'Somebody'}</strong>
        <small>
          {person.username && `@${person.username}`} {children}
        </small>
      </span>
    </>
  );
  if (person.id === '') return <span className="person">{who}</span>;
  return (
    <a className="person" href={`#/users/${person.id}`}>
      {who}
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
