select plan(14);

select tests.elm();
select tests.hub('ash', 'lena');
select tests.slider(name, 'maya') from unnest(array['public', 'hidden']) as name;
select tests.slider('locked', 'maya', 'private_locked_hub');
select tests.placed('locked', 'elm');
select tests.placed('locked', 'ash');
select tests.placed('public', 'elm');
select tests.block('maya', 'amara');
create function pg_temp.seen(p_table text)
returns setof text
language plpgsql
as $$
begin
  return query execute format(
    'select concat_ws('' in '', (select name from unnest(array[''public'', ''locked'', ''hidden'']) as name where tests.id(name) = v.post_id),'
    ' (select name from unnest(array[''elm'', ''ash'']) as name where tests.id(name) = v.hub_id)) from app.%I as v', p_table
  );
end
$$;
select tests.vote('maya', name, 'left') from unnest(array['public', 'locked']) as name;
select tests.vote('lena', 'locked', 'left');
create temporary table worlds as select unnest(array['vote_slots', 'vote_pools']) as world;
grant select on worlds to public;
insert into app.vote_pools (post_id, hub_id, left_count) select post_id, hub_id, left_count from app.vote_slots;

select tests.act_as_guest();
select bag_eq(format('select pg_temp.seen(%L)', world), array['public'], world || ': a guest sees those of everybody on public posts') from worlds;
select tests.act_as('jonas');
select bag_eq(format('select pg_temp.seen(%L)', world), array['public', 'public in elm', 'locked in elm'], world || ': a member those of their Hubs as well') from worlds;
select tests.act_as('lena');
select bag_eq(format('select pg_temp.seen(%L)', world), array['public', 'locked in ash'], world || ': another member those of theirs') from worlds;
select tests.act_as('amara');
select bag_eq(format('select pg_temp.seen(%L)', world), '{}'::text[], world || ': who is blocked those of no post of the author''s') from worlds;
reset role;
select app.end_membership(tests.id('elm'), tests.id('maya'));
select tests.act_as('maya');
select bag_eq(format('select pg_temp.seen(%L)', world), array['public'], world || ': an author who has left none of the Hub''s') from worlds;
select tests.act_as('jonas');
select set_config('request.jwt.claims', '{"role": "authenticated"}', true);
select bag_eq(format('select pg_temp.seen(%L)', world), array['public'], world || ': somebody unnamed those of everybody') from worlds;
reset role;
delete from app.memberships where user_id = tests.id('jonas');
select tests.act_as('jonas');
select bag_eq(format('select pg_temp.seen(%L)', world), array['public'], world || ': who has left theirs no more') from worlds;

select * from finish();
