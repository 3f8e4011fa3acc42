select plan(8);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena', 'ann']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('lena', 'jonas');
update app.follows set is_muted = true where follower_id = tests.id('lena');

create function pg_temp.relation(p_name text)
returns text[]
language sql
return array(select key from jsonb_each(app.viewer_relation(tests.id(p_name))) where value = 'true' order by key);

select tests.act_as('maya');
select is(
  app.viewer_relation(tests.id('jonas')), '{"follows": true, "followedBy": false, "blocking": false, "publicPostsMuted": false}',
  'one follows'
);
select is(pg_temp.relation('maya'), '{}', 'there is nothing between one and oneself');
select tests.act_as('jonas');
select is(pg_temp.relation('maya'), '{followedBy}', 'one is followed');
select is(pg_temp.relation('ann'), '{}', 'by those who do and by nobody else');
select tests.act_as('lena');
select is(pg_temp.relation('jonas'), '{follows,publicPostsMuted}', 'one follows, and has muted');
select is(pg_temp.relation('maya'), '{}', 'what is between others is not told');
select api.block_user(tests.user('maya'));
select is(pg_temp.relation('maya'), '{blocking}', 'one blocks');
select tests.act_as_guest();
select is(app.viewer_relation(tests.id('jonas')), null, 'a guest has no relations');

select * from finish();
