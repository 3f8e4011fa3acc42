set local lock_timeout = '5s';
set local statement_timeout = '60s';

set local check_function_bodies = off;

create or replace function api.create_invitations (
  jsonb
)
  returns jsonb
  language plpgsql
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
  v_hub_id uuid := (p_args ->> 'hubId')::uuid;
  v_invitations jsonb;
  v_ids uuid[];
begin
  perform app.require_level(4);
  v_invitations := app.items_argument(p_args, 'invitations', 1, 50);
  if not exists (
    select from jsonb_array_elements(v_invitations) as given (item) where app.is_e164(given.item ->> 'phoneNumber')
  ) then
    perform app.refuse_argument(
      '{phoneNumbers}', 'invalid_phone', 'No phone number is among these. One begins with + and the country.'
    );
  end if;
  select array_agg((invited.made).id order by given.place) into v_ids
  from jsonb_array_elements(v_invitations) with ordinality as given (item, place)
  left join lateral (
    select app.put_invitation(v_hub_id, given.item ->> 'phoneNumber', decode(given.item ->> 'tokenHash', 'hex')) as made
    where app.is_e164(given.item ->> 'phoneNumber')
  ) as invited on true;
  return app.new_invitations_json(
    v_hub_id, v_ids,
    array(
      select given.item ->> 'sealedToken'
      from jsonb_array_elements(v_invitations) with ordinality as given (item, place)
      order by given.place
    )
  );
end
$function$;

create or replace function api.mark_notifications_read (
  jsonb
)
  returns jsonb
  language plpgsql
  set search_path to ''
  AS $function$
declare
  p_args alias for $1;
  v_id uuid := (p_args ->> 'notificationId')::uuid;
  v_updated bigint;
begin
  perform app.require_level(1);
  if (v_id is not null) = (p_args -> 'all' is not distinct from 'true') then
    perform app.refuse_argument('{}', 'invalid_union', 'Give either notificationId or all.');
  end if;
  if v_id is not null then
    perform app.require_notification(v_id);
  end if;
  v_updated := app.mark_read(v_id);
  return jsonb_build_object('updated', v_updated, 'unreadCount', (app.my_inbox_state()).unread_count);
end
$function$;

create or replace function app.alt_text_argument (
  p_args jsonb,
  p_within text default null::text
)
  returns text
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  v_alt_text text := nullif(app.text_argument(p_args, 'altText', 0, 500, p_within), '');
begin
  if v_alt_text is not null and p_args ->> 'assetId' is null then
    perform app.refuse_argument(
      array_remove(array[p_within, 'altText'], null), 'without_asset', 'There is no picture to describe.'
    );
  end if;
  return v_alt_text;
end
$function$;

create or replace function app.choice_argument (
  p_args jsonb,
  p_name text,
  VARIADIC p_choices text[]
)
  returns text
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  v_choice text := p_args ->> p_name;
begin
  if v_choice <> all (p_choices) then
    perform app.refuse_argument(
      array[p_name], 'invalid_value', format('Must be one of: %s.', array_to_string(p_choices, ', '))
    );
  end if;
  return v_choice;
end
$function$;

create or replace function app.count_unusable_phones (
  p_contacts jsonb
)
  returns integer
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  v_usable_count integer;
  v_unusable_count integer;
begin
  select
    (count(*) filter (where app.is_e164(given.phone)))::integer,
    (count(*) filter (where not app.is_e164(given.phone)))::integer
  into v_usable_count, v_unusable_count
  from jsonb_array_elements(p_contacts) as contact (fields)
  cross join jsonb_array_elements_text(contact.fields -> 'phoneNumbers') as given (phone);
  if v_unusable_count > 0 and v_usable_count = 0 then
    perform app.refuse_argument(
      '{contacts}', 'invalid_phone', 'No phone number is among these. One begins with + and the country.'
    );
  end if;
  return v_unusable_count;
end
$function$;

create or replace function app.ids_argument (
  p_args jsonb,
  p_name text,
  p_min integer,
  p_max integer,
  p_within text default null::text
)
  returns uuid[]
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  v_items jsonb := app.items_argument(p_args, p_name, p_min, p_max, p_within);
  v_path text[] := array_remove(array[p_within, p_name], null);
  v_ids uuid[];
