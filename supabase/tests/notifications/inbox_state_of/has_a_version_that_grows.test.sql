select plan(5);

select tests.elm();
select tests.post('trams', 'amara', 'public_hub');
create temporary table versions (place integer generated always as identity, what text, version integer);
create function pg_temp.note(p_what text)
returns void
language sql
as $$ insert into versions (what, version) values (p_what, tests.inbox_version('jonas')) $$;

select pg_temp.note('');
select tests.notification('hers', 'jonas', p_actor => 'lena');
select pg_temp.note('told');
update app.notifications set read_at = app.now() where id = tests.id('hers');
select pg_temp.note('read');
select tests.notification('of elm', 'jonas', 'hub_role_changed', 'amara', 'elm'), tests.notification('also of elm', 'jonas', 'hub_role_changed', 'amara', 'elm');
select pg_temp.note('told of elm');
select tests.block('lena', 'jonas');
select pg_temp.note('blocked');
delete from app.blocks;
select pg_temp.note('unblocked');
select tests.block('jonas', 'lena');
select pg_temp.note('blocks');
delete from app.memberships where user_id = tests.id('jonas');
select pg_temp.note('left');
select tests.membership('elm', 'jonas');
select pg_temp.note('joined');
update app.users set contacts_synced_at = null where id = tests.id('jonas');
select pg_temp.note('no longer Hub-ready');
delete from app.notifications where id = tests.id('hers');
select pg_temp.note('gone');
select app.fold_inbox_counts();
select pg_temp.note('counted anew');

select results_eq(
  'select what from versions as v where v.version <= (select max(o.version) from versions as o where o.place < v.place)', array['counted anew'],
  'with each change of what somebody sees'
);
select is(max(version), (select version from versions order by place desc limit 1), 'and stays, where nothing changes') from versions;
select tests.notification('his', 'lena', p_actor => 'jonas');
select is(tests.inbox_version('jonas'), (select max(version) from versions), 'or for others alone');
select is(app.inbox_state_of(tests.id('nobody'))::text, '(0,0)', 'who has never been told anything begins at naught');
select is_empty($$ select tests.who_may('select app.inbox_state_of(null)') $$, 'no role asks for that of others');

select * from finish();
