begin;
select plan(21);
savepoint empty;

-- limit_exports: is three a day
select tests.person(name) from unnest(array['maya', 'jonas']) as name;
select tests.authenticate_as('maya');
select is(
  array(select tests.error_of('select app.limit_exports()') ->> 'code' from generate_series(1, 4)),
  array[null, null, null, 'RATE_LIMITED'], 'three are free'
);
select is(
  tests.error_of($$ select api.export_own_data('{}') $$) -> 'details', '{"retryAfterSeconds": 28800}', 'the next one eight hours later'
);
select tests.authenticate_as('jonas');
select lives_ok('select app.limit_exports()', 'to each');

rollback to empty;

-- export_feed_shares: are of hidden posts too
select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.post('trams', 'lena');
select tests.feed_share('maya', 'trams');
select tests.feed_share('jonas', 'trams');
select tests.block('lena', 'maya');
select tests.authenticate_as('maya');
select is_empty('select from app.feed_shares where user_id = tests.id(''maya'')', 'a post that is hidden is shown as shared by nobody');
select results_eq(
  $$ select item ->> 'postId' from app.export_feed_shares() as item $$, array[tests.id('trams')::text], 'who did it has it all the same, once'
);

rollback to empty;

-- export_messages: are of hubs left too
select tests.elm();
select tests.discussion('trams', 'amara', 'elm');
select tests.message('hers', 'maya', 'trams in elm');
select tests.message('his', 'jonas', 'trams in elm', 'hers');
delete from app.memberships where user_id = tests.id('jonas');
select tests.authenticate_as('jonas');
select is_empty('select from app.messages', 'who has left sees no message');
select results_eq(
  'select app.export_messages()',
  $$ values (jsonb_build_object(
    'id', tests.id('his'), 'hubId', tests.id('elm'), 'text', 'his', 'assetId', null, 'createdAt', app.iso(app.now())
  )) $$,
  'and has their own words, not what they answered'
);
select tests.authenticate_as('lena');
select is_empty('select app.export_messages()', 'who said nothing has none');

rollback to empty;

-- export_notifications: are those one sees
select tests.elm();
select tests.notification('of maya', 'jonas', p_actor => 'maya');
select tests.notification('of lena', 'jonas', p_actor => 'lena');
select tests.notification('of others', 'maya', p_actor => 'lena');
select tests.authenticate_as('jonas');
select bag_eq(
  $$ select item ->> 'id' as id, item ->> 'actorId' as actor from app.export_notifications() as item $$,
  $$ select tests.id('of ' || name)::text as id, tests.id(name)::text as actor from unnest(array['maya', 'lena']) as name $$, 'one''s own'
);
reset role;
select tests.block('lena', 'jonas');
select tests.authenticate_as('jonas');
select results_eq(
  $$ select item ->> 'id' from app.export_notifications() as item $$, array[tests.id('of maya')::text], 'without those of who blocks one'
);
select is(
  array(select (item ->> 'id')::uuid from app.export_notifications() as item), tests.listed(api.list_notifications('{}')), 'as the inbox has them'
);

rollback to empty;

-- export_placements: are of who placed
select tests.elm();
select tests.post('trams', 'lena');
select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select tests.post('benches', 'jonas', 'private_locked_hub');
select tests.placed('benches', 'elm', p_by => 'maya');
delete from app.memberships where user_id = tests.id('jonas');
select tests.authenticate_as('jonas');
select results_eq(
  'select app.export_placements()',
  $$ values (jsonb_build_object('postId', tests.id('trams'), 'hubId', tests.id('elm'), 'kind', 'shared', 'placedAt', app.iso(app.now()))) $$,
  'one''s own, whoever wrote the post, in Hubs that one has left too'
);
select tests.authenticate_as('lena');
select is_empty('select app.export_placements()', 'and not one''s own post by whoever placed it');

rollback to empty;

-- export_section: holds what there is room for
select tests.person('maya');
select tests.post(name, 'maya') from unnest(array['one', 'two', 'three']) as name;
update app.posts set created_at = app.now() + interval '1 second' where id = tests.id('two');
select tests.authenticate_as('maya');
create temporary table whole as select * from app.export_section('export_posts', 1000000);
select is(is_whole, true, 'all of it where it fits') from whole;
select results_eq(
  $$ select size, jsonb_array_length(items) from whole $$,
  $$ select sum(octet_length(item::text))::integer, 3 from whole, jsonb_array_elements(items) as item $$, 'and how much that is'
);
select results_eq(
  $$ select items, is_whole from app.export_section('export_posts', (select octet_length((items -> 0)::text) from whole)) $$,
  $$ select jsonb_build_array(items -> 0), false from whole where items #>> '{0,id}' = tests.id('two')::text $$, 'else the newest'
);
select results_eq(
  $$ select items, size, is_whole from app.export_section('export_posts', 1) $$, $$ values ('[]'::jsonb, 0, false) $$, 'or none'
);

rollback to empty;

-- export_sent_invitations: are of the inviter
select tests.elm();
select tests.invitation('of lena', 'elm', 'jonas', 'lena');
select tests.invitation('of ben', 'elm', 'maya', 'ben');
delete from app.memberships where user_id = tests.id('jonas');
select tests.authenticate_as('jonas');
select results_eq(
  $$ select item ->> 'id', item ->> 'phoneNumber', item ->> 'state' from app.export_sent_invitations() as item $$,
  $$ values (tests.id('of lena')::text, tests.phone_of('lena'), 'pending') $$, 'whom one invited, and nobody else, though one has left'
);
select tests.authenticate_as('lena');
select is_empty('select app.export_sent_invitations()', 'to be invited is something else');

rollback to empty;

-- export_votes: are receipts
select tests.elm();
select tests.slider('trams', 'lena');
select tests.vote('maya', 'trams', 'left');
select tests.vote('jonas', 'trams', 'right');
select tests.authenticate_as('maya');
select results_eq(
  'select app.export_votes()',
  $$ values (jsonb_build_object('postId', tests.id('trams'), 'votedAt', app.iso(date_trunc('minute', app.now())))) $$, 'that one voted, and in which minute'
);
reset role;
select set_eq(
  $$ select jsonb_object_keys(item) from app.export_votes() as item $$, array['postId', 'votedAt'], 'and nothing else'
);

select * from finish();
rollback;
