select plan(17);

select tests.elm();
select tests.hub('ash', 'lena');
select tests.post('his', 'jonas');
select tests.post('his for two', 'jonas', 'private_locked_hub');
select tests.post('hers', 'lena', 'public_hub');
select tests.post('of maya', 'maya', 'private_locked_hub');
select tests.post('hidden', 'lena', 'private_locked_hub');
update app.posts set is_shareable = false where id = tests.id('of maya');

create function pg_temp.place(p_caller text, p_post text, p_kind text, p_by text default 'jonas', p_hub text default 'elm')
returns text
language sql
return tests.refusal_of(p_caller, format(
  'insert into app.placements (post_id, hub_id, kind, placed_by) values (%L, %L, %L, %L)', tests.id(p_post), tests.id(p_hub), p_kind, tests.id(p_by)
));

select is(pg_temp.place('jonas', 'his', 'targeted'), null, 'a member targets with their own posts');
select is(pg_temp.place('jonas', 'hers', 'targeted'), '42501', 'and with no other');
select is(pg_temp.place('jonas', 'hers', 'shared'), null, 'which they share');
select is(pg_temp.place('jonas', 'his for two', 'shared'), null, 'as they may their own');
select is(pg_temp.place('jonas', 'hidden', 'shared'), '42501', 'as far as they see them');
select is(pg_temp.place('amara', 'hers', 'shared', 'jonas'), '42501', 'nobody places anything as somebody else');
select is(pg_temp.place('amara', 'hers', 'shared', null), '42501', 'or as nobody');
select is(pg_temp.place('jonas', 'his', 'targeted', 'jonas', 'ash'), '42501', 'or in a Hub of others');
select is(pg_temp.place('jonas', 'hers', 'shared', 'jonas', 'ash'), '42501', 'or shares into one');
select tests.placed('of maya', 'elm');
select tests.hub('oak', 'jonas');
select is(pg_temp.place('jonas', 'of maya', 'shared', 'jonas', 'oak'), '42501', 'what is for one Hub stays in it');
select tests.hub('fir', 'maya');
select is(pg_temp.place('maya', 'of maya', 'shared', 'maya', 'fir'), '42501', 'even its author shares it no further');
select is(pg_temp.place(null, 'his', 'targeted'), '42501', 'guests place nothing');
select is_empty(
  $$ select tests.who_may('insert into app.placements (post_id, hub_id, placed_at) values (null, null, null)') $$, 'nobody says when'
);
select is_empty($$ select tests.who_may('select placed_by from app.placements') $$, 'or reads who it was');
select is_empty($$ select tests.who_may('update app.placements set kind = kind') $$, 'nobody changes one');
select is_empty($$ select tests.who_may('delete from app.placements') $$, 'or takes it back');
select set_eq(
  'select post_id, kind::text, placed_by, placed_at from app.placements where hub_id = tests.id(''elm'')',
  $$
    values
      (tests.id('his'), 'targeted', tests.id('jonas'), app.now()), (tests.id('hers'), 'shared', tests.id('jonas'), app.now()),
      (tests.id('his for two'), 'shared', tests.id('jonas'), app.now()), (tests.id('of maya'), 'targeted', tests.id('maya'), app.now())
  $$,
  'each says how it came and when'
);

select * from finish();
