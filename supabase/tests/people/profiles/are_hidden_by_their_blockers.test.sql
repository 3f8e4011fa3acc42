select plan(5);

select tests.person(name) from unnest(array['maya', 'jonas', 'lena']) as name;
select tests.block('maya', 'jonas');
select tests.act_as('jonas');
select set_eq('select username from app.profiles', array['jonas', 'lena'], 'whoever is blocked does not see who has blocked them');
update app.profiles set bio = 'By Jonas';
select tests.act_as('maya');
select set_eq('select username from app.profiles', array['maya', 'jonas', 'lena'], 'who has blocked sees whom');
select tests.act_as('lena');
select set_eq('select username from app.profiles', array['maya', 'jonas', 'lena'], 'others see both');
select tests.act_as_guest();
select set_eq('select username from app.profiles', array['maya', 'jonas', 'lena'], 'and so do guests');
select set_eq($$ select username from app.profiles where bio = 'By Jonas' $$, array['jonas'], 'one changes one''s own, blocked or not');

select * from finish();
