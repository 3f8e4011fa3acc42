select plan(4);

select tests.elm();
select tests.hub('oak', 'lena');
update app.memberships set seen_at = app.now();

select tests.act_as('jonas');
select results_eq('select hub_id, sum(member_count)::integer from app.hub_presence group by 1', $$ values (tests.id('elm'), 3) $$, 'members see how many use their Hub');
select tests.act_as('lena');
select results_eq('select hub_id from app.hub_presence', array[tests.id('oak')], 'outsiders do not');
select tests.act_as_guest();
select throws_ok('select from app.hub_presence', '42501', null, 'nor do guests');
reset role;
select is_empty(
  $$
    select statement
    from unnest(array[
      'insert into app.hub_presence (hub_id, seen_in, member_count) select tests.id(''elm''), app.now(), 1',
      'update app.hub_presence set member_count = 0', 'delete from app.hub_presence'
    ]) as statement
    where exists (select tests.who_may(statement))
  $$,
  'and nobody writes it'
);

select * from finish();
