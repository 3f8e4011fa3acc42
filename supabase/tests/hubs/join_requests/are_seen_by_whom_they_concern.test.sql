select plan(6);

select tests.elm();
select tests.person('ann', 4);
select tests.hub('oak', 'ann');
select tests.join_request('lena asks', 'elm', 'lena');

create function pg_temp.sees(p_caller text)
returns boolean
language plpgsql
as $$
begin
  perform tests.act_as(p_caller);
  return exists (select from app.join_requests);
end
$$;

select ok(pg_temp.sees('lena'), 'who asks sees it');
select ok(pg_temp.sees('amara'), 'so does an admin');
select ok(pg_temp.sees('maya'), 'and a manager');
select ok(not pg_temp.sees('jonas'), 'a member does not');
select ok(not pg_temp.sees('ann'), 'nor an outsider');
select tests.act_as_guest();
select throws_ok('select from app.join_requests', '42501', null, 'nor a guest');

select * from finish();
