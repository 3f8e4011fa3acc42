select plan(8);

select tests.elm();
select tests.person('anonymous', 1);
select tests.person('two', 2);
select tests.post('trams', 'lena');
select tests.discussion('locked', 'jonas', 'elm');

create function pg_temp.refusal(p_caller text, p_post text)
returns text
language sql
return tests.refusal_of(p_caller, format('select api.create_comment(%L)', tests.arguments(p_post) || '{"text": "Hello"}'));

select is(pg_temp.refusal(null, 'trams'), '42501', 'guests say nothing');
select is(pg_temp.refusal('anonymous', 'trams'), 'PT403 FORBIDDEN', 'nor do the anonymous');
select is(pg_temp.refusal('two', 'trams'), null, 'a registered person does');
select is(pg_temp.refusal('two', 'unknown'), 'PT404 POST_NOT_FOUND', 'about a post');
select is(pg_temp.refusal('two', 'locked'), 'PT404 POST_NOT_FOUND', 'that they see');
select is(pg_temp.refusal('maya', 'locked'), 'PT403 FORBIDDEN', 'and that is not private');
select tests.block('lena', 'maya');
select is(pg_temp.refusal('maya', 'trams'), 'PT404 POST_NOT_FOUND', 'whom its author has blocked finds none');
select is(count(*), 1::bigint, 'all of that leaves nothing') from app.comments;

select * from finish();
