create function app.release_asset()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
begin
  perform app.forget_assets(array[(to_jsonb(old) ->> tg_argv[0])::uuid]);
  return null;
end
$$;
comment on function app.release_asset() is 'As app.release_assets, for one row of a table whose rows often change in other ways.';

revoke all on function app.release_asset() from public;
