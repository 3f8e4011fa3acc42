select plan(6);

set local session_replication_role = replica;
select tests.elm();
update app.memberships set seen_at = app.now();
set local session_replication_role = origin;
select tests.hub('oak', 'lena');

create function pg_temp.refusal_of(p_caller text)
returns text
language sql
as $$
  select tests.refusal_of(
    p_caller, format('select app.put_invite_link(tests.id(%L), tests.hash(%L), null, interval %L)', 'elm', p_caller, '1 day')
  )
$$;

select is(pg_temp.refusal_of('maya'), null, 'a manager makes a link');
-- A row that is locked has the transaction in its xmax.
select set_eq(
  $$ select user_id from app.memberships where xmax::text <> '0' and hub_id = tests.id('elm') $$, array[tests.id('maya')],
  'and stays what they are meanwhile'
);
select results_eq(
  $$ select pg_temp.refusal_of(caller) from unnest(array['amara', 'jonas', 'lena', null]) with ordinality as actor (caller, place) order by place $$,
  array[null, 'PT403 FORBIDDEN', 'PT403 FORBIDDEN', '42501'], 'so does an admin, and nobody else'
);
select is(count(*)::integer, 2, 'and none comes of a refusal') from app.invite_links;
select is_empty(
  $$ select from app.hubs as h where h.id = tests.id('oak') and exists (select from app.invite_links as l where l.hub_id = h.id) $$,
  'of this Hub'
);
select set_eq($$ select tests.who_may('select app.put_invite_link(null, null, null, null)') $$, array['authenticated'], 'who has a session may try');

select * from finish();
