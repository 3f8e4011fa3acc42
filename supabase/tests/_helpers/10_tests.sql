-- What pgTAP tests are told with. Loaded once into the database of the run, before its first test.
-- A name stands for a row: tests.id('maya') is Maya's id in every test.

create schema tests;
grant usage on schema tests to public;

create function tests.id(p_name text)
returns uuid
language sql
immutable
return md5(p_name)::uuid;
comment on function tests.id(text) is 'The id of whatever a test calls p_name.';

create function tests.hash(p_text text)
returns bytea
language sql
immutable
return sha256(convert_to(p_text, 'UTF8'));
comment on function tests.hash(text) is 'A hash such as the service hands over in place of p_text.';

create function tests.hex(p_text text)
returns text
language sql
immutable
return encode(tests.hash(p_text), 'hex');
comment on function tests.hex(text) is 'tests.hash as arguments carry it.';

create function tests.error_of(p_statement text)
returns jsonb
language plpgsql
as $$
declare
  v_detail text;
begin
  execute p_statement;
  return null;
exception when others then
  get stacked diagnostics v_detail = pg_exception_detail;
  return jsonb_build_object(
    'state', sqlstate, 'code', sqlerrm, 'details', case when v_detail is json then v_detail::jsonb else to_jsonb(nullif(v_detail, '')) end
  );
end
$$;
comment on function tests.error_of(text) is 'What a statement raises: state, code and details, of an error of Postgres'' own as text; null where it raises nothing. For errors whose details matter.';

create function tests.violation_of(p_statement text)
returns text
language plpgsql
as $$
declare
  v_constraint text;
begin
  execute p_statement;
  return null;
exception when integrity_constraint_violation then
  get stacked diagnostics v_constraint = constraint_name;
  return v_constraint;
end
$$;
comment on function tests.violation_of(text) is 'The constraint that a statement violates; null where it violates none.';
