select plan(7);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ben', 'ann', 'tom']) as name;
insert into app.blocks (blocker_id, blocked_id, created_at)
select tests.id('maya'), tests.id(name), app.now() + make_interval(secs => place)
from unnest(array['jonas', 'ben', 'ann']) with ordinality as blocked (name, place);
select tests.block('lena', 'maya');
select tests.block('jonas', 'lena');

select is(tests.refusal_of(null, $$ select api.list_blocks('{}') $$), '42501', 'guests block nobody');
select tests.act_as('maya');
select is(tests.usernames(api.list_blocks('{}')), array['ann', 'ben', 'jonas'], 'whom one blocks, and not by whom one is blocked');
select is(
  api.list_blocks('{}') -> 'items' -> 0,
  (select app.user_lite(p) from app.profiles as p where p.username = 'ann')
    || jsonb_build_object('blockedAt', app.iso(app.now() + interval '3 seconds')),
  'who they are, and since when'
);
select is(tests.on_pages('list_blocks', '{"limit": 1}'), array['ann', 'ben', 'jonas'], 'page by page');
select is(tests.refusal('list_blocks', '{"cursor": "foreign"}'), 'VALIDATION_FAILED', 'by cursors of its own');
reset role;
delete from app.profiles where username = 'ben';
select tests.block('ann', 'maya');
select tests.act_as('maya');
select is(tests.usernames(api.list_blocks('{}')), array['jonas'], 'without who has left, or is not there for the caller');
select tests.act_as('lena');
select is(api.list_blocks('{}'), jsonb_build_object('items', jsonb_build_array(
  (select app.user_lite(p) || jsonb_build_object('blockedAt', app.iso(app.now())) from app.profiles as p where p.username = 'maya')
), 'nextCursor', null), 'each their own');

select * from finish();
