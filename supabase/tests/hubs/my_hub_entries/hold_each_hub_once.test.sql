select plan(2);

select tests.elm();
select tests.hub(name, 'amara') from unnest(array['ash', 'oak', 'fir', 'yew', 'box', 'fig']) as name;
select tests.person('ben', 4);
select tests.membership('elm', 'lena', 'manager');
select tests.membership('ash', 'ben');
select tests.invitation('to elm', 'elm', 'amara', 'lena');
select tests.join_request('ash', 'ash', 'lena');
select tests.invitation('to ash', 'ash', 'amara', 'lena');
select tests.invitation('first', 'oak', 'amara', 'lena');
select tests.membership('oak', 'maya');
select tests.invitation('second', 'oak', 'maya', 'lena');
update app.hub_invitations set created_at = app.now() - interval '1 hour' where id = tests.id('first');
select tests.join_request('fir', 'fir', 'lena', 'rejected');
select tests.invitation('to fir', 'fir', 'amara', 'lena');
select tests.join_request('yew', 'yew', 'ben');
select tests.invitation('to box', 'box', 'amara', 'lena', 'pending', app.now());
select tests.invitation('to fig', 'fig', 'amara', 'ben');
update app.hubs set last_activity_at = app.now() - interval '1 day' where id = tests.id('elm');
update app.join_requests set created_at = app.now() - interval '2 days' where id = tests.id('ash');

select tests.act_as('lena');
select set_eq(
  'select tier, at, hub_id, standing from app.my_hub_entries',
  $$
    values
      (1, app.now() - interval '1 day', tests.id('elm'), ('member', 'manager', null, null)::app.hub_standing),
      (2, app.now() - interval '2 days', tests.id('ash'), ('pending_admin_approval', null, null, tests.id('ash'))::app.hub_standing),
      (3, app.now(), tests.id('oak'), ('invited', null, tests.id('second'), null)::app.hub_standing),
      (3, app.now(), tests.id('fir'), ('invited', null, tests.id('to fir'), null)::app.hub_standing)
  $$,
  'as what the caller is to it first of all'
);
select set_eq(
  'select hub_id, (standing).status, (standing).role, (standing).invitation_id, (standing).join_request_id from app.my_hub_entries',
  $$ select e.hub_id, s.status, s.role, s.invitation_id, s.join_request_id from app.my_hub_entries as e, app.standing_in(e.hub_id) as s $$,
  'which is what they are to it everywhere'
);

select * from finish();
