create function staff.find_accounts(p_query text)
returns setof staff.accounts
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_query text := lower(btrim(p_query));
  v_id uuid := case when pg_input_is_valid(v_query, 'uuid') then v_query::uuid end;
begin
  perform staff.audit(staff.actor(), 'find_accounts', jsonb_build_object(
    -- What is neither an id nor a username may be a phone, however it is written.
    'query', case when v_id is not null or v_query ~ '^@?\d*[a-z_][a-z0-9_]*$' then left(v_query, 100) else left(v_query, 3) || '…' || right(v_query, 2) end
  ));
  return query
  select a.*
  from staff.accounts as a
  where a.user_id in (
    select u.id from app.users as u where u.id = v_id or u.phone = v_query
    union all
    select p.user_id from app.profiles as p where p.username = ltrim(v_query, '@')
  );
end
$$;
comment on function staff.find_accounts(text) is 'The account of an id, a whole phone (E.164) or a username. That somebody looked is written down, of what is no id or username its beginning and end.';

revoke all on function staff.find_accounts(text) from public;
grant execute on function staff.find_accounts(text) to staff_support;
