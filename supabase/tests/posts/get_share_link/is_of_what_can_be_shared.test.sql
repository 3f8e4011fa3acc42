select plan(7);

select tests.elm();
select tests.person('anonymous', 1);
select tests.person('two', 2);
select tests.post('trams', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');
select tests.discussion('locked', 'jonas', 'elm');
update app.posts set is_shareable = false where visibility = 'private_locked_hub';

create function pg_temp.refusal(p_caller text, p_post text)
returns text
language sql
return tests.refusal_of(p_caller, format('select api.get_share_link(%L)', tests.arguments(p_post)));

select is(pg_temp.refusal(null, 'trams'), '42501', 'guests get none');
select is(pg_temp.refusal('anonymous', 'trams'), 'PT403 FORBIDDEN', 'nor do the anonymous');
select is(pg_temp.refusal('maya', 'hidden'), 'PT404 POST_NOT_FOUND', 'of what is hidden there is none');
select is(pg_temp.refusal('maya', 'unknown'), 'PT404 POST_NOT_FOUND', 'as of what never was');
select is(pg_temp.refusal('maya', 'locked'), 'PT409 POST_NOT_SHAREABLE', 'nor of what is for one Hub');
select is(pg_temp.refusal('jonas', 'locked'), 'PT409 POST_NOT_SHAREABLE', 'for its author either');
select tests.act_as('two');
select is(api.get_share_link(tests.arguments('trams')), tests.arguments('trams'), 'else it is of the post');

select * from finish();
