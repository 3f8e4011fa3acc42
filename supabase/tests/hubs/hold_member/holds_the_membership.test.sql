select plan(6);

-- Without names in the Hub, whose references would hold their memberships as well.
set local session_replication_role = replica;
select tests.elm();
select tests.hub('oak', 'jonas');
update app.memberships set seen_at = app.now();
set local session_replication_role = origin;

-- A row that is locked has the transaction in its xmax.
create function pg_temp.held()
returns setof text
language sql
as $$ select p.username collate "default" from app.memberships as m join app.profiles as p using (user_id) where m.xmax::text <> '0' $$;

select is(tests.refusal_of('maya', $$ select app.hold_member(tests.id('elm'), 'manager') $$), null, 'who may passes');
select set_eq('select pg_temp.held()', array['maya'], 'and stays what they are meanwhile');
select is(tests.refusal_of('jonas', $$ select app.hold_member(tests.id('elm'), 'manager') $$), 'PT403 FORBIDDEN', 'who may not is refused');
select is(tests.refusal_of('jonas', $$ select app.hold_member(tests.id('elm')) $$), null, 'a member is enough where nothing is said');
select is(
  tests.refusal_of('lena', $$ select app.hold_member(tests.id('elm'), 'member', 'ITEM_NOT_FOUND') $$), 'PT404 ITEM_NOT_FOUND', 'outsiders are told nothing of items'
);
select results_eq('select count(*) from pg_temp.held()', array[2::bigint], 'one holds one''s own membership of this Hub');

select * from finish();