begin
  if exists (
    select from jsonb_array_elements_text(v_items) as item (id) where not pg_input_is_valid(item.id, 'uuid')
  ) then
    perform app.refuse_argument(v_path, 'invalid_format', 'Must be ids (UUIDs).');
  end if;
  v_ids := array(
    select item.id::uuid from jsonb_array_elements_text(v_items) with ordinality as item (id, place) order by item.place
  );
  if cardinality(v_ids) <> (select count(distinct given.id) from unnest(v_ids) as given (id)) then
    perform app.refuse_argument(v_path, 'not_distinct', 'Must not name anything twice.');
  end if;
  return v_ids;
end
$function$;

create or replace function app.insert_post (
  p_args jsonb,
  p_article jsonb,
  p_source_post_id uuid
)
  returns uuid
  language plpgsql
  set search_path to ''
  AS $function$
declare
  v_hub_ids uuid[] := app.ids_argument(p_args, 'hubIds', 0, 20);
  v_media jsonb := app.media_argument(p_article);
  v_url text := app.text_argument(p_article, 'url', p_max => 2000, p_within => 'article');
  v_title text := app.text_argument(p_article, 'title', p_within => 'article');
  v_body text := app.text_argument(p_article, 'text', p_within => 'article');
  v_thought_text text := app.text_argument(p_args, 'thoughtText');
  v_slider_text text := app.text_argument(p_args, 'sliderText');
  v_slider jsonb := app.argument(p_args, 'slider', 'object');
  v_left_label text := app.text_argument(v_slider, 'leftLabel', p_within => 'slider');
  v_right_label text := app.text_argument(v_slider, 'rightLabel', p_within => 'slider');
  v_article_id uuid;
  v_post_id uuid;
begin
  if v_slider_text is null and v_slider is not null then
    perform app.refuse_argument('{slider}', 'missing_text', 'The slider needs a text.');
  elsif v_slider_text is not null and v_slider is null then
    v_left_label := 'Disagree';
    v_right_label := 'Agree';
  end if;
  perform app.check_limit('posts');
  if p_article is not null then
    insert into app.articles (author_id, url, title, body, media_count)
    values (app.user_id(), v_url, v_title, v_body, jsonb_array_length(v_media))
    returning id into v_article_id;
    perform app.attach_media(
      v_article_id, v_media, case when p_article ->> 'media' is null then 'assetIds' else 'media' end
    );
  end if;
  -- Memberships come before the author and the original: see "Lock order" in docs/architecture.md.
  perform app.lock_own_memberships(v_hub_ids);
  insert into app.posts (
    author_id, article_id, source_post_id, thought_text, slider_text, left_label, right_label, visibility
  )
  values (
    app.user_id(), v_article_id, p_source_post_id, v_thought_text, v_slider_text, v_left_label, v_right_label,
    (p_args ->> 'visibility')::app.post_visibility
  )
  returning id into v_post_id;
  perform app.place_post(v_post_id, v_hub_ids, 'targeted');
  perform app.use_limit('posts');
  return v_post_id;
end
$function$;

create or replace function app.items_argument (
  p_args jsonb,
  p_name text,
  p_min integer,
  p_max integer,
  p_within text default null::text
)
  returns jsonb
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  v_items jsonb := coalesce(app.argument(p_args, p_name, 'array', p_within), '[]');
begin
  if jsonb_array_length(v_items) not between p_min and p_max then
    perform app.refuse_argument(
      array_remove(array[p_within, p_name], null),
      'out_of_range', format('Must have %s to %s entries.', p_min, p_max)
    );
  end if;
  return v_items;
end
$function$;

create or replace function app.media_argument (
  p_article jsonb
)
  returns jsonb
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  v_media jsonb := app.items_argument(p_article, 'media', 0, 10, 'article');
  v_ids jsonb := jsonb_path_query_array(v_media, 'strict $[*] ? (@.type() == "object").assetId', silent => true);
begin
  if coalesce(p_article -> 'media', 'null') = 'null' then
    return (
      select coalesce(jsonb_agg(jsonb_build_object('assetId', given.id) order by given.place), '[]')
      from unnest(app.ids_argument(p_article, 'assetIds', 0, 10, 'article')) with ordinality as given (id, place)
    );
  end if;
  if coalesce(p_article -> 'assetIds', 'null') <> 'null' then
    perform app.refuse_argument('{article,media}', 'not_with_asset_ids', 'Give media or assetIds, not both.');
  end if;
  if jsonb_array_length(v_ids) <> jsonb_array_length(v_media) then
    perform app.refuse_argument('{article,media}', 'required', 'Each entry needs an assetId.');
  end if;
  perform app.ids_argument(jsonb_build_object('media', v_ids), 'media', 0, 10, 'article');
  return (
    select coalesce(jsonb_agg(jsonb_build_object(
      'assetId', given.item -> 'assetId', 'altText', app.alt_text_argument(given.item, 'article')
    ) order by given.place), '[]')
    from jsonb_array_elements(v_media) with ordinality as given (item, place)
  );
