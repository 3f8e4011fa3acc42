create function tests.follow(p_follower text, p_followee text, p_created_at timestamptz default app.now())
returns void
language sql
begin atomic
  insert into app.follows (follower_id, followee_id, created_at) values (tests.id(p_follower), tests.id(p_followee), p_created_at);
end;
comment on function tests.follow(text, text, timestamptz) is 'Somebody follows somebody, since p_created_at.';

create function tests.block(p_blocker text, p_blocked text)
returns void
language sql
begin atomic
  insert into app.blocks (blocker_id, blocked_id) values (tests.id(p_blocker), tests.id(p_blocked));
end;
comment on function tests.block(text, text) is 'Somebody has blocked somebody. It ends no follow.';

create function tests.named(p_username text, p_full_name text)
returns uuid
language sql
begin atomic
  select tests.person(p_username, 1);
  insert into app.profiles (user_id, username, full_name) values (tests.id(p_username), p_username, p_full_name)
  returning user_id;
end;
comment on function tests.named(text, text) is 'A registered person with a full name of their own.';

create function tests.user(p_name text)
returns jsonb
language sql
immutable
return jsonb_build_object('userId', tests.id(p_name));
comment on function tests.user(text) is 'The arguments of an operation on a person.';

create function tests.follows()
returns setof text
language sql
begin atomic
  select one.username || ' > ' || other.username collate "default"
  from app.follows as f
  join app.profiles as one on one.user_id = f.follower_id
  join app.profiles as other on other.user_id = f.followee_id;
end;
comment on function tests.follows() is 'Who follows whom, as far as the caller sees: "maya > jonas".';

create function tests.usernames(p_people jsonb)
returns text[]
language sql
return array(select person ->> 'username' from jsonb_array_elements(p_people -> 'items') with ordinality as item (person, place) order by place);
comment on function tests.usernames(jsonb) is 'Who is on a page of people, in its order.';

create function tests.search(p_query text, p_args jsonb default '{}')
returns text[]
language sql
return tests.usernames(api.search_users(jsonb_build_object('q', p_query) || p_args));
comment on function tests.search(text, jsonb) is 'Whom the caller finds, in the order of the answer.';

create function tests.on_pages(p_operation text, p_args jsonb)
returns text[]
language plpgsql
as $$
declare
  v_page jsonb;
  v_usernames text[] := '{}';
begin
  for v_place in 1..20 loop
    execute format('select api.%I($1)', p_operation)
      into v_page using p_args || jsonb_build_object('cursor', v_page ->> 'nextCursor');
    v_usernames := v_usernames || case when v_page -> 'items' = '[]' then array['nobody'] else tests.usernames(v_page) end;
    exit when v_page ->> 'nextCursor' is null;
  end loop;
  return v_usernames;
end
$$;
comment on function tests.on_pages(text, jsonb) is 'Who is on the pages of a list, one after the other, up to 20; an empty page holds "nobody".';
