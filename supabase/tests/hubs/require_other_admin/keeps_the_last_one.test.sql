select plan(5);

select tests.elm();
select tests.hub('oak', 'maya');

create function pg_temp.refusal_of(p_user text)
returns text
language sql
as $$ select tests.error_of(format('select app.require_other_admin(tests.id(%L), tests.id(%L))', 'elm', p_user)) ->> 'code' $$;

select is(
  tests.error_of($$ select app.require_other_admin(tests.id('elm'), tests.id('amara')) $$) ->> 'state', 'PT409', 'the last admin stays one'
);
select is(pg_temp.refusal_of('amara'), 'LAST_ADMIN', 'whoever manages, or is an admin elsewhere');
update app.memberships set role = 'admin' where hub_id = tests.id('elm') and user_id = tests.id('jonas');
select is(pg_temp.refusal_of('amara'), null, 'until there is another');
select is(pg_temp.refusal_of('jonas'), null, 'who then may stop as well');
select is_empty($$ select tests.who_may('select app.require_other_admin(null, null)') $$, 'moves alone ask');

select * from finish();
