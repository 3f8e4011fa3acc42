create function tests.hub(p_name text, p_admin text)
returns uuid
language sql
begin atomic
  insert into app.hubs (id, name) values (tests.id(p_name), p_name);
  insert into app.memberships (hub_id, user_id, role) values (tests.id(p_name), tests.id(p_admin), 'admin') returning hub_id;
end;
comment on function tests.hub(text, text) is 'A Hub whose only member is its admin.';

create function tests.membership(
  p_hub text, p_member text, p_role app.hub_role default 'member', p_joined_at timestamptz default app.now()
)
returns void
language sql
begin atomic
  insert into app.memberships (hub_id, user_id, role, joined_at) values (tests.id(p_hub), tests.id(p_member), p_role, p_joined_at);
end;
comment on function tests.membership(text, text, app.hub_role, timestamptz) is 'Somebody is an active member of a Hub, since p_joined_at.';

create function tests.elm()
returns void
language sql
begin atomic
  select tests.person(name, 4) from unnest(array['amara', 'maya', 'jonas', 'lena']) as name;
  select tests.hub('elm', 'amara');
  select tests.membership('elm', 'maya', 'manager');
  select tests.membership('elm', 'jonas');
end;
comment on function tests.elm() is 'The Hub elm with its admin Amara, its manager Maya and its member Jonas. Lena is an outsider; all are Hub-ready.';

create function tests.invitation(
  p_name text, p_hub text, p_inviter text, p_invited text, p_state app.invitation_state default 'pending',
  p_expires_at timestamptz default app.now() + interval '7 days', p_makes_member boolean default null
)
returns uuid
language sql
begin atomic
  insert into app.hub_invitations (id, hub_id, inviter_id, phone, token_hash, makes_member, state, expires_at)
  values (
    tests.id(p_name), tests.id(p_hub), tests.id(p_inviter), tests.phone_of(p_invited), tests.hash(p_name),
    coalesce(
      p_makes_member,
      exists (
        select from app.memberships as m
        where m.hub_id = tests.id(p_hub) and m.user_id = tests.id(p_inviter) and m.role = 'admin'
      )
    ),
    p_state, p_expires_at
  )
  returning id;
end;
comment on function tests.invitation(text, text, text, text, app.invitation_state, timestamptz, boolean) is 'An invitation of p_invited''s phone to a Hub, whose token is p_name. It makes a member where the inviter is an admin now, unless p_makes_member says otherwise.';

create function tests.link(
  p_name text, p_hub text, p_max_uses integer default null, p_expires_at timestamptz default app.now() + interval '7 days'
)
returns uuid
language sql
begin atomic
  insert into app.invite_links (id, hub_id, token_hash, max_uses, expires_at)
  values (tests.id(p_name), tests.id(p_hub), tests.hash(p_name), p_max_uses, p_expires_at)
  returning id;
end;
comment on function tests.link(text, text, integer, timestamptz) is 'An invite link of a Hub, whose token is p_name.';

create function tests.join_request(
  p_name text, p_hub text, p_asker text, p_state app.join_request_state default 'pending_admin_approval'
)
returns uuid
language sql
begin atomic
  insert into app.join_requests (id, hub_id, user_id, source, state)
  values (tests.id(p_name), tests.id(p_hub), tests.id(p_asker), 'invite_link', p_state)
  returning id;
end;
comment on function tests.join_request(text, text, text, app.join_request_state) is 'Somebody has asked by an invite link to join a Hub.';

create function tests.close_hub(p_hub text)
returns void
language sql
begin atomic
  delete from app.memberships where hub_id = tests.id(p_hub);
  update app.hubs set closed_at = app.now(), custom_link = null where id = tests.id(p_hub);
end;
comment on function tests.close_hub(text) is 'A Hub without members, closed now.';

create function tests.members(p_hub text)
returns setof text
language sql
stable
begin atomic
  select p.username || ': ' || m.role::text collate "default"
  from app.memberships as m
  join app.profiles as p on p.user_id = m.user_id
  where m.hub_id = tests.id(p_hub);
end;
comment on function tests.members(text) is 'Who is in a Hub and as what, as far as the caller sees: "maya: manager".';

create function tests.events()
returns setof text
language sql
stable
begin atomic
  select format('%s: %s, %s', e.type, coalesce(actor.username, 'nobody'), coalesce(subject.username, 'nobody'))
  from app.events as e
  left join app.profiles as actor on actor.user_id = e.actor_id
  left join app.profiles as subject on subject.user_id = e.subject_id
  order by e.id;
end;
comment on function tests.events() is 'What happened, who did it and to whom, in order: "hub_member_removed: amara, jonas".';

create function tests.refusal_of(p_caller text, p_statement text)
returns text
language plpgsql
as $$
declare
  v_error jsonb;
begin
  if p_caller is null then
    perform tests.act_as_guest();
  else
    perform tests.act_as(p_caller);
  end if;
  v_error := tests.error_of(p_statement);
  perform set_config('role', 'none', true);
  return v_error ->> 'state' || case when v_error ->> 'state' like 'PT%' then ' ' || (v_error ->> 'code') else '' end;
end
$$;
comment on function tests.refusal_of(text, text) is 'How a statement is refused to somebody, or to a guest where p_caller is null: "PT403 FORBIDDEN", or the SQLSTATE of an error of Postgres'' own; null where it is not, and then it has been done.';
