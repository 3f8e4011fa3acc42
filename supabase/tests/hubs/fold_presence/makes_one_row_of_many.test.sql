select plan(6);

select tests.elm();
select tests.hub('oak', 'lena');

create function pg_temp.see(p_time text)
returns void
language sql
as $$ update app.memberships as m set seen_at = ('2026-01-01 ' || p_time || '+00')::timestamptz $$;

create function pg_temp.seen()
returns setof text
language sql
as $$
  select format('%s %s: %s%s', h.name, to_char(p.seen_in at time zone 'UTC', 'HH24:MI'), p.member_count, case when not p.is_folded then ' not folded' end)
  from app.hub_presence as p
  join app.hubs as h on h.id = p.hub_id
$$;

select pg_temp.see('12:01'), pg_temp.see('12:06');
select bag_eq(
  'select pg_temp.seen()',
  array[
    'elm 12:00: 3 not folded', 'elm 12:00: -3 not folded', 'elm 12:05: 3 not folded',
    'oak 12:00: 1 not folded', 'oak 12:00: -1 not folded', 'oak 12:05: 1 not folded'
  ],
  'rows are only added'
);
select app.fold_presence();
select bag_eq('select pg_temp.seen()', array['elm 12:05: 3', 'oak 12:05: 1'], 'until one is made of them, where there is anybody');
delete from app.memberships where user_id = tests.id('jonas');
select app.fold_presence();
select bag_eq('select pg_temp.seen()', array['elm 12:05: 2', 'oak 12:05: 1'], 'what comes later is added to it');
select app.fold_presence();
select bag_eq('select pg_temp.seen()', array['elm 12:05: 2', 'oak 12:05: 1'], 'nothing counts twice');
select is(
  tests.violation_of('insert into app.hub_presence (hub_id, seen_in, member_count, is_folded) select hub_id, seen_in, 1, true from app.hub_presence'),
  'hub_presence_folded_key', 'and there is one'
);
select set_eq($$ select tests.who_may('select app.fold_presence()') $$, array['opine_worker'], 'the worker does this');

select * from finish();
