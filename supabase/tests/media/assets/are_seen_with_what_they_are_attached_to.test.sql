select plan(10);

select tests.person(name, 4) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.asset('loose', 'maya');
select tests.asset('face', 'maya', 'profile_photo');
select tests.asset('hub face', 'maya', 'profile_photo');
select tests.asset('in public', 'maya');
select tests.asset('locked', 'maya');
select tests.asset('in a draft', 'maya');
update app.profiles set photo_asset_id = tests.id('face') where user_id = tests.id('maya');
insert into app.hub_profiles (user_id, photo_asset_id) values (tests.id('maya'), tests.id('hub face'));
select tests.illustrated_post('public post', 'maya', 'in public');
select tests.illustrated_post('locked post', 'maya', 'locked');
update app.posts set visibility = 'private_locked_hub' where id = tests.id('locked post');
select tests.article('draft', 'maya');
select tests.illustrate('draft', 'in a draft');

create function pg_temp.seen()
returns setof text
language sql
as $$
  select name from unnest(array['loose', 'face', 'hub face', 'in public', 'locked', 'in a draft']) as name
  join app.assets as a on a.id = tests.id(name)
$$;

select tests.act_as_guest();
select set_eq('select pg_temp.seen()', array['face', 'in public'], 'everybody sees what a public post or a profile shows');
select tests.act_as('jonas');
select set_eq('select pg_temp.seen()', array['face', 'in public'], 'a member no more');
select tests.act_as('maya');
select set_eq('select pg_temp.seen()', array['loose', 'face', 'hub face', 'in public', 'locked', 'in a draft'], 'their owner sees all');
reset role;
select tests.block('maya', 'jonas');
select tests.block('lena', 'maya');
select tests.act_as('jonas');
select is_empty('select pg_temp.seen()', 'whoever is blocked sees none');
select tests.act_as('lena');
select set_eq('select pg_temp.seen()', array['face'], 'who has blocked the owner sees the profile''s, and no post''s');
select tests.act_as_guest();
select set_eq('select pg_temp.seen()', array['face', 'in public'], 'others see them as before');
reset role;
delete from app.posts;
update app.profiles set photo_asset_id = null;
select tests.act_as_guest();
select is_empty('select pg_temp.seen()', 'what is not shown any more nobody sees');
reset role;
select tests.post('trams', 'lena');
select tests.comment('hello', 'maya', 'trams');
update app.comments set asset_id = tests.id('loose');
select tests.act_as_guest();
select set_eq('select pg_temp.seen()', array['loose'], 'what a comment shows everybody sees who sees the comment');
reset role;
select is_empty($$ select tests.who_may('update app.assets set owner_id = owner_id') $$, 'no role changes one');
select is_empty($$ select tests.who_may('delete from app.assets') $$, 'or deletes one');

select * from finish();
