select plan(5);

select tests.elm();
select tests.invitation('expired for long', 'elm', 'amara', 'lena', 'pending', app.now() - interval '30 days');
select tests.invitation('expired', 'elm', 'jonas', 'lena', 'expired', app.now() - interval '30 days' + interval '1 second');
select tests.link('over', 'elm', p_expires_at => app.now());
select tests.link('open', 'elm', p_expires_at => app.now() + interval '1 second');
insert into app.hub_presence (hub_id, seen_in, member_count)
values
  (tests.id('elm'), app.now() - interval '25 hours', 1), (tests.id('elm'), app.now() - interval '25 hours' + interval '1 second', 2);
select tests.join_request('rejected', 'elm', 'lena', 'rejected');
update app.join_requests set created_at = app.now() - interval '1 year';
select app.prune_hubs();

select results_eq('select id from app.hub_invitations', array[tests.id('expired')], 'invitations go 30 days after they have expired');
select results_eq('select id from app.invite_links', array[tests.id('open')], 'invite links at once');
select results_eq('select member_count from app.hub_presence', array[2], 'presence after a day and an hour');
select isnt_empty('select from app.join_requests', 'what was asked stays');
select set_eq($$ select tests.who_may('select app.prune_hubs()') $$, array['opine_worker'], 'the worker does this');

select * from finish();
