select plan(8);

select tests.elm();
select tests.hub('oak', 'jonas');

create function pg_temp.refusal_of(p_caller text, p_hub text default 'elm')
returns text
language sql
as $$ select tests.refusal_of(p_caller, format('select app.leave_hub(tests.id(%L))', p_hub)) $$;

select is(pg_temp.refusal_of('lena'), 'PT403 FORBIDDEN', 'who is no member cannot leave');
select is(pg_temp.refusal_of(null), '42501', 'nor can a guest');
select is(pg_temp.refusal_of('amara'), 'PT409 LAST_ADMIN', 'nor the last admin');
select is(pg_temp.refusal_of('jonas'), null, 'who is one can');
select bag_eq(
  $$ select tests.members(hub) from unnest(array['elm', 'oak']) as hub $$, array['amara: admin', 'maya: manager', 'jonas: admin'],
  'this Hub, and no other'
);
select is_empty('select tests.events()', 'nobody is told');
select pg_temp.refusal_of('maya');
select is(pg_temp.refusal_of('amara'), null, 'the last member may be an admin');
select set_eq($$ select tests.who_may('select app.leave_hub(null)') $$, array['authenticated'], 'who has a session may try');

select * from finish();
