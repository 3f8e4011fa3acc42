select plan(10);

select tests.elm();
select tests.person('ann', 4);
select tests.hub('oak', 'ann');

create function pg_temp.standing(p_caller text default 'lena')
returns app.hub_standing
language plpgsql
as $$
begin
  perform set_config('request.jwt.claims', coalesce(tests.claims(p_caller)::text, ''), true);
  perform set_config('role', case when p_caller is null then 'anon' else 'authenticated' end, true);
  return app.standing_in(tests.id('elm'));
end
$$;

select is(pg_temp.standing(), row('none', null, null, null)::app.hub_standing, 'an outsider is nothing to a Hub');
select is(pg_temp.standing(null), row('none', null, null, null)::app.hub_standing, 'nor is a guest');
select is(pg_temp.standing('maya'), row('member', 'manager', null, null)::app.hub_standing, 'a member is, with their role');
reset role;
select tests.invitation('note', 'elm', 'jonas', 'lena');
update app.hub_invitations set created_at = created_at - interval '2 minutes';
select tests.invitation('newest', 'elm', 'maya', 'lena');
update app.hub_invitations set created_at = created_at - interval '1 minute';
select tests.invitation('to oak', 'oak', 'ann', 'lena');
select is(pg_temp.standing(), row('invited', null, tests.id('newest'), null)::app.hub_standing, 'who is invited is that, by the latest invitation');
reset role;
select tests.join_request('of oak', 'oak', 'lena');
select tests.join_request('rejected', 'elm', 'lena', 'rejected');
select is((pg_temp.standing()).status, 'invited', 'what was asked of others, or is decided, does not count');
reset role;
select tests.join_request('asked', 'elm', 'lena');
select is(pg_temp.standing(), row('pending_admin_approval', null, null, tests.id('asked'))::app.hub_standing, 'who asks waits, first of all');
select is((pg_temp.standing('maya')).status, 'member', 'a member is one, first of all');
reset role;
select tests.invitation('of ann', 'elm', 'amara', 'ann');
select is((pg_temp.standing('ann')).invitation_id, tests.id('of ann'), 'one''s own count');
reset role;
select is((app.standing_in(tests.id('elm'))).status, 'invited', 'and nobody else''s, even where no policy hides them');
select tests.act_as_guest();
reset role;
select set_eq($$ select tests.who_may('select app.standing_in(null)') $$, array['anon', 'authenticated'], 'guests look as well');

select * from finish();
