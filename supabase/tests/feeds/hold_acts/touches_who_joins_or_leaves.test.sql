select plan(4);

select tests.elm();
select tests.hub('ash', 'amara');

create function pg_temp.touched_by(p_statement text)
returns setof uuid
language plpgsql
as $$
begin
  create temporary table rows as select id, ctid as place from app.users;
  execute p_statement;
  return query select u.id from app.users as u join rows on rows.id = u.id where rows.place <> u.ctid;
  drop table rows;
end
$$;

select results_eq(
  $$ select pg_temp.touched_by('select app.hold_acts(tests.id(''maya''))') $$, tests.ids('maya'), 'their row is written, so that votes of before fail'
);
select set_eq(
  $$ select pg_temp.touched_by('insert into app.memberships (hub_id, user_id, role) select tests.id(''ash''), unnest(tests.ids(''maya'', ''jonas'')), ''member''') $$,
  tests.ids('maya', 'jonas'), 'as by joining'
);
select set_eq(
  $$ select pg_temp.touched_by('delete from app.memberships where hub_id = tests.id(''ash'')') $$, tests.ids('amara', 'maya', 'jonas'), 'and by leaving'
);
select is_empty('select from app.users where ended_at is not null', 'and is as it was');

select * from finish();
