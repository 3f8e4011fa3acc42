select plan(13);

select tests.elm();
select tests.hub('oak', 'lena');
select tests.person(name, 4) from unnest(array['ann', 'ben']) as name;
select tests.join_request('ann asks', 'elm', 'ann');
select tests.join_request('ben asks', 'elm', 'ben');
select tests.join_request('of oak', 'oak', 'ann');

create function pg_temp.refusal_of(p_caller text, p_request text, p_verdict text default 'approved', p_hub text default 'elm')
returns text
language sql
as $$
  select tests.refusal_of(
    p_caller, format('select app.decide_join_request(tests.id(%L), tests.id(%L), %L)', p_hub, p_request, p_verdict)
  )
$$;

select is(pg_temp.refusal_of('maya', 'ann asks', verdict), 'PT403 FORBIDDEN', 'a manager does not decide: ' || verdict)
from unnest(array['approved', 'rejected']) as verdict;
select is(pg_temp.refusal_of('jonas', 'ann asks'), 'PT403 FORBIDDEN', 'nor does a member');
select is(pg_temp.refusal_of('ann', 'ann asks'), 'PT404 JOIN_REQUEST_NOT_FOUND', 'nor whoever asks');
select is(pg_temp.refusal_of('lena', 'ann asks'), 'PT404 JOIN_REQUEST_NOT_FOUND', 'nor any outsider');
select is(pg_temp.refusal_of(null, 'ann asks'), '42501', 'nor a guest');
select is(pg_temp.refusal_of('amara', 'of oak'), 'PT404 JOIN_REQUEST_NOT_FOUND', 'an admin does not of another Hub');
select is(pg_temp.refusal_of('lena', 'ann asks', 'approved', 'oak'), 'PT404 JOIN_REQUEST_NOT_FOUND', 'not by way of their own');
select is(pg_temp.refusal_of('amara', 'nothing'), 'PT404 JOIN_REQUEST_NOT_FOUND', 'nor of what is not there');
select is_empty($$ select from app.join_requests where state <> 'pending_admin_approval' $$, 'nothing is decided');
select is(pg_temp.refusal_of('amara', 'ann asks'), null, 'an admin of the Hub decides');
select is(pg_temp.refusal_of('amara', 'ann asks', 'rejected'), 'PT409 JOIN_REQUEST_NOT_PENDING', 'once');
select set_eq(
  $$ select tests.who_may('select app.decide_join_request(null, null, null)') $$, array['authenticated'], 'who has a session may try'
);

select * from finish();
