select plan(2);

select tests.elm();
select tests.post('trams', 'lena');
select tests.placed('trams', 'elm', p_kind => 'shared', p_by => 'jonas');
select tests.post('benches', 'jonas', 'private_locked_hub');
select tests.placed('benches', 'elm', p_by => 'maya');
delete from app.memberships where user_id = tests.id('jonas');
select tests.act_as('jonas');
select results_eq(
  'select app.own_placements()',
  $$ values (jsonb_build_object('postId', tests.id('trams'), 'hubId', tests.id('elm'), 'kind', 'shared', 'placedAt', app.iso(app.now()))) $$,
  'one''s own, whoever wrote the post, in Hubs that one has left too'
);
select tests.act_as('lena');
select is_empty('select app.own_placements()', 'and not one''s own post by whoever placed it');

select * from finish();
