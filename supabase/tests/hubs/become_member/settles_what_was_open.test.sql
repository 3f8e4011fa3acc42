select plan(7);

select tests.elm();
select tests.person('ann', 4);
select tests.hub('oak', 'ann');
select tests.invitation('amara''s', 'elm', 'amara', 'lena');
select tests.invitation('maya''s', 'elm', 'maya', 'lena');
select tests.invitation('declined', 'elm', 'maya', 'lena', 'declined');
select tests.invitation('over', 'elm', 'jonas', 'lena', 'pending', app.now());
select tests.invitation('of ann', 'elm', 'amara', 'ann');
select tests.invitation('to oak', 'oak', 'ann', 'lena');
select tests.join_request('lena asks', 'elm', 'lena');
select tests.join_request('lena asked', 'elm', 'lena', 'rejected');
select tests.join_request('ann asks', 'elm', 'ann');
select tests.join_request('of oak', 'oak', 'lena');
select app.become_member(tests.id('elm'), tests.id('lena'));

create function pg_temp.invitations(p_state app.invitation_state)
returns setof text
language sql
as $$
  select name
  from unnest(array['amara''s', 'maya''s', 'declined', 'over', 'of ann', 'to oak']) as name
  join app.hub_invitations as i on i.id = tests.id(name)
  where i.state = p_state
$$;

create function pg_temp.requests(p_state app.join_request_state)
returns setof text
language sql
as $$
  select name
  from unnest(array['lena asks', 'lena asked', 'ann asks', 'of oak']) as name
  join app.join_requests as r on r.id = tests.id(name)
  where r.state = p_state
$$;

select results_eq(
  $$ select role, joined_at from app.memberships where hub_id = tests.id('elm') and user_id = tests.id('lena') $$,
  $$ values ('member'::app.hub_role, app.now()) $$, 'somebody becomes a member, and no more than that'
);
select bag_eq($$ select pg_temp.invitations('accepted') $$, array['amara''s', 'maya''s'], 'all their open invitations to the Hub are accepted');
select bag_eq($$ select pg_temp.invitations('pending') $$, array['over', 'of ann', 'to oak'], 'and no others');
select bag_eq($$ select pg_temp.requests('approved') $$, array['lena asks'], 'and what they asked is approved');
select bag_eq($$ select pg_temp.requests('pending_admin_approval') $$, array['ann asks', 'of oak'], 'and nothing else');
select results_eq(
  'select type, actor_id, subject_id, hub_id from app.events',
  $$ values ('hub_member_joined'::app.event_type, tests.id('lena'), tests.id('lena'), tests.id('elm')) $$, 'the members are told'
);
select is_empty($$ select tests.who_may('select app.become_member(null, null)') $$, 'and this is not for anybody to call');

select * from finish();
