select plan(8);

select tests.elm();
select tests.slider('trams', 'maya');
create function pg_temp.sealed_to(p_size integer)
returns bytea
language plpgsql
as $$
declare
  v_ballot text := jsonb_build_object('counts', app.one_vote('left'), 'hubIds', tests.ids('elm'));
  v_length integer := p_size;
  v_sealed bytea;
begin
  loop
    v_sealed := app.seal(rpad(v_ballot, v_length), tests.key());
    exit when length(v_sealed) = p_size;
    v_length := v_length + p_size - length(v_sealed);
  end loop;
  return v_sealed;
end
$$;
create function pg_temp.taken(p_sizes integer[])
returns bigint
language sql
as $$
  delete from app.pending_ballots;
  insert into app.pending_ballots (post_id, cast_hour, key_id, sealed)
  select tests.id('trams'), date_trunc('hour', app.now(), 'UTC'), app.key_id(tests.key()), pg_temp.sealed_to(size) from unnest(p_sizes) as size;
  select (counts).left_count from app.take_ballots(tests.id('trams'), array[tests.key()])
$$;
select is(pg_temp.taken(array[32768, 32768, 32768, 32768]), 4::bigint, '128 KiB at a time');
select is_empty('select from app.pending_ballots', 'all of them');
select is(pg_temp.taken(array[32768, 32768, 32768, 32769]), 3::bigint, 'and not a byte more');
select is(count(*), 1::bigint, 'the other one waits') from app.pending_ballots;
select is(pg_temp.taken(array[131073, 131073]), 1::bigint, 'one in any case');
select is(count(*), 1::bigint, 'and no other beside it') from app.pending_ballots;
select is(pg_temp.taken(array[131072, 1024]), 1::bigint, 'what is not too long by itself either');
select is(count(*), 1::bigint, 'of two') from app.pending_ballots;

select * from finish();
