select plan(14);

select tests.elm();
select tests.person('ann', 4);
select tests.invitation('note', 'elm', 'amara', 'lena');
select tests.link('door', 'elm');
select tests.join_request('ann asks', 'elm', 'ann');

create function pg_temp.is_locked(p_hub text)
returns boolean
language sql
as $$
  select exists (
    select from pg_locks as l
    where l.locktype = 'advisory' and l.pid = pg_backend_pid()
      and (l.classid::bigint << 32) | l.objid::bigint = hashtextextended('hub ' || tests.id(p_hub), 0)
  )
$$;

create function pg_temp.locks_by(p_caller text, p_statement text)
returns text
language plpgsql
as $$
declare
  v_locked text;
begin
  perform tests.act_as(p_caller);
  execute p_statement;
  raise exception using message = pg_temp.is_locked('elm');
exception when raise_exception then
  return sqlerrm;
end
$$;

select is(pg_temp.locks_by('amara', 'select'), 'f', 'nobody holds the Hub');
select is(pg_temp.locks_by('maya', $$ select app.put_invitation(tests.id('elm'), '+12025550100', tests.hash('token')) $$), 't', 'who invites does');
select is(pg_temp.locks_by('lena', $$ select app.accept_invitation(tests.id('note')) $$), 't', 'who accepts');
select is(pg_temp.locks_by('lena', $$ select app.decline_invitation(tests.id('note')) $$), 't', 'who declines');
select is(pg_temp.locks_by('lena', $$ select app.request_to_join(tests.hash('door')) $$), 't', 'who asks');
select is(
  pg_temp.locks_by('amara', format('select app.decide_join_request(tests.id(%L), tests.id(%L), %L)', 'elm', 'ann asks', verdict)), 't',
  'who decides: ' || verdict
)
from unnest(array['approved', 'rejected']) as verdict;
select is(pg_temp.locks_by('jonas', $$ select app.leave_hub(tests.id('elm')) $$), 't', 'who leaves');
select is(pg_temp.locks_by('amara', $$ select app.remove_member(tests.id('elm'), tests.id('jonas')) $$), 't', 'who removes');
select is(pg_temp.locks_by('amara', $$ select app.put_role(tests.id('elm'), tests.id('jonas'), 'admin') $$), 't', 'who gives a role');
reset role;
select app.leave_hubs(tests.id('ann'));
select ok(not pg_temp.is_locked('elm'), 'who leaves no Hub holds none');
select app.leave_hubs(tests.id('jonas'));
select ok(pg_temp.is_locked('elm'), 'whose account has ended');
select ok(not pg_temp.is_locked('oak'), 'each Hub by itself');
select is_empty($$ select tests.who_may('select app.lock_hub(null)') $$, 'and nobody without a move');

select * from finish();
