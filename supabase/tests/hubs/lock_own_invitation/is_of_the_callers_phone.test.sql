select plan(11);

select tests.elm();
select tests.person('ann', 4);
select tests.hub('oak', 'ann');
select tests.invitation('note', 'elm', 'amara', 'lena');
select tests.invitation('over', 'elm', 'maya', 'lena', 'pending', app.now());
select tests.invitation(state::text, 'elm', 'jonas', 'lena', state)
from unnest(array['accepted', 'declined', 'expired']::app.invitation_state[]) as state;
select tests.invitation('to oak', 'oak', 'ann', 'lena');
select tests.close_hub('oak');

create function pg_temp.refusal_of(p_caller text, p_name text)
returns text
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', tests.claims(p_caller)::text, true);
  return tests.error_of(format('select app.lock_own_invitation(tests.id(%L))', p_name)) ->> 'code';
end
$$;

select is(pg_temp.refusal_of('lena', 'note'), null, 'one''s own is found');
select is(pg_temp.refusal_of('jonas', 'note'), 'INVITATION_NOT_FOUND', 'nobody else''s is, not even by a member');
select is(pg_temp.refusal_of('jonas', 'over'), 'INVITATION_NOT_FOUND', 'whatever has become of it');
select is(pg_temp.refusal_of('lena', 'nothing'), 'INVITATION_NOT_FOUND', 'nor is any that is not there');
select is(pg_temp.refusal_of('lena', 'to oak'), 'INVITATION_NOT_FOUND', 'nor one to a Hub that has closed');
select is(pg_temp.refusal_of('lena', 'over'), 'INVITATION_NOT_PENDING', 'it may have expired');
select is(pg_temp.refusal_of('lena', state), 'INVITATION_NOT_PENDING', 'or be ' || state) from unnest(array['accepted', 'declined', 'expired']) as state;
select is((app.lock_own_invitation(tests.id('note'))).id, tests.id('note'), 'who locks it has it');
select is_empty($$ select tests.who_may('select app.lock_own_invitation(null)') $$, 'moves alone lock');

select * from finish();
