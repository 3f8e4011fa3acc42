select plan(5);

select tests.elm();
select tests.post('public', 'jonas');
select tests.post('in a Hub', 'jonas', 'public_hub');
select tests.discussion('locked', 'jonas', 'elm');
select is(tests.refusal_of(null, $$ select app.require_commentable(tests.id('public')) $$), null, 'a public one');
select is(tests.refusal_of(null, $$ select app.require_commentable(tests.id('in a Hub')) $$), null, 'in Hubs or not');
select is(tests.refusal_of('maya', $$ select app.require_commentable(tests.id('locked')) $$), 'PT403 FORBIDDEN', 'a private one is for no member');
select is(tests.refusal_of('jonas', $$ select app.require_commentable(tests.id('locked')) $$), 'PT403 FORBIDDEN', 'or its author');
select is(tests.refusal_of('lena', $$ select app.require_commentable(tests.id('locked')) $$), 'PT404 POST_NOT_FOUND', 'and to others not there');

select * from finish();
