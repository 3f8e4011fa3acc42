select plan(1);

-- Without names in the Hub, whose references would hold their memberships as well.
set local session_replication_role = replica;
select tests.elm();
set local session_replication_role = origin;
select tests.discussion('trams', 'jonas', 'elm');
update app.memberships set seen_at = app.now();

select tests.act_as('maya');
select api.save_discussion(tests.in_discussion('trams in elm'));
reset role;
-- A row that is locked has the transaction in its xmax.
select results_eq(
  $$ select user_id from app.memberships where xmax::text <> '0' $$, tests.ids('maya'), 'who leaves at the same time waits, and has nothing saved then'
);

select * from finish();
