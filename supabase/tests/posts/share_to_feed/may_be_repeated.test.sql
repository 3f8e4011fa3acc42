select plan(9);

select tests.elm();
select tests.person('anonymous', 1);
select tests.person('two', 2);
select tests.post('trams', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');

create function pg_temp.refusal(p_caller text, p_post text)
returns text
language sql
return tests.refusal_of(p_caller, format('select api.share_to_feed(%L)', tests.arguments(p_post)));

select is(pg_temp.refusal(null, 'trams'), '42501', 'guests share nothing');
select is(pg_temp.refusal('anonymous', 'trams'), 'PT403 FORBIDDEN', 'nor do the anonymous');
select is(pg_temp.refusal('maya', 'hidden'), 'PT404 POST_NOT_FOUND', 'what is hidden is not found');
select is(pg_temp.refusal('maya', 'unknown'), 'PT404 POST_NOT_FOUND', 'as what never was');
select tests.act_as('two');
create temporary table answers as select api.share_to_feed(tests.arguments('trams')) as first;
select is(
  first - 'shareId', jsonb_build_object('postId', tests.id('trams'), 'sharedAt', app.iso(app.now())), 'a registered person shares'
)
from answers;
reset role;
select app.set_clock_offset('1 minute');
select tests.act_as('two');
create temporary table later as select api.share_to_feed(tests.arguments('trams')) as second;
select is(second ->> 'sharedAt', app.iso(app.now()), 'and again, later') from later;
select isnt(second -> 'shareId', first -> 'shareId', 'which is another share') from answers, later;
select results_eq(
  'select s.id, s.user_id, s.post_id, s.shared_at from app.feed_shares as s',
  $$ select (second ->> 'shareId')::uuid, tests.id('two'), tests.id('trams'), app.now() from later $$, 'the last one counts'
);
select tests.act_as('lena');
select is(api.share_to_feed(tests.arguments('trams')) -> 'postId', to_jsonb(tests.id('trams')), 'one''s own is shared as well');

select * from finish();
