select plan(5);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.follow('maya', 'jonas');
select tests.follow('jonas', 'maya');
select tests.follow('lena', 'maya');

select tests.act_as('maya');
update app.follows set is_muted = true;
select set_eq(
  'select follower_id, is_muted from app.follows',
  $$ values (tests.id('maya'), true), (tests.id('jonas'), false), (tests.id('lena'), false) $$, 'one mutes one''s own follow alone'
);
select throws_ok($$ update app.follows set followee_id = tests.id('lena') $$, '42501', null, 'whose it is of stays');
delete from app.follows;
select set_eq('select tests.follows()', array['jonas > maya', 'lena > maya'], 'one ends one''s own alone, not even those of oneself');
select tests.act_as_guest();
select throws_ok('update app.follows set is_muted = true', '42501', null, 'a guest mutes none');
select throws_ok('delete from app.follows', '42501', null, 'and ends none');

select * from finish();
