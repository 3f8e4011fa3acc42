select plan(7);

create table app.things (
  id uuid constraint things_pkey primary key, phone text not null constraint things_phone_is_short check (length(phone) < 5), owner_id uuid
);
alter table app.things add constraint things_owner_id_fkey foreign key (owner_id) references app.things (id);
insert into app.things values ('00000000-0000-7000-8000-000000000001', 'abc');
create function api.add_thing(p_args jsonb) returns jsonb language plpgsql security definer set search_path = '' as $$
begin
  insert into app.things select * from jsonb_populate_record(null::app.things, p_args);
  return '{"added": true}';
end
$$;
grant execute on function api.add_thing(jsonb) to anon;
create function pg_temp.failure(p_thing jsonb, out state text, out place text, out message text, out detail text)
language plpgsql
as $$
begin
  set local session authorization opine_gateway;
  perform gateway.invoke('add_thing', null, p_thing);
exception when integrity_constraint_violation then
  get stacked diagnostics message = message_text, detail = pg_exception_detail, place = constraint_name;
  get stacked diagnostics state = returned_sqlstate;
end
$$;
create temporary table failures as
select failure.*
from (
  values
    ('{"id": "00000000-0000-7000-8000-000000000001", "phone": "999"}'::jsonb),
    ('{"id": "00000000-0000-7000-8000-000000000099", "phone": "99999"}'),
    ('{"id": "00000000-0000-7000-8000-000000000099"}'),
    ('{"id": "00000000-0000-7000-8000-000000000099", "phone": "999", "owner_id": "00000000-0000-7000-8000-000000000099"}'),
    ('{"id": "00000000-0000-7000-8000-000000000097", "phone": "999", "owner_id": "00000000-0000-7000-8000-000000000098"}')
) as thing (row)
cross join lateral pg_temp.failure(thing.row) as failure;
reset session authorization;
select results_eq(
  $$ select state, place from failures where state is not null $$,
  $$ values
    ('23505', 'things_pkey'), ('23514', 'things_phone_is_short'), ('23502', ''), ('23503', 'things_owner_id_fkey')
  $$,
  'a violation keeps its state and the name of its constraint'
);
select is(count(*), 1::bigint, 'an operation that violates nothing succeeds') from failures where state is null;
select is(detail, '', format('the violation %s has no detail', state)) from failures where state is not null;
select is_empty($$ select from failures where message ~ '9{3}|0{3}' $$, 'no message of a violation holds a value');

select * from finish();
