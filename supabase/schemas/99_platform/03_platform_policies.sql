-- Last in the migration: until it commits, each policy locks a table that other apps of the project use.
do $$
begin
  perform app.create_platform_policies();
end
$$;
