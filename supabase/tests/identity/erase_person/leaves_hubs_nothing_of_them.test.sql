select plan(4);

select tests.elm();
select tests.hub('ash', 'lena');
select tests.discussion('trams', 'jonas', 'elm');
insert into app.hub_profiles (user_id, display_name) values (tests.id('jonas'), 'Jon'), (tests.id('maya'), 'May');
insert into app.saved_discussions (user_id, discussion_id)
values (tests.id('jonas'), tests.id('trams in elm')), (tests.id('maya'), tests.id('trams in elm'));
select tests.invitation('by him', 'elm', 'jonas', 'one');
select tests.invitation('by her', 'elm', 'maya', 'one');
select tests.invitation('open', 'ash', 'lena', 'jonas');
select tests.invitation(state::text, 'ash', 'lena', 'jonas', state) from unnest(array['accepted', 'declined', 'expired']::app.invitation_state[]) as state;
select tests.invitation('accepted by her', 'ash', 'lena', 'maya', 'accepted');
select tests.join_request('his', 'ash', 'jonas');
select tests.join_request('hers', 'ash', 'maya');
select app.erase_person(tests.id('jonas'));

select results_eq('select user_id from app.hub_profiles', tests.ids('maya'), 'no private profile');
select results_eq('select user_id from app.saved_discussions', tests.ids('maya'), 'nothing saved');
select set_eq(
  'select id from app.hub_invitations', tests.ids('by her', 'open', 'accepted by her'), 'no invitation of theirs, and of their phone open ones alone'
);
select results_eq('select id from app.join_requests', tests.ids('hers'), 'no request');

select * from finish();
