select plan(4);

select tests.elm();
select tests.hub('oak', 'jonas');
update app.memberships set seen_at = app.now() - interval '4 minutes 59 seconds' where user_id = tests.id('maya');
update app.memberships set seen_at = app.now() - interval '5 minutes' where user_id = tests.id('amara');
create temporary table moments as select m.user_id, m.seen_at from app.memberships as m;

create function pg_temp.noted(p_caller text)
returns bigint
language plpgsql
as $$
begin
  perform tests.act_as(p_caller);
  perform app.note_use(tests.id('elm'));
  perform set_config('role', 'none', true);
  return (select count(*) from app.memberships as m where m.seen_at = app.now());
end
$$;

select is(array[pg_temp.noted('lena'), pg_temp.noted('maya')], array[0, 0]::bigint[], 'no outsider, and nobody within five minutes');
select is(array[pg_temp.noted('jonas'), pg_temp.noted('amara')], array[1, 2]::bigint[], 'others by themselves');
select is_empty($$ select from app.memberships where hub_id = tests.id('oak') and seen_at is not null $$, 'in this Hub');
select set_eq($$ select tests.who_may('select app.note_use(null)') $$, array['authenticated'], 'who has a session may try');

select * from finish();
