-- The migration generator diffs no rows. Create the key here, once per database, so that replicas have it
-- too.
do $$
begin
  insert into app.cursor_keys default values on conflict do nothing;
end
$$;
