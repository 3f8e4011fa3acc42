create function tests.refusal(p_operation text, p_args jsonb)
returns text
language plpgsql
as $$
declare
  v_error jsonb := tests.error_of(format('select api.%I(%L)', p_operation, p_args));
begin
  return case
    when v_error ->> 'state' = '42501' then 'not theirs'
    when v_error #>> '{details,requiredLevel}' is not null then 'level ' || (v_error #>> '{details,requiredLevel}')
    else v_error ->> 'code'
  end;
end
$$;
comment on function tests.refusal(text, jsonb) is 'Why the caller may not do something; null where they may. What was done is not undone.';

create function tests.refusals(p_operation text, p_args jsonb)
returns jsonb
language plpgsql
as $$
declare
  v_caller text;
  v_refusal text;
  v_refusals jsonb := '{}';
begin
  foreach v_caller in array array['guest', 'signed out', 'nina', 'lena', 'jonas', 'maya', 'amara'] loop
    begin
      perform tests.person('nina', 3);
      perform case v_caller when 'guest' then tests.act_as_guest() when 'signed out' then tests.act_as('amara') else tests.act_as(v_caller) end;
      if v_caller = 'signed out' then
        perform set_config('request.jwt.claims', (tests.claims('amara') || '{"session_id": "00000000-0000-0000-0000-000000000000"}')::text, true);
      end if;
      v_refusal := tests.refusal(p_operation, p_args);
      raise exception 'what it did is undone';
    exception when raise_exception then
      v_refusals := v_refusals || jsonb_strip_nulls(jsonb_build_object(v_caller, v_refusal));
    end;
  end loop;
  return v_refusals;
end
$$;
comment on function tests.refusals(text, jsonb) is 'Who of tests.elm, or Nina, who is not Hub-ready, or a guest, or Amara after she has signed out, may not do something, and why: {"lena": "FORBIDDEN"}. Nothing that it does stays.';

create function tests.below_level_4()
returns jsonb
language sql
immutable
return '{"guest": "not theirs", "signed out": "UNAUTHORIZED", "nina": "level 4"}'::jsonb;
comment on function tests.below_level_4() is 'What tests.refusals says of an operation that is for the Hub-ready.';

create function tests.all_but_amara(p_olaf text, p_others text)
returns jsonb
language sql
immutable
return tests.below_level_4() || jsonb_build_object('lena', p_olaf, 'jonas', p_others, 'maya', p_others);
comment on function tests.all_but_amara(text, text) is 'What tests.refusals says of an operation that is for admins: why lena may not, and why jonas and maya.';

create function tests.everybody(p_code text)
returns jsonb
language sql
immutable
return tests.all_but_amara(p_code, p_code) || jsonb_build_object('amara', p_code);
comment on function tests.everybody(text) is 'What tests.refusals says where all who are Hub-ready are refused for one reason.';

create function tests.in_hub(p_hub text, p_args jsonb default '{}')
returns jsonb
language sql
immutable
return jsonb_build_object('hubId', tests.id(p_hub)) || p_args;
comment on function tests.in_hub(text, jsonb) is 'The arguments of an operation of a Hub.';

create function tests.listed(p_page jsonb, p_key text default 'id')
returns uuid[]
language sql
immutable
return array(select (item ->> p_key)::uuid from jsonb_array_elements(p_page -> 'items') with ordinality as listed (item, place) order by place);
comment on function tests.listed(jsonb, text) is 'The ids of what is on a page, in its order.';

create function tests.ids(variadic p_names text[])
returns uuid[]
language sql
immutable
return array(select tests.id(name) from unnest(p_names) with ordinality as given (name, place) order by place);
comment on function tests.ids(text[]) is 'The ids of several things, in their order.';

create function tests.listed_in_parts(p_operation text, p_args jsonb, p_key text default 'id')
returns uuid[]
language plpgsql
as $$
declare
  v_page jsonb;
  v_ids uuid[] := '{}';
begin
  for v_place in 1..20 loop
    execute format('select api.%I($1)', p_operation)
      into v_page using p_args || jsonb_build_object('limit', 1, 'cursor', v_page ->> 'nextCursor');
    v_ids := v_ids || coalesce(nullif(tests.listed(v_page, p_key), '{}'), array[null::uuid]);
    exit when v_page ->> 'nextCursor' is null;
  end loop;
  return v_ids;
end
$$;
comment on function tests.listed_in_parts(text, jsonb, text) is 'The ids of what is on pages of one item each, one after the other, up to 20; an empty page holds null.';

create function tests.placed(
  p_post text, p_hub text, p_placed_at timestamptz default app.now(), p_kind app.placement_kind default 'targeted', p_by text default null
)
returns uuid
language sql
begin atomic
  insert into app.placements (post_id, hub_id, kind, placed_by, placed_at, last_shared_at)
  select p.id, tests.id(p_hub), p_kind, coalesce(tests.id(p_by), p.author_id), p_placed_at, p_placed_at
  from app.posts as p
  where p.id = tests.id(p_post);
  update app.discussions
  set id = tests.id(p_post || ' in ' || p_hub), last_activity_at = p_placed_at
  where post_id = tests.id(p_post) and hub_id = tests.id(p_hub)
  returning id;
end;
comment on function tests.placed(text, text, timestamptz, app.placement_kind, text) is 'A post is placed in a Hub, by its author or p_by; its discussion is tests.id(''p_post in p_hub'').';

create function tests.discussion(p_post text, p_author text, p_hub text, p_placed_at timestamptz default app.now())
returns uuid
language sql
begin atomic
  select tests.post(p_post, p_author, 'private_locked_hub');
  select tests.placed(p_post, p_hub, p_placed_at);
end;
comment on function tests.discussion(text, text, text, timestamptz) is 'A private post in a Hub, and its discussion, tests.id(''p_post in p_hub'').';

create function tests.message(p_name text, p_author text, p_discussion text, p_parent text default null, p_created_at timestamptz default app.now())
returns uuid
language sql
begin atomic
  insert into app.messages (id, discussion_id, hub_id, author_id, parent_id, body, created_at)
  select tests.id(p_name), d.id, d.hub_id, tests.id(p_author), tests.id(p_parent), p_name, p_created_at
  from app.discussions as d
  where d.id = tests.id(p_discussion)
  returning id;
end;
comment on function tests.message(text, text, text, text, timestamptz) is 'Something said in a discussion, in the thread of p_parent where that is given. No counter knows of it.';

create function tests.in_discussion(p_discussion text, p_args jsonb default '{}')
returns jsonb
language sql
stable
return jsonb_build_object('hubId', (select d.hub_id from app.discussions as d where d.id = tests.id(p_discussion)), 'discussionId', tests.id(p_discussion)) || p_args;
comment on function tests.in_discussion(text, jsonb) is 'The arguments of an operation of a discussion that the caller sees.';

create function tests.without_indexes()
returns void
language sql
as $$
  select set_config(scan, 'off', true) from unnest(array['enable_indexscan', 'enable_indexonlyscan', 'enable_bitmapscan']) as scan
$$;
comment on function tests.without_indexes() is 'From here on nothing is in order just because an index is.';

create function tests.author(p_hub text, p_name text)
returns jsonb
language sql
stable
return app.discussion_author((select person from app.hub_people(tests.id(p_hub), tests.ids(p_name)) as person));
comment on function tests.author(text, text) is 'Somebody as the author of what is said in a Hub of the caller''s.';
