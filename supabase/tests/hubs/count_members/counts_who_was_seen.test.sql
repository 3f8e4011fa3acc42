select plan(7);

select tests.elm();
select tests.hub('oak', 'amara');

create function pg_temp.seen()
returns setof text
language sql
as $$
  select format('%s %s: %s', h.name, to_char(p.seen_in at time zone 'UTC', 'HH24:MI'), sum(p.member_count))
  from app.hub_presence as p
  join app.hubs as h on h.id = p.hub_id
  group by h.name, p.seen_in
  having sum(p.member_count) <> 0
$$;

create function pg_temp.see(p_time text, p_hubs text[], variadic p_names text[])
returns void
language sql
as $$
  update app.memberships as m
  set seen_at = ('2026-01-01 ' || p_time || '+00')::timestamptz
  where m.hub_id in (select tests.id(hub) from unnest(p_hubs) as hub) and m.user_id in (select tests.id(name) from unnest(p_names) as name)
$$;

select is_empty('select from app.hub_presence', 'nobody was seen yet');
select pg_temp.see('12:04:59', '{elm,oak}', 'amara', 'maya');
select set_eq('select pg_temp.seen()', array['elm 12:00: 2', 'oak 12:00: 1'], 'members count in the five minutes in which they were seen');
select pg_temp.see('12:02', '{elm}', 'jonas');
select set_eq('select pg_temp.seen()', array['elm 12:00: 3', 'oak 12:00: 1'], 'by and by');
select pg_temp.see('12:05', '{elm}', 'maya', 'jonas');
select set_eq('select pg_temp.seen()', array['elm 12:00: 1', 'elm 12:05: 2', 'oak 12:00: 1'], 'once, where they were seen last');
delete from app.memberships where user_id = tests.id('maya');
select set_eq('select pg_temp.seen()', array['elm 12:00: 1', 'elm 12:05: 1', 'oak 12:00: 1'], 'who leaves counts no more where they were seen');
delete from app.memberships where user_id = tests.id('amara') and hub_id = tests.id('elm');
select set_eq('select pg_temp.seen()', array['elm 12:05: 1', 'oak 12:00: 1'], 'and nowhere else');
insert into app.memberships (hub_id, user_id, role, seen_at)
values (tests.id('oak'), tests.id('lena'), 'member', '2026-01-01 12:01+00'), (tests.id('oak'), tests.id('jonas'), 'member', null);
select set_eq('select pg_temp.seen()', array['elm 12:05: 1', 'oak 12:00: 2'], 'who joins is seen when they are');

select * from finish();
