-- Last in the migration: each policy locks a table that other apps of the project use, until the migration commits.
do $$
begin
  perform app.create_platform_policies();
end
$$;