end
$function$;

create or replace function app.require_any_argument (
  p_args jsonb,
  VARIADIC p_names text[]
)
  returns void
  language plpgsql
  stable
  set search_path to ''
  AS $function$
begin
  if not p_args ?| p_names then
    perform app.refuse_argument(
      '{}', 'required', format('One of these is missing: %s.', array_to_string(p_names, ', '))
    );
  end if;
end
$function$;

create or replace function app.require_arguments (
  p_args jsonb,
  VARIADIC p_names text[]
)
  returns void
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  v_name text;
begin
  foreach v_name in array p_names loop
    if coalesce(p_args -> v_name, 'null') = 'null' then
      perform app.refuse_argument(array[v_name], 'required', 'This is missing.');
    end if;
  end loop;
end
$function$;

create or replace function app.switches_argument (
  p_args jsonb,
  p_name text
)
  returns jsonb
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  v_switches jsonb := app.argument(p_args, p_name, 'object');
  v_wrong text := (
    select given.key
    from jsonb_each(v_switches) as given
    where jsonb_typeof(given.value) <> 'boolean' or given.key <> all (app.optional_types()::text[])
    limit 1
  );
begin
  if v_wrong is not null then
    perform app.refuse_argument(
      array[p_name, v_wrong], 'invalid_type', 'Must be yes or no (true or false), for a type of notification.'
    );
  end if;
  return v_switches;
end
$function$;

create or replace function app.text_argument (
  p_args jsonb,
  p_name text,
  p_min integer default 0,
  p_max integer default 10000,
  p_within text default null::text
)
  returns text
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  v_text text := p_args ->> p_name;
  v_path text[];
begin
  if v_text is null or (
    char_length(v_text) between p_min and p_max and jsonb_typeof(p_args -> p_name) = 'string'
    and (v_text = '' or app.has_visible_character(v_text)) and not app.has_too_many_marks(v_text)
  ) then
    return v_text;
  end if;
  perform app.argument(p_args, p_name, 'string', p_within);
  v_path := array_remove(array[p_within, p_name], null);
  if char_length(v_text) > p_max then
    perform app.refuse_argument(v_path, 'too_big', format('Must have at most %s characters.', p_max));
  elsif char_length(v_text) < p_min then
    perform app.refuse_argument(v_path, 'too_small', format('Must have at least %s characters.', p_min));
  end if;
  if app.has_too_many_marks(v_text) then
    perform app.refuse_argument(v_path, 'too_many_marks', 'Must not have more than 30 combining marks in a row.');
  end if;
  perform app.refuse_argument(v_path, 'invisible', 'Must have a visible character.');
  return null;
end
$function$;

create or replace function app.with_quiet_hours (
  p_own app.notification_preferences,
  p_hours jsonb
)
  returns app.notification_preferences
  language plpgsql
  stable
  set search_path to ''
  AS $function$
declare
  v_zone text := app.text_argument(p_hours, 'timeZone', 1, 64, 'quietHours');
begin
  p_own.quiet_from := coalesce(app.time_argument(p_hours, 'from', 'quietHours'), p_own.quiet_from);
  p_own.quiet_to := coalesce(app.time_argument(p_hours, 'to', 'quietHours'), p_own.quiet_to);
  if p_hours ? 'timeZone' then
    p_own.time_zone := app.time_zone_named(v_zone);
    if p_own.time_zone is null then
      perform app.refuse_argument(
        '{quietHours,timeZone}', 'invalid_value', 'Must be a time zone, such as Europe/Berlin.'
      );
    end if;
  end if;
  if num_nulls(p_own.quiet_from, p_own.quiet_to, p_own.time_zone) > 0 then
    perform app.refuse_argument('{quietHours}', 'required', 'Quiet hours need from, to and timeZone.');
  elsif p_own.quiet_from = p_own.quiet_to then
    perform app.refuse_argument('{quietHours,to}', 'invalid_value', 'Must not be the time at which they begin.');
  end if;
  return p_own;
end
$function$;
