select plan(4);

select tests.elm();
select tests.person('ben', 4);
select tests.join_request('of lena', 'elm', 'lena');
select tests.join_request('of ben', 'elm', 'ben');

create function pg_temp.args(p_name text)
returns jsonb
language sql
return tests.in_hub('elm', jsonb_build_object('requestId', tests.id(p_name)));

select tests.act_as('amara');
select is(
  api.approve_join_request(pg_temp.args('of lena')), jsonb_build_object('id', tests.id('of lena'), 'state', 'approved'), 'approved'
);
select is(
  api.reject_join_request(pg_temp.args('of ben')), jsonb_build_object('id', tests.id('of ben'), 'state', 'rejected'), 'or rejected'
);
reset role;
select set_eq(
  'select id, state::text from app.join_requests', $$ values (tests.id('of lena'), 'approved'), (tests.id('of ben'), 'rejected') $$, 'as is kept'
);
select set_eq($$ select tests.members('elm') $$, array['amara: admin', 'maya: manager', 'jonas: member', 'lena: member'], 'who is approved is a member');

select * from finish();
