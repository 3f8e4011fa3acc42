import type { NotificationPreferences } from '@opine/client';
import { done, type Fields, opine, queries, useAction, useRead } from './api.ts';
import { Field, Form, Switch } from './form.tsx';
import { GROUPS, labelOf } from './notifications.tsx';
import { Button, QueryPage } from './ui.tsx';

const KEY = ['notification-preferences'];
const ORDER = 'notification-preferences';
const ZONES = Intl.supportedValuesOf('timeZone').map((name) => <option key={name} value={name} />);

/** What the phone of the signed-in person shows at once, and when it shows nothing. */
export function PreferencesPage() {
  const query = useRead(KEY, () => opine.get('/users/me/notification-preferences'));
  return (
    <QueryPage query={query} title="Notifications" back="/notifications">
      {({ push, quietHours }) => (
        <>
          <p className="hint">Choose what your phone shows you. The inbox keeps everything.</p>
          <QuietHours hours={quietHours} />
          {Object.entries(GROUPS).map(([group, types]) => (
            <section key={group} className="card" aria-label={group}>
              <h2>{group}</h2>
              {(Object.keys(types) as (keyof typeof push)[]).map((type) => (
                <PushSwitch key={type} type={type} isOn={push[type]} />
              ))}
            </section>
          ))}
        </>
      )}
    </QueryPage>
  );
}

function PushSwitch({ type, isOn }: { type: keyof NotificationPreferences['push']; isOn: boolean }) {
  const turn = useAction(
    (on: boolean) => opine.patch('/users/me/notification-preferences', { body: { push: { [type]: on } } }),
    update,
    { order: ORDER },
  );
  return <Switch label={labelOf(type)} isOn={isOn} run={turn} />;
}

function QuietHours({ hours }: { hours: NotificationPreferences['quietHours'] }) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const shown = hours ?? { from: '22:00', to: '07:00', timeZone };
  const save = useAction(
    (quietHours: Fields | null) =>
      opine.patch('/users/me/notification-preferences', { body: { quietHours } }),
    (answer) => {
      update(answer);
      done(answer.quietHours === null ? 'Quiet hours are off.' : 'Quiet hours are saved.')();
    },
    { order: ORDER, isInPlace: true },
  );
  return (
    <section className="card" aria-labelledby="quiet">
      <h2 id="quiet">Quiet hours{hours === null && ': off'}</h2>
      <Form label="Quiet hours" run={save} submit={hours === null ? 'Turn on' : 'Save'}>
        <div className="row">
          <Field label="From" name="from" type="time" defaultValue={shown.from} required />
          <Field label="To" name="to" type="time" defaultValue={shown.to} required />
        </div>
        <Field label="Time zone" name="timeZone" list="zones" defaultValue={shown.timeZone} required />
        <datalist id="zones">{ZONES}</datalist>
      </Form>
      {hours !== null && <Button onClick={() => save.mutate(null)}>Turn off</Button>}
    </section>
  );
}

function update(answer: NotificationPreferences): void {
  queries.setQueryData(KEY, answer);
}
