select plan(9);

select tests.person(name, 4) from unnest(array['amara', 'ann', 'ben', 'cleo', 'dora', 'eli']) as name order by tests.id(name) desc;
select tests.hub('elm', 'amara');
select tests.membership('elm', 'ann', 'member', app.now() - interval '4 days');
select tests.membership('elm', 'ben', 'member', app.now() - interval '5 days');
select tests.membership('elm', 'cleo', 'manager', app.now() - interval '2 days');
select tests.membership('elm', 'dora', 'manager', app.now() - interval '3 days');
select tests.membership('elm', 'eli', 'manager', app.now() - interval '6 days');
select tests.hub('oak', 'ann');
select tests.membership('oak', 'eli', 'manager', app.now() - interval '9 days');
select app.end_user(tests.id('eli'));

create function pg_temp.succeed()
returns setof text
language plpgsql
as $$
begin
  perform app.succeed_admin(tests.id('elm'), tests.id('amara'));
  return query
    select p.username collate "default" from app.memberships as m join app.profiles as p using (user_id)
    where m.hub_id = tests.id('elm') and m.role = 'admin' and m.user_id <> tests.id('amara');
end
$$;

select results_eq('select pg_temp.succeed()', array['dora'], 'the longest-standing manager succeeds, but none whose account has ended');
select results_eq('select pg_temp.succeed()', array['dora'], 'once');
select results_eq('select tests.events()', array['hub_role_changed: nobody, dora'], 'who is told');
select is(role, 'manager', 'in this Hub alone') from app.memberships where hub_id = tests.id('oak') and user_id = tests.id('eli');
update app.memberships set role = 'member' where hub_id = tests.id('elm') and user_id <> tests.id('amara');
select results_eq('select pg_temp.succeed()', array['ben'], 'else the longest-standing member');
delete from app.memberships where hub_id = tests.id('elm') and user_id <> tests.id('amara');
select tests.membership('elm', name) from unnest(array['ann', 'ben', 'cleo', 'dora']) as name order by tests.id(name) desc;
select results_eq(
  'select pg_temp.succeed()',
  $$ select name from unnest(array['ann', 'ben', 'cleo', 'dora']) as name order by tests.id(name) limit 1 $$,
  'of those who joined at once always the same'
);
delete from app.events;
delete from app.memberships where hub_id = tests.id('elm') and user_id <> tests.id('amara');
select tests.membership('elm', 'eli', 'manager');
select is_empty('select pg_temp.succeed()', 'nobody, where nobody is left');
select is_empty('select tests.events()', 'who could be told');
select is_empty($$ select tests.who_may('select app.succeed_admin(null, null)') $$, 'moves alone do this');

select * from finish();
