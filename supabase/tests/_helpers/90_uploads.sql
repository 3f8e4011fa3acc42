create function tests.asset(p_name text, p_owner text, p_purpose app.upload_purpose default 'post_image')
returns uuid
language plpgsql
as $$
begin
  insert into app.stored_objects (id, owner_id, bucket) values (tests.id(p_name), tests.id(p_owner), app.bucket_of(p_purpose));
  insert into app.assets (id, owner_id, purpose, content_type, size_bytes, checksum, width, height, blurhash)
  values (
    tests.id(p_name), tests.id(p_owner), p_purpose,
    case p_purpose when 'document' then 'application/pdf' else 'image/png' end, 1000, tests.hash('file of ' || p_name),
    case when p_purpose <> 'document' then 640 end,
    case when p_purpose <> 'document' then 480 end,
    case when p_purpose <> 'document' then 'blur of ' || p_name end
  );
  return tests.id(p_name);
end
$$;
comment on function tests.asset(text, text, app.upload_purpose) is 'A completed upload of somebody, with its object.';

create function tests.illustrate(p_article text, variadic p_assets text[])
returns void
language sql
begin atomic
  insert into app.article_assets (article_id, place, asset_id)
  select tests.id(p_article), given.place, tests.id(given.name)
  from unnest(p_assets) with ordinality as given (name, place);
end;
comment on function tests.illustrate(text, text[]) is 'Gives an article its media, of which it does not know how many there are.';

create function tests.illustrated_post(p_name text, p_author text, variadic p_assets text[])
returns void
language plpgsql
as $$
begin
  perform tests.article('article of ' || p_name, p_author);
  perform tests.illustrate('article of ' || p_name, variadic p_assets);
  update app.articles set media_count = cardinality(p_assets) where id = tests.id('article of ' || p_name);
  insert into app.posts (id, author_id, article_id, visibility)
  values (tests.id(p_name), tests.id(p_author), tests.id('article of ' || p_name), 'public');
end
$$;
comment on function tests.illustrated_post(text, text, text[]) is 'A public post with an article that has these media.';

create function tests.open_upload(p_name text, p_owner text, p_purpose app.upload_purpose default 'post_image')
returns uuid
language sql
begin atomic
  insert into app.uploads (id, owner_id, purpose, content_type, size_bytes, file_name)
  values (
    tests.id(p_name), tests.id(p_owner), p_purpose,
    case p_purpose when 'document' then 'application/pdf' else 'image/png' end, 1000, p_name || '.file'
  )
  returning id;
end;
comment on function tests.open_upload(text, text, app.upload_purpose) is 'An upload that somebody has announced and not completed.';

create function tests.completion(p_upload text, p_change jsonb default '{}')
returns jsonb
language sql
immutable
return jsonb_build_object(
  'uploadId', tests.id(p_upload), 'purpose', 'post_image', 'checksum', tests.hex('file of ' || p_upload)
) || p_change;
comment on function tests.completion(text, jsonb) is 'What the client says to complete tests.open_upload(p_upload), but for p_change.';

create function tests.complete(p_caller text, p_args jsonb)
returns jsonb
language plpgsql
as $$
declare
  v_answer jsonb;
begin
  perform tests.has_session(p_caller);
  perform set_config('request.jwt.claims', tests.claims(p_caller)::text, true);
  v_answer := api.complete_upload(p_args);
  perform set_config('request.jwt.claims', '', true);
  return v_answer;
end
$$;
comment on function tests.complete(text, jsonb) is 'Somebody completes an upload, by the service.';

create function tests.found(p_asset_id text)
returns jsonb
language sql
immutable
return jsonb_build_object('content', case when p_asset_id is not null then
  jsonb_build_object('assetId', p_asset_id, 'width', 640, 'height', 480, 'blurhash', 'blur')
end);
comment on function tests.found(text) is 'What the service says after it has looked at an upload and stored it under p_asset_id; null where there was nothing to look at.';

create function tests.complete_whole(p_caller text, p_args jsonb)
returns jsonb
language sql
return tests.complete(p_caller, p_args || tests.found(tests.complete(p_caller, p_args) -> 'upload' ->> 'assetId'));
comment on function tests.complete_whole(text, jsonb) is 'Somebody completes an upload: the service asks what to look at, finds it good, and says so.';

create function tests.to_be_removed()
returns setof uuid
language sql
stable
begin atomic
  select o.id from app.stored_objects as o where o.expires_at <= app.now();
end;
comment on function tests.to_be_removed() is 'The objects that the worker is to remove from storage now.';
