select plan(3);

select tests.elm();
select tests.join_request('lena asks', 'elm', 'lena');
select tests.act_as('amara');
reset role;
select is_empty(
  $$ select tests.who_may('insert into app.join_requests (hub_id, user_id, source) select tests.id(''elm''), tests.id(''lena''), ''invite_link''') $$,
  'no role makes a join request'
);
select is_empty($$ select tests.who_may('update app.join_requests set state = ''approved''') $$, 'or decides one');
select is_empty($$ select tests.who_may('delete from app.join_requests') $$, 'or takes one back');

select * from finish();
