select plan(2);

select set_eq(
  $$ select tests.who_may('select app.keep_device_token(null, null, null)') $$, array['authenticated'], 'signed-in people keep device tokens'
);
select is_empty($$ select tests.who_may('select app.keep_newest_device_tokens(null)') $$, 'no role drops those of somebody else');

select * from finish();
