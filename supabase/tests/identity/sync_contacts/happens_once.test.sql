select plan(4);

select tests.person('maya', 3);

create function pg_temp.sync_at(p_offset interval, p_args jsonb)
returns jsonb
language plpgsql
as $$
declare
  v_answer jsonb;
begin
  perform app.set_clock_offset(p_offset);
  perform tests.act_as('maya');
  v_answer := api.sync_contacts(p_args);
  perform set_config('role', 'none', true);
  return v_answer;
end
$$;

create temporary table firsts as
select pg_temp.sync_at('0', '{"permission": "granted", "contactCount": 12}') as answer;
create temporary table snapshots as select * from app.contact_snapshots;
select is(pg_temp.sync_at('1 minute', '{"permission": "limited", "contactCount": 99}'), answer, 'the answer is the same again') from firsts;
select results_eq('select * from app.contact_snapshots', 'select * from snapshots', 'and nothing changes');
select is(contacts_synced_at, now(), 'the step keeps its first time') from app.users;

select tests.act_as('maya');
select api.store_contacts(jsonb_build_object('uploadId', upload_id, 'contacts', '[]'::jsonb)) from app.contact_snapshots;
reset role;
select is(
  pg_temp.sync_at('2 minutes', '{"permission": "granted"}') -> 'snapshot' ->> 'state', 'stored', 'but that the upload has arrived is told'
);

select * from finish();
