select plan(14);

select tests.elm();
select tests.post('trams', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');
select tests.discussion('locked', 'jonas', 'elm');
select tests.asset('picture', 'jonas');
select tests.asset('other picture', 'maya');

create function pg_temp.say(p_caller text, p_post text, p_author text, p_asset text default null)
returns text
language sql
return tests.refusal_of(p_caller, format(
  'insert into app.comments (post_id, author_id, body, asset_id) values (%L, %L, %L, %L)', tests.id(p_post), tests.id(p_author), 'Hello', tests.id(p_asset)
));

select is(pg_temp.say('jonas', 'trams', 'jonas'), null, 'one comments as oneself');
select is(pg_temp.say('jonas', 'trams', 'maya'), '42501', 'and as nobody else');
select is(pg_temp.say('jonas', 'trams', null), '42501', 'or nobody');
select is(pg_temp.say('jonas', 'hidden', 'jonas'), '42501', 'on what one sees');
select is(pg_temp.say('jonas', 'locked', 'jonas'), '42501', 'and what is not private');
select is(pg_temp.say('maya', 'locked', 'maya'), '42501', 'not even in a Hub of one''s own');
select is(pg_temp.say('jonas', 'trams', 'jonas', 'picture'), null, 'with a picture of one''s own');
select is(pg_temp.say('jonas', 'trams', 'jonas', 'other picture'), '42501', 'and of nobody else');
select is(pg_temp.say(null, 'trams', 'jonas'), '42501', 'guests say nothing');
select tests.block('lena', 'maya');
select is(pg_temp.say('maya', 'trams', 'maya'), '42501', 'nor does who is blocked');
select is_empty($$ select tests.who_may('insert into app.comments (created_at) values (null)') $$, 'nobody chooses when it was said');
select is_empty($$ select tests.who_may('insert into app.comments (reply_count) values (null)') $$, 'or how often it was replied to');
select is_empty($$ select tests.who_may('update app.comments set body = body') $$, 'or rewrites one');
select is_empty($$ select tests.who_may('delete from app.comments') $$, 'or removes one past the operation');

select * from finish();
