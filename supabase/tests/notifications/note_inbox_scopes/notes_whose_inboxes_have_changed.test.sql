select plan(9);

select tests.elm();
select tests.person('ann', 3);
create function pg_temp.changes()
returns table (person text, audience text, scope_id uuid, unread_count integer, change_count integer)
language sql
as $$
  with news as (delete from app.inbox_counts returning *)
  select p.username, n.audience::text, n.scope_id, n.unread_count, n.change_count::integer from news as n join app.profiles as p using (user_id)
$$;
select pg_temp.changes();

select tests.membership('elm', 'lena');
select bag_eq('select * from pg_temp.changes()', $$ values ('lena', 'everybody', tests.id('lena'), 0, 1) $$, 'of who comes into a Hub');
update app.memberships set role = 'manager';
select is_empty('select * from pg_temp.changes()', 'what they are in it changes nothing');
delete from app.memberships where user_id = tests.id('lena');
select bag_eq('select * from pg_temp.changes()', $$ values ('lena', 'everybody', tests.id('lena'), 0, 1) $$, 'and who leaves one');
select tests.block('maya', 'jonas');
select bag_eq(
  'select * from pg_temp.changes()', $$ values ('maya', 'everybody', tests.id('maya'), 0, 1), ('jonas', 'everybody', tests.id('jonas'), 0, 1) $$,
  'of both between whom comes a block'
);
delete from app.blocks;
select bag_eq('select person from pg_temp.changes()', array['maya', 'jonas'], 'or goes');
update app.users set contacts_synced_at = app.now() where id = tests.id('ann');
select bag_eq('select person from pg_temp.changes()', array['ann'], 'of who becomes Hub-ready');
update app.users set contacts_synced_at = app.now() + interval '1 second', terms_version = '2', terms_accepted_at = app.now();
select is_empty('select * from pg_temp.changes()', 'but once');
update app.users set media_completed_at = null where id = tests.id('ann');
select bag_eq('select person from pg_temp.changes()', array['ann'], 'and of who is that no more');
update app.users set phone = null, phone_verified_at = null where id = tests.id('ann');
select bag_eq('select person from pg_temp.changes()', array['ann'], 'by whatever it is');

select * from finish();
