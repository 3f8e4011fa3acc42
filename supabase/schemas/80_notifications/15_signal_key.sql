-- The migration generator diffs no rows. Create the keys here, once per database, so that replicas have them.
do $$
begin
  insert into app.signal_keys default values on conflict do nothing;
end
$$;
