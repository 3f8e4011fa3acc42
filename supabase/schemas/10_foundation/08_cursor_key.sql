-- Migrations plan no rows: the key is made here, once for each database, so that replicas have it too.
do $$
begin
  insert into app.cursor_keys default values on conflict do nothing;
end
$$;
