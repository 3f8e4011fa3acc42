set transaction isolation level serializable;
select plan(6);
select tests.elm();
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placed('locked', 'elm');
select tests.slider('public', 'jonas', 'public_hub');
select tests.post('no slider', 'jonas', 'private_locked_hub');
select tests.placed('no slider', 'elm');

create function pg_temp.refusal(p_caller text, p_post text)
returns text
language sql
return tests.refusal_of(p_caller, format('select api.cast_vote(%L)', tests.arguments(p_post) || '{"position": "left"}'));

select is(pg_temp.refusal('maya', 'locked'), 'PT403 VOTE_NOT_ALLOWED', 'a member casts none');
select is(pg_temp.refusal('jonas', 'locked'), 'PT403 VOTE_NOT_ALLOWED', 'nor does the author');
select is(pg_temp.refusal('lena', 'locked'), 'PT404 POST_NOT_FOUND', 'an outsider finds none to vote on');
select is(pg_temp.refusal('maya', 'no slider'), 'PT409 POST_NOT_VOTABLE', 'without a slider nobody would');
select is_empty('select from app.vote_receipts', 'nothing is counted');
select is(pg_temp.refusal('maya', 'public'), null, 'a public post in a Hub takes votes');

select * from finish();
