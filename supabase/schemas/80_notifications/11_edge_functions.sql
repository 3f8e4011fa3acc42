-- The vault holds the URL of the functions as opine_functions_url and PUSH_SECRET as opine_push_secret;
-- without them nothing is called.
--
-- Args: p_name (push or upkeep).
create function app.call_function(p_name text) returns void
language plpgsql security definer set search_path = '' as $$
declare
  v_url text := (select s.decrypted_secret from vault.decrypted_secrets as s where s.name = 'opine_functions_url');
  v_secret text := (select s.decrypted_secret from vault.decrypted_secrets as s where s.name = 'opine_push_secret');
begin
  if v_url is not null and v_secret is not null then
    perform net.http_post(
      url => v_url || '/' || p_name,
      headers => jsonb_build_object('Content-Type', 'application/json', 'Authorization', 'Bearer ' || v_secret),
      body => '{}'::jsonb,
      timeout_milliseconds => 55000
    );
  end if;
end
$$;
comment on function app.call_function is 'Calls an edge function that runs tasks of the worker, for pg_cron.';
