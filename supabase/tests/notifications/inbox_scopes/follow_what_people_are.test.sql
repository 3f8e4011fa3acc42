select plan(6);

select tests.person('lena', 1), tests.person('ben', 2), tests.person('ann', 3), tests.person('maya', 4), tests.person('jonas', 4), tests.person('tom', 4);
select tests.hub('elm', 'maya'), tests.hub('oak', 'maya');
select tests.membership('elm', 'ann'), tests.membership('oak', 'jonas');
select app.end_user(tests.id('tom'));
create function pg_temp.scopes(p_name text)
returns table (audience text, scope_id uuid)
language sql
as $$ select audience::text, scope_id from app.inbox_scopes where user_id = tests.id(p_name) $$;

select bag_eq($$ select * from pg_temp.scopes('lena') $$, $$ values ('everybody', tests.id('lena')) $$, 'of anybody what is theirs');
select bag_eq($$ select * from pg_temp.scopes('ben') $$, $$ values ('everybody', tests.id('ben')) $$, 'registered as well');
select bag_eq($$ select * from pg_temp.scopes('ann') $$, $$ values ('everybody', tests.id('ann')) $$, 'of a Hub nothing before they are Hub-ready');
select bag_eq(
  $$ select * from pg_temp.scopes('maya') $$,
  $$
    values
      ('everybody', tests.id('maya')), ('hub_ready', tests.id('maya')), ('target_member', tests.id('maya')), ('hub_member', tests.id('elm')), ('hub_member', tests.id('oak'))
  $$,
  'whoever is has each Hub of theirs'
);
select bag_eq(
  $$ select * from pg_temp.scopes('jonas') $$,
  $$ values ('everybody', tests.id('jonas')), ('hub_ready', tests.id('jonas')), ('target_member', tests.id('jonas')), ('hub_member', tests.id('oak')) $$,
  'and no other'
);
select is_empty($$ select * from pg_temp.scopes('tom') $$, 'of an ended account there is none');

select * from finish();
