select plan(9);

select tests.elm();
select tests.hub('oak', 'lena');
select tests.membership('oak', 'jonas');

create function pg_temp.refusal_of(p_user text, p_role app.hub_role)
returns text
language sql
as $$ select tests.refusal_of('amara', format('select app.put_role(tests.id(%L), tests.id(%L), %L)', 'elm', p_user, p_role)) $$;

select is(pg_temp.refusal_of('jonas', 'member'), null, 'a role may be given again');
select is(pg_temp.refusal_of('amara', 'admin'), null, 'even that of the last admin');
select is_empty('select tests.events()', 'which is told to nobody');
select is(pg_temp.refusal_of('amara', role), 'PT409 LAST_ADMIN', 'who does not become a ' || role)
from unnest(array['manager', 'member']::app.hub_role[]) as role;
select is(pg_temp.refusal_of('jonas', 'admin'), null, 'another becomes an admin');
select bag_eq(
  $$ select tests.members(hub) from unnest(array['elm', 'oak']) as hub $$,
  array['amara: admin', 'maya: manager', 'jonas: admin', 'lena: admin', 'jonas: member'], 'of this Hub'
);
select results_eq(
  'select type, actor_id, subject_id, hub_id from app.events',
  $$ values ('hub_role_changed'::app.event_type, tests.id('amara'), tests.id('jonas'), tests.id('elm')) $$, 'and is told'
);
select is(pg_temp.refusal_of('amara', 'member'), null, 'then the first one may stop');

select * from finish();
