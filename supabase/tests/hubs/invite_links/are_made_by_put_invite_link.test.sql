select plan(2);

select tests.elm();
select tests.link('door', 'elm');
select tests.act_as('amara');
reset role;
select is_empty(
  $$
    select tests.who_may(
      'insert into app.invite_links (hub_id, token_hash, expires_at) select tests.id(''elm''), tests.hash(''gate''), app.now()'
    )
  $$,
  'no role makes a link past its limits'
);
select is_empty($$ select tests.who_may('update app.invite_links set use_count = 0') $$, 'or changes one');

select * from finish();
