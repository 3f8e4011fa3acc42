import { isOpineError, type UserLite } from '@opine/client';
import type { UseMutationResult, UseQueryResult } from '@tanstack/react-query';
import type { ComponentProps, FormEvent, ReactNode, RefObject } from 'react';
import {
  createContext,
  createElement,
  useContext,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Fields, List } from './api.ts';
import { isStepMissing, issuesOf, messageOf } from './errors.ts';
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
const LOADING = <p className="empty">Loading…</p>;

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
      {data === undefined && (error === null ? LOADING : <Problem error={error} retry={refetch} />)}
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
  if (list.isPending) return LOADING;
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

export function Button({ isLoud = false, ...rest }: ComponentProps<'button'> & { isLoud?: boolean }) {
  return <button type="button" className={isLoud ? 'button loud' : 'button'} {...rest} />;
}

/** A button that does something once, and rests until it is done. */
export function Action({ run, ...rest }: ComponentProps<typeof Button> & { run: Run<void> }) {
  return <Button disabled={run.isPending} onClick={() => run.mutate()} {...rest} />;
}

interface Run<A> extends Pick<UseMutationResult, 'isPending' | 'error'> {
  mutate(given: A, options?: { onSuccess?: () => void }): void;
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

/** What the service refuses in the fields of a form. */
const Issues = createContext<Fields>({});

/** A form that runs an action with its fields, and starts anew when that has succeeded. @param props.submit its button */
export function Form(props: { label: string; run: Run<Fields>; submit: ReactNode; children: ReactNode }) {
  const { label, run, submit, children } = props;
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
    const fields = Object.fromEntries(entries.filter(([, value]) => value !== ''));
    run.mutate(fields, { onSuccess: () => form.reset() });
  };
  return (
    <form className="form" onSubmit={onSubmit} aria-label={label}>
      <Issues value={issuesOf(run.error)}>{children}</Issues>
      {submit && (
        <Button type="submit" isLoud disabled={run.isPending}>
          {submit}
        </Button>
      )}
    </form>
  );
}

/** A text field with its label and a hint, or what is wrong with it; of several lines with `rows`. */
export function Field(props: ComponentProps<'input'> & { label: string; hint?: string; rows?: number }) {
  const { label, hint, rows, ...rest } = props;
  const id = useId();
  const issue = useContext(Issues)[rest.name ?? ''];
  const text = issue ?? hint;
  const field = {
    id,
    'aria-describedby': text && `${id}-hint`,
    'aria-invalid': issue !== undefined,
    ...rest,
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {rows === undefined ? (
        <input {...field} />
      ) : (
        <textarea rows={rows} {...(field as ComponentProps<'textarea'>)} />
      )}
      <p className={issue === undefined ? 'hint' : 'hint wrong'} id={`${id}-hint`}>
        {text}
      </p>
    </div>
  );
}

const MENTION = /(?<![\p{L}\p{N}_])@(\w{3,30})(?!\w)/u;

/** What a person has written. A mention leads to the person of that username. */
export function Text({ children }: { children: string }) {
  // The odd parts are the usernames.
  const parts = children
    .split(MENTION)
    .map((part, index) =>
      index % 2 === 0 ? part : createElement('a', { href: `#/people/${part.toLowerCase()}` }, `@${part}`),
    );
  return createElement('p', { className: 'text' }, ...parts);
}

/** The field `phone` of a form. */
export function PhoneField(props: ComponentProps<typeof Field>) {
  return <Field name="phone" type="tel" placeholder="+1 202 555 0102" required {...props} />;
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
