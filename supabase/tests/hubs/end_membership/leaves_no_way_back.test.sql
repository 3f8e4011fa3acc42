select plan(5);

select tests.elm();
select tests.hub('oak', 'jonas');
select tests.invitation('amara''s', 'elm', 'amara', 'jonas');
select tests.invitation('maya''s', 'elm', 'maya', 'jonas');
select tests.invitation('accepted', 'elm', 'maya', 'jonas', 'accepted');
select tests.invitation('of lena', 'elm', 'amara', 'lena');
select tests.invitation('by jonas', 'elm', 'jonas', 'ann');
select tests.hub('ash', 'lena');
select tests.invitation('to ash', 'ash', 'lena', 'jonas');
select app.end_membership(tests.id('elm'), tests.id('jonas'));

create function pg_temp.invitations(p_state app.invitation_state)
returns setof text
language sql
as $$
  select name
  from unnest(array['amara''s', 'maya''s', 'accepted', 'of lena', 'by jonas', 'to ash']) as name
  join app.hub_invitations as i on i.id = tests.id(name)
  where i.state = p_state
$$;

select bag_eq(
  $$ select tests.members(hub) from unnest(array['elm', 'oak']) as hub $$, array['amara: admin', 'maya: manager', 'jonas: admin'],
  'one membership ends'
);
select bag_eq($$ select pg_temp.invitations('expired') $$, array['amara''s', 'maya''s'], 'their open invitations to this Hub expire');
select bag_eq($$ select pg_temp.invitations('pending') $$, array['of lena', 'by jonas', 'to ash'], 'and nobody else''s, or of other Hubs');
select bag_eq($$ select pg_temp.invitations('accepted') $$, array['accepted'], 'what was over stays as it was');
select is_empty($$ select tests.who_may('select app.end_membership(null, null)') $$, 'moves alone end memberships');

select * from finish();
