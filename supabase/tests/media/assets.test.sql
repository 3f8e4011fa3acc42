begin;
select plan(45);
savepoint empty;

-- get_download_url requires a session and an asset that the caller sees (docs/product.md M9).
select tests.person('maya', 3);
select tests.person('jonas', 1);
select tests.asset('paper', 'maya', 'document');
select tests.asset('face', 'maya', 'profile_photo');
update app.assets set file_name = 'minutes.pdf';

create function pg_temp.download(p_name text)
returns jsonb
language sql
return api.get_download_url(jsonb_build_object('assetId', tests.id(p_name)));

select tests.authenticate_as('maya');
select is(
  pg_temp.download('paper'), jsonb_build_object(
    'bucket', 'media', 'fileName', 'minutes.pdf', 'expiresAt', app.iso(app.now() + interval '5 minutes')
  ),
  'get_download_url answers the owner with an expiry in five minutes'
);
select is(
  pg_temp.download('face') - 'expiresAt', '{"bucket": "photos", "fileName": null}',
  'get_download_url names the file of documents alone'
);
reset role;
select is(tests.refusal_as(caller, format('select pg_temp.download(%L)', asset)), expected, title)
from (
  values
    (
      'jonas', 'paper', 'PT404 ASSET_NOT_FOUND',
      'get_download_url does not find a document that nothing shows the caller'
    ),
    ('jonas', 'nothing', 'PT404 ASSET_NOT_FOUND', 'get_download_url does not find an unknown asset')
) as c (caller, asset, expected, title);
delete from app.sessions;
set local role authenticated;
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
select throws_ok(
  $$ select pg_temp.download('paper') $$, 'PT401', 'UNAUTHORIZED', 'get_download_url refuses an ended session'
);

rollback to empty;

-- get_download_urls grants the files that the caller sees (docs/product.md M13).
select tests.person('maya', 3);
select tests.person('jonas', 1);
select tests.asset('paper', 'maya', 'document');
select tests.asset(name, 'maya') from unnest(array['tram', 'in a comment', 'loose']) as name;
select tests.asset('face', 'jonas', 'profile_photo');
update app.assets set file_name = 'minutes.pdf';
select tests.post_with_media('trams', 'maya', 'tram', 'paper'), tests.comment('comment', 'maya', 'trams');
update app.comments set asset_id = tests.id('in a comment');

create function pg_temp.grants(p_caller text, p_variant text, variadic p_names text[])
returns jsonb
language sql
return tests.value_as(p_caller, format(
  'api.get_download_urls(%L)', jsonb_build_object('assetIds', tests.ids(variadic p_names), 'variant', p_variant)
));
create function pg_temp.granted(p_caller text, p_variant text, variadic p_names text[])
returns uuid[]
language sql
return array(
  select (item ->> 'assetId')::uuid
  from jsonb_array_elements(
    pg_temp.grants(p_caller, p_variant, variadic p_names) -> 'items'
  ) with ordinality as i (item, place)
  order by place
);

