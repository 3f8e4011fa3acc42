begin;
select plan(53);
savepoint empty;

-- comments: are seen with their post
select tests.elm();
select tests.person('ann');
select tests.post('trams', 'lena');
select tests.post('bikes', 'maya', 'public_hub');
select tests.comment(name, name, 'trams') from unnest(array['jonas', 'maya', 'ann']) as name;
select tests.comment('reply of jonas', 'jonas', 'trams', 'maya');

create function pg_temp.seen(p_caller text)
returns text[]
language plpgsql
as $$
declare
  v_seen text[];
begin
  if p_caller is null then
    perform tests.authenticate_as_guest();
  else
    perform tests.authenticate_as(p_caller);
  end if;
  v_seen := array(select coalesce(c.body, 'nothing') from app.comments as c order by c.body nulls first);
  perform set_config('role', 'none', true);
  return v_seen;
end
$$;

select is(pg_temp.seen(null), '{ann,jonas,maya,"reply of jonas"}', 'guests see them');
select is(pg_temp.seen('amara'), '{ann,jonas,maya,"reply of jonas"}', 'and members');
select tests.comment('reply of ann', 'ann', 'trams', 'maya');
select tests.block('maya', 'jonas');
select is(pg_temp.seen('maya'), '{ann,maya,"reply of ann"}', 'who blocks somebody sees nothing by them');
select is(pg_temp.seen('jonas'), '{ann,jonas,"reply of jonas"}', 'as do they, nor what others replied to it; their own they do');
select is(pg_temp.seen('ann'), '{ann,jonas,maya,"reply of ann","reply of jonas"}', 'others see both');
select app.end_user(tests.id('ann'));
select is(pg_temp.seen(null), '{jonas,maya,"reply of jonas"}', 'what an ended account said is hidden');
select is(pg_temp.seen('ann'), '{ann,jonas,maya,"reply of ann","reply of jonas"}', 'from everybody else');
update app.comments set author_id = null, body = null where id = tests.id('maya');
select is(pg_temp.seen('jonas'), '{nothing,jonas,"reply of jonas"}', 'of a deleted one its place is seen by anybody');
select tests.block('lena', 'amara');
select is(pg_temp.seen('amara'), '{}', 'nothing is seen of a hidden post');
select tests.block('lena', 'jonas');
select is(pg_temp.seen('jonas'), '{jonas,"reply of jonas"}', 'but what one said oneself');
select is(pg_temp.seen('maya'), '{nothing}', 'and of a thread what nobody keeps from one');
update app.posts set visibility = 'private_locked_hub' where id = tests.id('trams');
select is(pg_temp.seen(null), '{}', 'of any sort');
select is(pg_temp.seen('lena'), '{nothing}', 'though by its author');

rollback to empty;

-- comments: are written by who sees the post
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

rollback to empty;

-- comments: hold to their rules
select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.asset('picture', 'jonas');
select tests.post('trams', 'maya');
select tests.post('bikes', 'maya');
select tests.comment('root', 'jonas', 'trams');
select tests.comment('reply', 'maya', 'trams', 'root');

create function pg_temp.violation(p_author uuid, p_body text, p_asset uuid, p_parent uuid default null)
returns text
language sql
return tests.violation_of(format(
  'insert into app.comments (post_id, author_id, body, asset_id, parent_id) values (%L, %L, %L, %L, %L)', tests.id('trams'), p_author, p_body, p_asset, p_parent
));

select is(pg_temp.violation(tests.id('jonas'), null, null), 'comments_have_content', 'something is said');
select is(pg_temp.violation(tests.id('jonas'), null, tests.id('picture')), null, 'or shown');
select is(pg_temp.violation(tests.id('jonas'), '', null), 'comments_body_length', 'an empty text is none');
select is(pg_temp.violation(tests.id('jonas'), '!', null), null, 'one has a character');
select is(pg_temp.violation(tests.id('jonas'), repeat('é', 2000), null), null, 'or 2000');
select is(pg_temp.violation(tests.id('jonas'), repeat('é', 2001), null), 'comments_body_length', 'at most');
select is(pg_temp.violation(null, 'Hello', null), 'comments_without_author_hold_a_thread', 'nobody says nothing');
select is(pg_temp.violation(null, null, tests.id('picture')), 'comments_without_author_hold_a_thread', 'and shows nothing');
select is(pg_temp.violation(null, null, null, tests.id('root')), 'comments_without_author_hold_a_thread', 'and replies to nothing');
select is(
  tests.violation_of($$ select tests.comment('elsewhere', 'maya', 'bikes', 'root') $$), 'comments_parent_is_beside', 'a reply is where its root is'
);
select is(
  tests.violation_of($$ select tests.comment('deeper', 'maya', 'trams', 'reply') $$), 'comments_replies_have_none', 'a reply has no replies'
);
select is(
  tests.violation_of($$ update app.comments set reply_count = 1 where id = tests.id('reply') $$), 'comments_replies_have_none', 'however that is said'
);
select is(
  tests.violation_of($$ update app.comments set reply_count = -1 where id = tests.id('root') $$), 'comments_reply_count_is_not_negative', 'nor a root less than none'
);
select is(tests.violation_of('delete from app.assets'), 'comments_asset_id_fkey', 'no picture goes as long as it is shown');
select is(tests.violation_of('insert into app.comments select * from app.comments'), 'comments_pkey', 'each has an id');
select is(created_at, app.now(), 'and a time') from app.comments where id = tests.id('root');
delete from app.comments where id = tests.id('root');
select is_empty($$ select from app.comments where id = tests.id('reply') $$, 'replies go with their root');
select tests.comment('of maya', 'maya', 'trams');
delete from app.events;
delete from app.posts where id = tests.id('bikes');
select isnt_empty('select from app.comments', 'what is said elsewhere stays');
select tests.person('ben');
select tests.comment('of ben', 'ben', 'trams');
select isnt_empty($$ select from app.comments where id = tests.id('of ben') $$, 'what somebody says');
delete from app.users where id = tests.id('ben');
select is_empty($$ select from app.comments where id = tests.id('of ben') $$, 'goes with their row');
delete from app.posts;
select is_empty('select from app.comments', 'and with its post');

rollback to empty;

-- comments: release their pictures
select tests.elm();
select tests.asset(name, 'jonas') from unnest(array['one', 'two', 'three', 'four']) as name;
select tests.post('trams', 'maya');
select tests.comment(name, 'jonas', 'trams') from unnest(array['first', 'second', 'third', 'fourth']) as name;
update app.comments set asset_id = tests.id('one') where id = any (tests.ids('first', 'second'));
update app.comments set asset_id = tests.id('two') where id = tests.id('third');
update app.comments set asset_id = tests.id('three') where id = tests.id('fourth');
select is_empty('select tests.to_be_removed()', 'what is shown now and was not before stays');
update app.comments set asset_id = null where id = tests.id('first');
select is_empty('select tests.to_be_removed()', 'and what another comment shows');
update app.comments set asset_id = null where id = tests.id('second');
select set_eq('select tests.to_be_removed()', tests.ids('one'), 'what none shows any more goes');
delete from app.comments where id = tests.id('third');
select set_eq('select tests.to_be_removed()', tests.ids('one', 'two'), 'as it does with its comment');
delete from app.posts;
select set_eq('select tests.to_be_removed()', tests.ids('one', 'two', 'three'), 'and its post; what never was shown does not');

select * from finish();
rollback;
