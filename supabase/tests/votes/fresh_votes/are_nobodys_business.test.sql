select plan(3);

create temporary table transients as
select unnest(array['fresh_votes', 'pending_ballots', 'pending_totals', 'promotions', 'milestones', 'vote_slots_even', 'vote_slots_odd']) as transient;
grant select on transients to public;
select is_empty($$ select from pg_policies join transients on transient = tablename where schemaname = 'app' $$, 'what votes leave for the fold has no policy');
select is_empty(
  $$
    select role, statement
    from transients
    cross join lateral unnest(array[
      format('select from app.%I', transient), format('insert into app.%I (post_id) values (null)', transient),
      format('update app.%I set post_id = post_id', transient), format('delete from app.%I', transient), format('truncate app.%I', transient)
    ]) as statement
    cross join lateral tests.who_may(statement) as role
  $$,
  'no role reads or writes it'
);
select set_eq(
  $$
    select transient, acl.grantee::regrole::text, acl.privilege_type
    from transients
    join pg_class as c on c.oid = format('app.%I', transient)::regclass
    cross join lateral aclexplode(c.relacl) as acl
    where acl.grantee <> c.relowner
  $$,
  $$ select name, 'opine_worker' as role, 'MAINTAIN' as privilege from unnest(array['fresh_votes', 'pending_ballots', 'pending_totals', 'promotions', 'vote_slots_even', 'vote_slots_odd']) as name $$,
  'the worker alone wipes it'
);

select * from finish();
