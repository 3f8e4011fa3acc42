select plan(2);

select tests.elm();

select is_empty($$ select tests.who_may('select from app.hub_presence') $$, 'nobody reads who used what but through app.active_users');
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
