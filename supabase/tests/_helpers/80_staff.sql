create function tests.staff_policy()
returns jsonb
language sql
immutable
return '{"allowedDomain": "opine.example", "allowedEmails": ["ada@opine.example"]}'::jsonb;
comment on function tests.staff_policy() is 'Who is staff by the service''s configuration: Ada of opine.example.';

create function tests.staff_identity(p_email text, p_change jsonb default '{}')
returns jsonb
language sql
immutable
return jsonb_build_object('email', p_email, 'isEmailVerified', true, 'hostedDomain', 'opine.example') || p_change;
comment on function tests.staff_identity(text, jsonb) is 'What a good ID token of the workspace says, but for p_change.';

create function tests.sign_in_as_staff(p_token text, p_identity jsonb, p_address text default null)
returns jsonb
language sql
return api.start_staff_session(jsonb_build_object(
  'identity', p_identity,
  'policy', tests.staff_policy(),
  'tokenHash', tests.hex(p_token),
  'addressHash', tests.hex(p_address)
));
comment on function tests.sign_in_as_staff(text, jsonb, text) is 'Somebody brings an ID token to the staff sign-in, from p_address where that counts, and would get the cookie p_token.';

create function tests.as_staff(p_operation text, p_token text, p_args jsonb default '{}')
returns jsonb
language sql
return gateway.invoke_as_staff(p_operation, tests.hex(p_token), tests.staff_policy(), p_args)::jsonb;
comment on function tests.as_staff(text, text, jsonb) is 'A request with the staff cookie p_token, for the gateway''s login to make.';

create function tests.log_in_as(p_name text, p_role text)
returns void
language plpgsql
as $$
begin
  execute format('create role %I login in role %I', p_name, p_role);
  execute format('set local session authorization %I', p_name);
end
$$;
comment on function tests.log_in_as(text, text) is 'From here on statements run as a new login of somebody of staff; reset session authorization ends it.';

create function tests.report(p_by text, p_user text default null, p_post text default null, p_hub text default null, p_comment text default null, p_message text default null)
returns uuid
language sql
begin atomic
  insert into app.reports (reporter_id, user_id, post_id, hub_id, comment_id, message_id, reason)
  values (tests.id(p_by), tests.id(p_user), tests.id(p_post), tests.id(p_hub), tests.id(p_comment), tests.id(p_message), 'spam')
  returning id;
end;
comment on function tests.report(text, text, text, text, text, text) is 'Somebody has reported somebody or something.';

create function tests.audited(p_action text)
returns setof jsonb
language sql
stable
begin atomic
  select a.details || jsonb_build_object('by', a.actor_email) from staff.audit_log as a where a.action = p_action order by a.id;
end;
comment on function tests.audited(text) is 'What the audit log has of an action: its details, and whose it was.';
