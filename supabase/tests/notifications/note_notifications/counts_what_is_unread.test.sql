select plan(6);

select tests.elm();
select tests.person('ann');
create function pg_temp.counts()
returns table (person text, audience text, scope_id uuid, unread_count integer, change_count integer)
language sql
as $$
  with news as (delete from app.inbox_counts returning *)
  select p.username, n.audience::text, n.scope_id, n.unread_count, n.change_count::integer from news as n join app.profiles as p using (user_id)
$$;
delete from app.inbox_counts;
insert into app.events (id, type, hub_id) select tests.id('event ' || n), 'hub_role_changed', tests.id('elm') from generate_series(1, 3) as n;

insert into app.notifications (event_id, recipient_id, audience, scope_id, read_at)
select tests.id('event ' || n), tests.id(who), 'hub_member', tests.id('elm'), case when n = 3 then app.now() end
from generate_series(1, 3) as n cross join unnest(array['maya', 'jonas']) as who where who = 'maya' or n <> 2;
select bag_eq(
  'select * from pg_temp.counts()', $$ values ('maya', 'hub_member', tests.id('elm'), 2, 1), ('jonas', 'hub_member', tests.id('elm'), 1, 1) $$,
  'a row a person with each change, of so many'
);
select tests.notification('hers', 'maya');
select bag_eq('select * from pg_temp.counts()', $$ values ('maya', 'everybody', tests.id('maya'), 1, 1) $$, 'by scope');
update app.notifications set read_at = app.now() where recipient_id = tests.id('maya');
select bag_eq(
  'select person, audience, scope_id, sum(unread_count) as unread, sum(change_count) as changes from pg_temp.counts() group by 1, 2, 3',
  $$ values ('maya', 'hub_member', tests.id('elm'), -2::bigint, 2::bigint), ('maya', 'everybody', tests.id('maya'), -1, 2) $$, 'what is read is unread no more'
);
delete from app.notifications;
select bag_eq(
  'select * from pg_temp.counts()',
  $$
    values
      ('maya', 'hub_member', tests.id('elm'), 0, 1), ('maya', 'everybody', tests.id('maya'), 0, 1), ('jonas', 'hub_member', tests.id('elm'), -1, 1)
  $$,
  'nor what goes, if it was not read before'
);
insert into app.notifications (event_id, recipient_id, audience, scope_id)
values (tests.id('event 1'), tests.id('jonas'), 'everybody', tests.id('jonas'));
select pg_temp.counts();
update app.notifications set recipient_id = tests.id('ann'), scope_id = tests.id('ann');
select bag_eq(
  'select * from pg_temp.counts()', $$ values ('jonas', 'everybody', tests.id('jonas'), -1, 1), ('ann', 'everybody', tests.id('ann'), 1, 1) $$,
  'what becomes somebody else''s is theirs to read'
);
delete from app.notifications where false;
select is_empty('select * from pg_temp.counts()', 'where nothing happens nothing is noted');

select * from finish();
