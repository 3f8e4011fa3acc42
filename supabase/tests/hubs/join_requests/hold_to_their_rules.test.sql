select plan(5);

select tests.elm();
insert into app.join_requests (hub_id, user_id, source) values (tests.id('elm'), tests.id('lena'), 'invite_link');
select results_eq(
  'select state, created_at from app.join_requests', $$ values ('pending_admin_approval'::app.join_request_state, app.now()) $$,
  'a join request begins now, open'
);
select is(tests.violation_of($$ select tests.join_request('again', 'elm', 'lena') $$), 'join_requests_pending_key', 'one asks once at a time');
select is(tests.violation_of($$ select tests.join_request('past', 'elm', 'lena', 'rejected') $$), null, 'what is decided is in nobody''s way');
select tests.hub('oak', 'amara');
select is(tests.violation_of($$ select tests.join_request('other', 'oak', 'lena') $$), null, 'one may ask of other Hubs');
select is(tests.violation_of($$ select tests.join_request('ann asks', 'elm', 'amara') $$), null, 'as may others');

select * from finish();
