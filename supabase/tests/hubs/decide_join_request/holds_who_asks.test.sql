select plan(4);

-- Without profiles and what was asked, whose references would hold them as well.
set local session_replication_role = replica;
select tests.elm();
select tests.hub('oak', 'amara');
select tests.join_request('lena asked', 'elm', 'lena', 'rejected');
set local session_replication_role = origin;

create function pg_temp.refusal_of(p_hub text)
returns text
language sql
as $$
  select tests.refusal_of('amara', format('select app.decide_join_request(tests.id(%L), tests.id(%L), %L)', p_hub, 'lena asked', 'approved'))
$$;

-- Who acts is held by their session.
create function pg_temp.held()
returns setof uuid
language sql
as $$ select u.id from app.users as u where u.xmax::text <> '0' and u.id <> tests.id('amara') $$;

select pg_temp.refusal_of('oak');
select is_empty('select pg_temp.held()', 'an admin of another Hub holds nobody');
select is(pg_temp.refusal_of('elm'), 'PT409 JOIN_REQUEST_NOT_PENDING', 'before anything is known of what they asked');
select set_eq('select pg_temp.held()', array[tests.id('lena')], 'whoever asks is held: the end of an account goes the same way');
select isnt_empty($$ select from app.join_requests where xmax::text <> '0' $$, 'and so is what they asked');

select * from finish();
