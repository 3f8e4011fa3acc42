import type { ComponentProps, FormEvent, ReactNode } from 'react';
import { createContext, useContext, useEffect, useId, useRef, useState } from 'react';
import type { Fields, Run } from './api.ts';
import { drafts, usePlace } from './drafts.ts';
import { isRedirecting, issuesOf, messageOf } from './errors.ts';
import { useUserId } from './tokens.ts';
import { Button } from './ui.tsx';

interface FormState {
  /** What the service refuses, by the names of the fields. */
  readonly issues: Fields;
  readonly draft: Fields;
  /** Whether the form waits for something. */
  readonly wait: (isWaiting: boolean) => void;
}

const State = createContext<FormState>({ issues: {}, draft: {}, wait: () => undefined });

/** Returns the first values of fields that the caller controls: what was sent before a sign-in. */
export const useDraft = (): Fields => useContext(State).draft;

/** Keeps the form around the caller from being sent while something is on its way that belongs to it. */
export function useWait(isPending: boolean): void {
  const { wait } = useContext(State);
  useEffect(() => wait(isPending), [wait, isPending]);
}

interface FormProps {
  /** Its name as a landmark; none for a form of which a list has many, and whose fields name it. */
  readonly label?: string;
  readonly run: Run<Fields>;
  /** The text of its button; without one it is sent in another way. */
  readonly submit: ReactNode;
  readonly children?: ReactNode;
}

/** A form that runs an action with its fields, and starts anew when that has succeeded. It shows what goes wrong. */
export function Form({ label, run, submit, children }: FormProps) {
  const key = usePlace(label ?? 'form');
  const place = useRef<HTMLFormElement>(null);
  const [names, setNames] = useState<ReadonlySet<string>>(new Set());
  const writer = useUserId();
  const [draft, setDraft] = useState(() => {
    const kept = drafts.get(key);
    return kept?.writer === writer ? kept.fields : {};
  });
  const [isWaiting, wait] = useState(false);
  const issues = issuesOf(run.error);
  const { error } = run;
  useEffect(() => {
    const field = error && place.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    field?.closest('details')?.setAttribute('open', '');
    field?.focus();
  }, [error]);
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = event.currentTarget;
    const entries = [...new FormData(form)].map(([name, value]) => [name, String(value).trim()]);
    const fields: Fields = Object.fromEntries(entries.filter(([, value]) => value !== ''));
    setNames(new Set([...form.elements].flatMap((field) => field.getAttribute('name') ?? [])));
    // Before the answer: a session that has ended takes the form off the screen.
    drafts.set(key, { writer, fields });
    run.mutateAsync(fields).then(
      () => {
        drafts.delete(key);
        setDraft({});
        form.reset();
      },
      (reason) => isRedirecting(reason) || drafts.delete(key),
    );
  };
  return (
    <form ref={place} className="form" onSubmit={onSubmit} onInvalidCapture={showField} aria-label={label}>
      <State value={{ issues, draft, wait }}>{children}</State>
      <p className="wrong" role="alert">
        {error && !isRedirecting(error) && textOf(error, issues, names)}
      </p>
      {submit && (
        <Button type="submit" isLoud disabled={run.isPending || isWaiting}>
          {submit}
        </Button>
      )}
    </form>
  );
}

/** Browsers cannot show what is wrong with a field that is folded away. */
function showField({ target }: FormEvent): void {
  (target as Element).closest('details')?.setAttribute('open', '');
}

/** Returns what no field shows. */
function textOf(error: unknown, issues: Fields, names: ReadonlySet<string>): string {
  if (Object.keys(issues).length === 0) return messageOf(error);
  const rest = Object.entries(issues).filter(([name]) => !names.has(name));
  return rest.map(([, message]) => message).join(' ');
}

type FieldProps = ComponentProps<'input'> & {
  label: string;
  hint?: string | undefined;
  rows?: number;
  issue?: string | undefined;
};

/** A field with its label and a hint, or what is wrong with it; of several lines with `rows`. */
export function Field({ label, hint, rows, issue: ownIssue, ...rest }: FieldProps) {
  const id = useId();
  const { name, value, type, defaultValue } = rest;
  const { issues, draft } = useContext(State);
  const issue = name === undefined ? ownIssue : issues[name];
  const text = issue ?? hint;
  const field = {
    ...rest,
    id,
    'aria-describedby': text && `${id}-hint`,
    'aria-invalid': issue !== undefined,
    ...(value === undefined && type !== 'file' && { defaultValue: draft[name ?? ''] ?? defaultValue }),
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {rows === undefined ? (
        <input {...field} />
      ) : (
        <textarea rows={rows} {...(field as ComponentProps<'textarea'>)} />
      )}
      <p
        className={issue === undefined ? 'hint' : 'hint wrong'}
        id={`${id}-hint`}
        role={type === 'file' ? 'alert' : undefined}
      >
        {text}
      </p>
    </div>
  );
}

/** The field of a name of a person or Hub. */
export function NameField(props: FieldProps) {
  return <Field minLength={2} maxLength={80} required {...props} />;
}

/** The field of a username. */
export function UsernameField(props: Omit<FieldProps, 'label'>) {
  const pattern = '[a-z0-9_]{3,30}';
  const hint = '3 to 30 small letters, digits and underscores.';
  return (
    <Field
      label="Username"
      name="username"
      autoCapitalize="none"
      {...{ hint, pattern }}
      required
      {...props}
    />
  );
}

/** The field of a phone number, by default `phoneNumber`. */
export function PhoneField(props: FieldProps) {
  return <Field name="phoneNumber" type="tel" placeholder="+1 202 555 0102" required {...props} />;
}

/** One of several answers, of which the person chooses one. */
export function Choice(props: { label: string; name: string; options: Readonly<Record<string, string>> }) {
  const { label, name, options } = props;
  const chosen = useDraft()[name];
  return (
    <fieldset className="choice">
      <legend>{label}</legend>
      {Object.entries(options).map(([value, text]) => (
        <label key={value} className="check">
          <input type="radio" name={name} value={value} defaultChecked={value === chosen} required /> {text}
        </label>
      ))}
    </fieldset>
  );
}

/** A switch that shows what the person wants until the answer is there. */
export function Switch(props: { label: string; isOn: boolean; run: Run<boolean> }) {
  const { label, isOn, run } = props;
  const [wanted, want] = useState<boolean | null>(null);
  const isShownOn = wanted ?? isOn;
  return (
    <label className="row">
      {label}
      <input
        type="checkbox"
        role="switch"
        checked={isShownOn}
        aria-checked={isShownOn}
        onChange={({ target }) => {
          want(target.checked);
          run.mutate(target.checked, { onSettled: () => want(null) });
        }}
      />
    </label>
  );
}
