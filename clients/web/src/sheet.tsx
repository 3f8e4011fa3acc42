import { type Icon, KebabHorizontalIcon, XIcon } from '@primer/octicons-react';
import type { ComponentProps, ReactNode } from 'react';
import { createContext, useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import type { Run } from './api.ts';
import { deleteDrafts, Place, useHasDraft, usePlace } from './drafts.ts';
import { messageOf } from './errors.ts';
import { Button } from './ui.tsx';

const Finish = createContext<() => void>(() => undefined);

/** Returns what closes the sheet around the caller, and the sheets below it. */
export const useFinish = () => useContext(Finish);

interface SheetProps {
  readonly title: string;
  /** What its button says. */
  readonly button: string;
  readonly icon?: Icon;
  /** Whether its button shows the icon alone. */
  readonly isBare?: boolean;
  /** Whether it holds a form: a tap beside the dialog does not lose what is written in it. */
  readonly hasForm?: boolean;
  readonly children: ReactNode;
}

/** A button that opens a dialog: from below on a phone. A sheet with a draft opens by itself. */
export function Sheet({ title, button, icon, isBare, hasForm = false, children }: SheetProps) {
  const place = usePlace(title);
  const [hadDraft] = useState(useHasDraft(place));
  const [isOpen, setOpen] = useState(false);
  // In an effect: the dialog around this one opens first.
  useEffect(() => setOpen(hadDraft), [hadDraft]);
  const close = () => {
    setOpen(false);
    deleteDrafts(place);
  };
  const finishBelow = useFinish();
  const finish = () => {
    setOpen(false);
    finishBelow();
  };
  return (
    <>
      <Button icon={icon} isBare={isBare} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {button}
      </Button>
      {isOpen && (
        <Dialog title={title} hasForm={hasForm} onClose={close}>
          <Place value={place}>
            <Finish value={finish}>{children}</Finish>
          </Place>
        </Dialog>
      )}
    </>
  );
}

function Dialog(props: { title: string; hasForm: boolean; onClose: () => void; children: ReactNode }) {
  const { title, hasForm, onClose, children } = props;
  const id = useId();
  const place = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = place.current;
    dialog?.showModal();
    // A dialog that leaves the page open does not give the focus back.
    return () => dialog?.close();
  }, []);
  return (
    <dialog ref={place} closedby={hasForm ? 'closerequest' : 'any'} aria-labelledby={id} onClose={onClose}>
      <header className="bar">
        <h2 id={id}>{title}</h2>
        <Button icon={XIcon} isBare onClick={onClose}>
          Close
        </Button>
      </header>
      {children}
    </dialog>
  );
}

/** An action in a sheet, which closes then, so that the page says how it went. */
export function SheetAction({ run, ...rest }: ComponentProps<typeof Button> & { run: Run<void> }) {
  const finish = useFinish();
  const onClick = () => run.mutate(undefined, { onSettled: finish });
  return <Button disabled={run.isPending} onClick={onClick} {...rest} />;
}

/** The menu of a post, comment, message, person or Hub. @param props.of what it belongs to */
export function More({ of, children }: { of: string; children: ReactNode }) {
  const title = `More about ${of}`;
  return (
    <Sheet title={title} button={title} icon={KebabHorizontalIcon} isBare>
      <div className="menu">{children}</div>
    </Sheet>
  );
}

interface ConfirmProps extends Omit<SheetProps, 'isBare' | 'hasForm'> {
  /** What the button in the dialog says. */
  readonly answer: string;
  readonly run: Run<void>;
}

/** Asks before something that cannot be undone, and says what follows from it. */
export function Confirm({ answer, run, children, ...sheet }: ConfirmProps) {
  return (
    <Sheet {...sheet}>
      {children}
      <Answer run={run}>{answer}</Answer>
    </Sheet>
  );
}

function Answer({ run, children }: { run: Run<void>; children: string }) {
  const finish = useFinish();
  return (
    <>
      <p className="wrong" role="alert">
        {run.error && messageOf(run.error)}
      </p>
      <Button isLoud disabled={run.isPending} onClick={() => run.mutate(undefined, { onSuccess: finish })}>
        {children}
      </Button>
    </>
  );
}
