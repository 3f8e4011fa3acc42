begin;
select plan(21);
savepoint empty;

-- limit_exports allows three exports per day (docs/product.md W26).
select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.authenticate_as('maya');
select is(
  array(select tests.error_of('select app.limit_exports()') ->> 'code' from generate_series(1, 4)),
  array[null, null, null, 'RATE_LIMITED'], 'limit_exports refuses the fourth export of a day'
);
select is(
  tests.error_of($$ select api.export_own_data('{}') $$) -> 'details', '{"retryAfterSeconds": 28800}',
  'export_own_data is refused beyond the rate limit, with a retry after eight hours'
);
select tests.authenticate_as('jonas');
select lives_ok('select app.limit_exports()', 'limit_exports counts the exports of each user separately');

rollback to empty;

-- export_feed_shares includes shares of posts that a block hides.
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.post('trams', 'lena');
select tests.feed_share('maya', 'trams');
select tests.feed_share('jonas', 'trams');
select tests.block('lena', 'maya');
select tests.authenticate_as('maya');
select results_eq(
  $$ select item ->> 'postId' from app.export_feed_shares() as item $$, array[tests.id('trams')::text],
  'export_feed_shares returns the own share of a hidden post, and no share of others'
);

rollback to empty;

-- export_messages includes messages in Hubs that the caller left (docs/product.md X2).
select tests.elm();
select tests.discussion('trams', 'amara', 'elm');
select tests.message('of maya', 'maya', 'trams in elm');
select tests.message('of jonas', 'jonas', 'trams in elm', 'of maya');
delete from app.memberships where user_id = tests.id('jonas');
select tests.authenticate_as('jonas');
select is_empty('select from app.messages', 'a former member sees no message of the Hub');
select results_eq(
  'select app.export_messages()',
  $$
    values (jsonb_build_object(
      'id', tests.id('of jonas'), 'hubId', tests.id('elm'), 'text', 'of jonas', 'assetId', null, 'altText', null,
      'createdAt', app.iso(app.now())
    ))
  $$,
  'export_messages returns the own messages of a former member, without the messages they answer'
);
select tests.authenticate_as('lena');
select is_empty('select app.export_messages()', 'export_messages returns nothing to a user without messages');

rollback to empty;

-- export_notifications returns the visible notifications of the caller.
select tests.elm();
select tests.notification('of maya', 'jonas', p_actor => 'maya');
select tests.notification('of lena', 'jonas', p_actor => 'lena');
select tests.notification('to maya', 'maya', p_actor => 'lena');
select tests.authenticate_as('jonas');
select bag_eq(
  $$ select item ->> 'id' as id, item ->> 'actorId' as actor from app.export_notifications() as item $$,
  $$
    select tests.id('of ' || name)::text as id, tests.id(name)::text as actor from unnest(array['maya', 'lena']) as name
  $$,
  'export_notifications returns the notifications of the caller alone'
);
reset role;
select tests.block('lena', 'jonas');
select tests.authenticate_as('jonas');
select results_eq(
  $$ select item ->> 'id' from app.export_notifications() as item $$, array[tests.id('of maya')::text],
  'export_notifications omits a notification of a user who blocked the caller'
);
select is(
  array(select (item ->> 'id')::uuid from app.export_notifications() as item),
  tests.item_ids(api.list_notifications('{}')),
  'export_notifications returns the same notifications as list_notifications'
);

rollback to empty;

