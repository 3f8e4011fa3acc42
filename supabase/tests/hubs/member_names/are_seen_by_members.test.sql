select plan(5);

select tests.elm();
select tests.hub('oak', 'lena');

select tests.act_as('jonas');
select bag_eq('select name from app.member_names', array['amara', 'maya', 'jonas'], 'members see what others of their Hub are called');
select tests.act_as('lena');
select bag_eq('select name from app.member_names', array['lena'], 'outsiders do not');
select tests.act_as_guest();
select throws_ok('select from app.member_names', '42501', null, 'nor do guests');
reset role;
select is_empty(
  $$
    select statement
    from unnest(array[
      'insert into app.member_names (hub_id, name, user_id) select tests.id(''elm''), ''somebody'', tests.id(''jonas'')',
      'update app.member_names set name = ''somebody''', 'delete from app.member_names'
    ]) as statement
    where exists (select tests.who_may(statement))
  $$,
  'and nobody writes them'
);
delete from app.memberships where user_id = tests.id('jonas');
select bag_eq('select name from app.member_names', array['amara', 'maya', 'lena'], 'they go with the membership');

select * from finish();
