create function app.release_assets()
returns trigger
language plpgsql
volatile
security definer
set search_path = ''
as $$
declare
  v_ids uuid[];
begin
  execute format('select array_agg(former.%1$I) from former where former.%1$I is not null', tg_argv[0]) into v_ids;
  if v_ids is not null then
    perform app.forget_assets(v_ids);
  end if;
  return null;
end
$$;
comment on function app.release_assets() is 'After rows that referred to assets (by the column that is the trigger''s argument) have changed or gone: see app.forget_assets.';

revoke all on function app.release_assets() from public;