-- export_placements returns the placements that the caller made.
select tests.elm();
select tests.post('trams', 'lena');
select tests.placement('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select tests.post('benches', 'jonas', 'private_locked_hub');
select tests.placement('benches', 'elm', p_by => 'maya');
delete from app.memberships where user_id = tests.id('jonas');
select tests.authenticate_as('jonas');
select results_eq(
  'select app.export_placements()',
  $$
    values (jsonb_build_object(
      'postId', tests.id('trams'), 'hubId', tests.id('elm'), 'kind', 'shared', 'placedAt', app.iso(app.now())
    ))
  $$,
  'export_placements returns own placements of posts by others, in Hubs that the caller left'
);
select tests.authenticate_as('lena');
select is_empty('select app.export_placements()', 'export_placements omits a placement of an own post by another user');

rollback to empty;

-- export_section returns the newest items that fit into the given size (docs/product.md X4).
select tests.person('maya');
select tests.post(name, 'maya') from unnest(array['one', 'two', 'three']) as name;
update app.posts set created_at = app.now() + interval '1 second' where id = tests.id('two');
select tests.authenticate_as('maya');
create temporary table whole as select * from app.export_section('export_posts', 1000000);
select is(is_whole, true, 'export_section reports a section that fits as whole') from whole;
select results_eq(
  $$ select size, jsonb_array_length(items) from whole $$,
  $$ select sum(octet_length(item::text))::integer, 3 from whole, jsonb_array_elements(items) as item $$,
  'export_section returns every item of a section that fits, and the size in bytes'
);
select results_eq(
  $$
    select items, is_whole from app.export_section('export_posts', (select octet_length((items -> 0)::text) from whole))
  $$,
  $$ select jsonb_build_array(items -> 0), false from whole where items #>> '{0,id}' = tests.id('two')::text $$,
  'export_section cuts a section after the newest items that fit'
);
select results_eq(
  $$ select items, size, is_whole from app.export_section('export_posts', 1) $$, $$ values ('[]'::jsonb, 0, false) $$,
  'export_section returns an empty section if no item fits'
);

rollback to empty;

-- A section has at most 8 MiB, and all sections have 32 MiB (docs/product.md X4).
select tests.person('maya');
do $do$
declare
  v_section text;
begin
  foreach v_section in array array['posts', 'reposts', 'comments', 'messages', 'notifications'] loop
    execute format(
      $$
        create or replace function app.export_%s() returns setof jsonb language sql stable
        as 'select to_jsonb(repeat(''x'', 1024 * 1024 - 2)) from generate_series(1, 9)'
      $$,
      v_section
    );
  end loop;
end
$do$;
select tests.authenticate_as('maya');
create temporary table exported as select api.export_own_data('{}') as data;
select is(
  array(select jsonb_array_length(data -> name) from unnest(array['posts', 'reposts', 'comments', 'messages']) as name),
  array[8, 8, 8, 7], 'the export has at most 8 MiB of each section, and 32 MiB in all'
)
from exported;
select is(
  data -> 'incomplete', '["posts", "reposts", "comments", "messages", "notifications"]',
  'the export names the sections that it cuts'
)
from exported;

rollback to empty;

-- export_sent_invitations returns the invitations that the caller sent.
select tests.elm();
select tests.invitation('of lena', 'elm', 'jonas', 'lena');
select tests.invitation('of ben', 'elm', 'maya', 'ben');
delete from app.memberships where user_id = tests.id('jonas');
select tests.authenticate_as('jonas');
select results_eq(
  $$ select item ->> 'id', item ->> 'phoneNumber', item ->> 'state' from app.export_sent_invitations() as item $$,
  $$ values (tests.id('of lena')::text, tests.phone_of('lena'), 'pending') $$,
  'export_sent_invitations returns the invitations that a former member sent, and none of others'
);
select tests.authenticate_as('lena');
select is_empty(
  'select app.export_sent_invitations()', 'export_sent_invitations omits an invitation that the caller received'
);

rollback to empty;

-- export_votes returns post and minute of each vote, and no position (docs/product.md X3).
select tests.elm();
select tests.slider('trams', 'lena');
select tests.vote('maya', 'trams', 'left');
select tests.vote('jonas', 'trams', 'right');
select tests.authenticate_as('maya');
select results_eq(
  'select app.export_votes()',
  $$ values (jsonb_build_object('postId', tests.id('trams'), 'votedAt', app.iso(date_trunc('minute', app.now())))) $$,
  'export_votes returns post and minute of the own vote'
);

select * from finish();
rollback;
