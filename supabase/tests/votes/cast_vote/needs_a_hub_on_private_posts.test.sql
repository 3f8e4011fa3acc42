set transaction isolation level serializable;
select plan(9);
select tests.elm();
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placed('locked', 'elm');
select tests.slider('public', 'jonas', 'public_hub');
select tests.placed('public', 'elm');
select tests.post('no slider', 'jonas', 'private_locked_hub');
select tests.placed('no slider', 'elm');

create function pg_temp.refusal(p_caller text, p_post text)
returns text
language sql
return tests.refusal_of(p_caller, format('select api.cast_vote(%L)', tests.arguments(p_post) || '{"position": "left"}'));

select is(pg_temp.refusal('maya', 'no slider'), 'PT409 POST_NOT_VOTABLE', 'without a slider nobody votes');
select is(pg_temp.refusal('lena', 'locked'), 'PT404 POST_NOT_FOUND', 'an outsider finds none to vote on');
select app.end_membership(tests.id('elm'), tests.id('jonas'));
select is(pg_temp.refusal('jonas', 'locked'), 'PT403 VOTE_NOT_ALLOWED', 'an author who has left sees it, and has no Hub to vote in');
select is_empty('select from app.vote_receipts union all select from app.fresh_votes union all select from app.vote_slots', 'nothing is counted');
select is(pg_temp.refusal('maya', 'locked'), null, 'a member votes');
select is(pg_temp.refusal('jonas', 'public'), null, 'on a public post everybody does');
select is(pg_temp.refusal('lena', 'public'), null, 'whether of its Hub or not');
select tests.membership('elm', 'jonas');
select is(pg_temp.refusal('jonas', 'locked'), null, 'and who comes back votes');
select bag_eq('select tests.pools()', array['locked in elm (0,2,0,0,0)', 'public (0,2,0,0,0)'], 'each in the Hubs of that moment');

select * from finish();