select is(pg_temp.granted(caller, variant, variadic asked), tests.ids(variadic expected), title)
from (
  values
    (
      null, null, array['in a comment', 'loose', 'paper', 'tram', 'face'], array['in a comment', 'paper', 'tram'],
      'get_download_urls grants a guest the files of public posts and their comments, in the order of the arguments'
    ),
    (
      'maya', 'original', array['loose', 'tram'], array['loose', 'tram'],
      'get_download_urls grants an owner a file that nothing shows'
    ),
    (
      'jonas', 'original', array['loose', 'face', 'nothing'], array['face'],
      'get_download_urls leaves out hidden and unknown files'
    ),
    (
      'maya', 'thumbnail', array['paper', 'tram'], array['tram'],
      'get_download_urls leaves out documents, which have no thumbnail'
    )
) as c (caller, variant, asked, expected, title);
select is(
  (pg_temp.grants('maya', null, 'paper') #> '{items,0}') - 'assetId'::text,
  '{"bucket": "media", "fileName": "minutes.pdf"}',
  'get_download_urls names the bucket and the file of a document'
);
select is(
  array(
    select jsonb_build_array(
      extract(epoch from (answer ->> 'issuedAt')::timestamptz) % 900,
      (answer ->> 'issuedAt')::timestamptz <= app.now()
        and app.now() < (answer ->> 'issuedAt')::timestamptz + interval '15 minutes',
      (answer ->> 'expiresAt')::timestamptz - (answer ->> 'issuedAt')::timestamptz
    )
    from (select pg_temp.grants(null, null, 'tram') as answer) as a
  ),
  array['[0, true, "00:30:00"]'::jsonb],
  'get_download_urls issues URLs at the start of a quarter of an hour, for half an hour'
);
select is(tests.refusal_as('maya', format('select api.get_download_urls(%L)', args)), 'PT422 VALIDATION_FAILED', title)
from (
  values
    ('{}'::jsonb, 'get_download_urls needs assetIds'),
    (
      jsonb_build_object('assetIds', array(select gen_random_uuid() from generate_series(1, 51))),
      'get_download_urls refuses 51 files'
    ),
    (
      jsonb_build_object('assetIds', tests.ids('tram'), 'variant', 'tiny'),
      'get_download_urls refuses an unknown variant'
    )
) as c (args, title);
delete from app.sessions;
set local role authenticated;
select set_config('request.jwt.claims', tests.claims('maya')::text, true);
select throws_ok(
  format('select api.get_download_urls(%L)', jsonb_build_object('assetIds', tests.ids('tram'))), 'PT401',
  'UNAUTHORIZED',
  'get_download_urls refuses an ended session'
);
reset role;

rollback to empty;

-- The policies let only the owner of an asset show it (docs/product.md M8).
select tests.person(name, 4) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.asset('her photo', 'maya', 'profile_photo');
insert into app.hub_profiles (user_id) values (tests.id('lena'));
select is(tests.refusal_as(caller, statement), '42501', title)
from (
  values
    (
      'jonas', $$ update app.profiles set photo_asset_id = tests.id('her photo') $$,
      'a profile cannot show a photo of another user'
    ),
    (
      'jonas',
      $$ insert into app.hub_profiles (user_id, photo_asset_id) values (tests.id('jonas'), tests.id('her photo')) $$,
      'a new Hub profile cannot show a photo of another user'
    ),
    (
      'lena', $$ update app.hub_profiles set photo_asset_id = tests.id('her photo') $$,
      'an existing Hub profile cannot show a photo of another user'
    )
) as c (caller, statement, title);

rollback to empty;

-- delete_former_assets keeps an asset as long as anything shows it (docs/product.md M11).
select tests.elm();
insert into app.hub_profiles (user_id) values (tests.id('maya'));
select tests.article('hers', 'maya'), tests.post('trams', 'maya'), tests.comment('comment', 'maya', 'trams');
select tests.discussion('talk', 'maya', 'elm'), tests.message('message', 'maya', 'talk in elm');
create function pg_temp.show(p_place text, p_asset text)
returns void
language plpgsql
as $$
begin
  case p_place
    when 'profile' then update app.profiles set photo_asset_id = tests.id(p_asset) where username = 'maya';
    when 'Hub profile' then update app.hub_profiles set photo_asset_id = tests.id(p_asset);
    when 'Hub' then update app.hubs set photo_asset_id = tests.id(p_asset);
    when 'comment' then update app.comments set asset_id = tests.id(p_asset);
    when 'message' then update app.messages set asset_id = tests.id(p_asset);
    when 'article' then
      delete from app.article_assets;
      insert into app.article_assets (article_id, place, asset_id)
      select tests.id('hers'), 1, tests.id(p_asset) where p_asset is not null;
  end case;
end
$$;
create function pg_temp.states(p_place text, p_other text)
returns text
language plpgsql
as $$
declare
  v_asset text := format('in %s and %s', p_place, p_other);
  v_states text := '';
begin
  perform tests.asset(v_asset, 'maya');
  perform pg_temp.show(p_place, v_asset), pg_temp.show(p_other, v_asset);
  for v_step in 1..2 loop
    perform pg_temp.show(case v_step when 1 then p_other else p_place end, null);
    v_states := v_states || ' ' || case
      when exists (select from app.assets where id = tests.id(v_asset)) then 'kept'
      when tests.id(v_asset) in (select tests.expired_objects()) then 'released'
    end;
  end loop;
  return v_states;
end
$$;
create temporary table places as
select place from unnest(array['profile', 'Hub profile', 'Hub', 'comment', 'message', 'article']) as place;
select results_eq(
  $$
    select distinct pg_temp.states(one.place, other.place)
    from places as one
    join places as other on other.place <> one.place
  $$,
  array[' kept released'], 'an asset is released when the last of two places stops to show it, and not before'
);

rollback to empty;

-- delete_former_assets looks at every row that a statement changes or deletes.
select tests.person(name, 4) from unnest(array['maya', 'jonas']) as name;
select tests.asset(name, 'maya') from unnest(
  array['shared', 'one''s', 'other''s', 'loose', 'face', 'hub face']
) as name;
select tests.asset('his face', 'jonas', 'profile_photo'), tests.asset('paper', 'maya', 'document');
select tests.post_with_media('one', 'maya', 'shared', 'one''s', 'paper'),
  tests.post_with_media('other', 'maya', 'other''s', 'shared');
update app.profiles set photo_asset_id = tests.id(case username when 'maya' then 'face' else 'his face' end);
insert into app.hub_profiles (user_id, photo_asset_id) values (tests.id('maya'), tests.id('hub face'));
create function pg_temp.released()
returns setof text
language sql
as $$
  select name
  from unnest(array['shared', 'one''s', 'other''s', 'loose', 'face', 'hub face', 'his face', 'paper']) as name
  where tests.id(name) in (select tests.expired_objects())
$$;

select tests.value_as('maya', format('api.delete_post(%L)', tests.post_args('one')));
select set_eq(
  'select pg_temp.released()', array['one''s', 'paper'],
  'a deleted post releases its media, except those of another post'
);
update app.profiles set photo_asset_id = null;
delete from app.hub_profiles;
select set_eq(
  'select pg_temp.released()', array['one''s', 'paper', 'face', 'his face', 'hub face'],
  'an update or a delete of profiles releases the photos of all'
);
delete from app.posts;
select ok('shared' not in (select pg_temp.released()), 'an article that no post shows keeps its media');
delete from app.articles;
select results_eq('select id from app.assets', tests.ids('loose'), 'a delete of articles releases the media of all');

rollback to empty;

-- delete_former_assets releases a profile photo that the user replaces or removes.
select tests.person('maya', 4), tests.person('jonas', 4);
select tests.asset(operation || n, 'maya', 'profile_photo')
from unnest(array['update_own_profile', 'update_hub_profile']) as operation, generate_series(1, 2) as n;
select tests.asset('unused', 'maya', 'profile_photo'), tests.asset('his', 'jonas', 'profile_photo');
select tests.open_upload('of the first', 'maya', 'profile_photo');
update app.uploads set asset_id = tests.id('update_own_profile1');
update app.profiles set photo_asset_id = tests.id('his') where user_id = tests.id('jonas');

create function pg_temp.released_after(p_operation text, p_name text)
returns text[]
language plpgsql
as $$
begin
  perform tests.value_as(
    'maya', format('api.%s(%L)', p_operation, jsonb_build_object('profileAssetId', tests.id(p_name)))
  );
  return array(
    select n
    from unnest(array['1', '2']) as n
    where tests.id(p_operation || n) in (select tests.expired_objects())
    order by n
  );
end
$$;

select is(pg_temp.released_after(operation, operation || n), expected::text[], format(title, operation))
from unnest(array['update_own_profile', 'update_hub_profile']) as operation
cross join (
  values
    (1, '{}', '%s releases nothing where there was no photo'),
    (1, '{}', '%s keeps a photo that the user chooses again'),
    (2, '{1}', '%s releases a photo that the user replaces'),
    (null, '{1,2}', '%s releases a photo that the user removes')
) as c (n, expected, title);
select is_empty('select from app.uploads', 'a released photo is deleted with its upload');
update app.profiles set bio = 'New';
select set_eq('select id from app.assets', tests.ids('unused', 'his'), 'a change of the bio releases no photo');

rollback to empty;

-- delete_unused_assets keeps what something refers to, and hides evidence of an open report from its owner.
select tests.person(name, 3) from unnest(array['maya', 'lena']) as name;
select tests.asset(name, 'maya') from unnest(array['kept', 'evidence', 'loose']) as name;
select tests.post('trams', 'maya'), tests.report('lena', p_post => 'trams');
insert into app.decisions (id, action, reason, statement, target_kind, target_id, decided_by)
values (tests.id('decision'), 'content_removed', 'spam', 'It sells pills.', 'comment', tests.id('comment'), 'nina');
insert into app.removed_contents (decision_id, author_id, content_id, post_id, asset_id, created_at)
values (tests.id('decision'), tests.id('maya'), tests.id('comment'), tests.id('trams'), tests.id('kept'), app.now());
insert into app.evidence_assets (report_id, asset_id) select r.id, tests.id('evidence') from app.reports as r;
select app.delete_unused_assets(tests.ids('kept', 'evidence', 'loose'));
select bag_eq(
  'select id, is_evidence_only from app.assets', $$ values (tests.id('kept'), false), (tests.id('evidence'), true) $$,
  'delete_unused_assets keeps the file of content that can be restored, and evidence as released'
);
select results_eq(
  'select tests.expired_objects()', tests.ids('loose'),
  'delete_unused_assets queues the object of a deleted asset alone'
);
select is(
  tests.value_as('maya', format('app.owns_asset(%L)', tests.id(name))), to_jsonb(expected),
  format(
    'the owner of an asset that is %s %s', name, case when expected then 'may attach it' else 'cannot attach it' end
  )
)
from (values ('kept', true), ('evidence', false)) as c (name, expected);

rollback to empty;

-- require_asset accepts an asset of the caller for one of the purposes (docs/product.md M8).
select tests.person('maya');
select tests.person('jonas');
select tests.asset('picture', 'maya');
select tests.asset('paper', 'maya', 'document');
select tests.asset('his face', 'jonas', 'profile_photo');
update app.profiles set photo_asset_id = tests.id('his face') where user_id = tests.id('jonas');

create function pg_temp.refusal(p_caller text, p_asset text, p_purposes app.upload_purpose[])
returns text
language sql
return tests.refusal_as(
  p_caller, format('select app.require_asset(%L, %L, %L)', tests.id(p_asset), p_purposes, '["assetIds", 3]')
);

select is(pg_temp.refusal(caller, asset, purposes::app.upload_purpose[]), expected, title)
from (
  values
    ('maya', 'picture', '{post_image}', null, 'require_asset accepts an asset of the caller for this purpose'),
    (
      'maya', 'paper', '{post_image,document}', null,
      'require_asset accepts an asset of the caller for one of two purposes'
    ),
    ('jonas', 'his face', '{profile_photo}', null, 'require_asset accepts a profile photo of the caller'),
    (
      'jonas', 'picture', '{post_image}', 'PT422 VALIDATION_FAILED',
      'require_asset refuses a hidden asset of another user'
    ),
    (
      'maya', 'his face', '{profile_photo}', 'PT422 VALIDATION_FAILED',
      'require_asset refuses a visible asset of another user'
    ),
    ('maya', 'nothing', '{post_image}', 'PT422 VALIDATION_FAILED', 'require_asset refuses an unknown asset'),
    ('maya', null, '{post_image}', 'PT422 VALIDATION_FAILED', 'require_asset refuses a null asset')
) as c (caller, asset, purposes, expected, title);
select tests.authenticate_as('maya');
select is(
  tests.error_of(
    format('select app.require_asset(%L, %L, %L)', tests.id('paper'), '{post_image}', '["assetIds", 3]')
  ), '{
    "state": "PT422", "code": "VALIDATION_FAILED", "details": {"issues": [
      {"path": ["assetIds", 3], "code": "unknown_asset", "message": "Not a completed upload of yours for this purpose."}
    ]}
  }',
  'require_asset refuses an asset for another purpose and names the argument'
);

select * from finish();
rollback;
