import type { UserLite } from '@opine/client';
import {
  type FormEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { List } from './api.ts';
import { messageOf, missingStep } from './errors.ts';
import { goToSignIn, navigate } from './router.ts';

/** A page with its heading, which gets the focus after a navigation, as screen readers expect of a new page. */
export function Page(props: { title: string; back?: string; aside?: ReactNode; children: ReactNode }) {
  const { title, back, aside, children } = props;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = title === 'Opine' ? title : `${title} · Opine`;
  }, [title]);
  useEffect(() => {
    // The first page keeps the focus where the browser puts it.
    if (document.body.dataset.navigated === 'true') heading.current?.focus({ preventScroll: true });
    document.body.dataset.navigated = 'true';
  }, []);
  return (
    <main id="main">
      <header className="bar">
        {back !== undefined && (
          <a className="button quiet" href={`#${back}`} aria-label="Back">
            ←
          </a>
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
  return (
    <p className="empty" role="status">
      Loading…
    </p>
  );
}

/** What stands in place of content that could not be read, with what to do about it. */
export function Problem({ error, retry }: { error: unknown; retry?: () => void }) {
  const isForGuest = messageOf(error) === 'Sign in to do this.';
  return (
    <div className="empty" role="alert">
      <p>{messageOf(error)}</p>
      {isForGuest ? (
        <Button onClick={goToSignIn}>Sign in</Button>
      ) : missingStep(error) !== null ? (
        <Button onClick={() => navigate('/onboarding')}>Continue</Button>
      ) : (
        retry !== undefined && <Button onClick={retry}>Try again</Button>
      )}
    </div>
  );
}

/** Shows the items of a list and reads on as one scrolls; `empty` says what to do where there are none. */
export function Items<T>(props: {
  list: List<T>;
  idOf: (item: T) => string;
  empty: ReactNode;
  children: (item: T) => ReactNode;
}) {
  const { list, idOf, empty, children } = props;
  if (list.items.length === 0 && list.isError)
    return <Problem error={list.error} retry={() => list.refetch()} />;
  if (list.isPending) return <Loading />;
  if (list.items.length === 0) return <div className="empty">{empty}</div>;
  return (
    <>
      <ul className="items">
        {list.items.map((item) => (
          <li key={idOf(item)}>{children(item)}</li>
        ))}
      </ul>
      {list.isError && <Problem error={list.error} retry={() => list.fetchNextPage()} />}
      {list.hasNextPage && !list.isError && <More list={list} />}
    </>
  );
}

/** A button that presses itself shortly before it is on the screen. */
function More<T>({ list }: { list: List<T> }) {
  const { isFetchingNextPage, fetchNextPage } = list;
  const place = useRef<HTMLDivElement>(null);
  const isNear = useVisible(place, '600px');
  useEffect(() => {
    if (isNear && !isFetchingNextPage) void fetchNextPage();
  }, [isNear, isFetchingNextPage, fetchNextPage]);
  return (
    <div ref={place} className="empty">
      <Button kind="quiet" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
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

/** A button. `kind` says how loud it is. */
export function Button(props: {
  children: ReactNode;
  onClick?: () => void;
  kind?: 'loud' | 'plain' | 'quiet';
  type?: 'button' | 'submit';
  disabled?: boolean | undefined;
  label?: string;
  pressed?: boolean;
}) {
  const { children, onClick, kind = 'plain', type = 'button', disabled = false, label, pressed } = props;
  return (
    <button
      type={type}
      className={`button ${kind}`}
      disabled={disabled}
      onClick={onClick}
      aria-label={label}
      aria-pressed={pressed}
    >
      {children}
    </button>
  );
}

/** A form that hands over its fields by name, trimmed. */
export function Form(props: {
  onSubmit: (fields: Record<string, string>, reset: () => void) => void;
  label?: string;
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

/** A field with its label and a hint. */
export function Field({ label, hint, children }: { label: string; hint?: ReactNode; children: ReactNode }) {
  return (
    <div className="field">
      {/* biome-ignore lint/a11y/noLabelWithoutControl: the control is the child. */}
      <label>
        <span>{label}</span>
        {children}
      </label>
      {hint !== undefined && <p className="hint">{hint}</p>}
    </div>
  );
}

/** A choice between views of a page. */
export function Tabs<T extends string>(props: {
  label: string;
  views: Readonly<Record<T, string>>;
  current: T;
  onChange: (view: T) => void;
}) {
  return (
    <fieldset className="tabs">
      <legend className="unseen">{props.label}</legend>
      {(Object.entries(props.views) as [T, string][]).map(([view, title]) => (
        <Button
          key={view}
          kind={view === props.current ? 'loud' : 'quiet'}
          pressed={view === props.current}
          onClick={() => props.onChange(view)}
        >
          {title}
        </Button>
      ))}
    </fieldset>
  );
}

/** A photo, or the first letter of a name. The name stands beside it, so it has no text of its own. */
export function Avatar({
  name,
  url,
  isLarge = false,
}: {
  name: string;
  url: string | null;
  isLarge?: boolean;
}) {
  const size = isLarge ? 80 : 40;
  if (url !== null) return <img className="avatar" src={url} alt="" width={size} height={size} />;
  return (
    <span className={isLarge ? 'avatar large' : 'avatar'} aria-hidden="true">
      {name.slice(0, 1) || '?'}
    </span>
  );
}

/** The photo and name of a person, which lead to their profile unless the account is gone. */
export function Person({
  person,
  children,
}: {
  person: Omit<UserLite, 'isAnonymous'>;
  children?: ReactNode;
}) {
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

const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const;
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });

/** How long ago something happened. */
export function Ago({ at }: { at: string }) {
  const seconds = (Date.now() - Date.parse(at)) / 1000;
  const unit = UNITS.find(([, length]) => seconds >= length);
  const text = unit === undefined ? 'now' : relative.format(-Math.floor(seconds / unit[1]), unit[0]);
  return <time dateTime={at}>{text}</time>;
}

/** Returns whole seconds until a time, counted down; 0 afterwards. */
export function useCountdown(until: number): number {
  const subscribe = (listener: () => void) => {
    const timer = setInterval(listener, 500);
    return () => clearInterval(timer);
  };
  return useSyncExternalStore(subscribe, () => Math.max(0, Math.ceil((until - Date.now()) / 1000)));
}
