-- Whoever made a project may have given others rights on all that its owner will ever make: they would hold for votes too.
do $$
begin
  if exists (
    select
    from pg_default_acl as d
    cross join lateral aclexplode(d.defaclacl) as acl
    where d.defaclrole = current_user::regrole and d.defaclnamespace = 0 and acl.grantee not in (0, d.defaclrole)
  ) then
    raise exception 'the default privileges of % give others rights in every schema', current_user
      using hint = 'Give them schema by schema (alter default privileges in schema ...), and revoke those without.';
  end if;
end
$$;
