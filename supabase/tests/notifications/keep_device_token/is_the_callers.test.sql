select plan(3);

select set_eq(
  $$ select tests.who_may('select app.keep_device_token(null, null, null)') $$, array['authenticated'], 'signed-in people keep device tokens'
);
select set_eq($$ select tests.who_may('select app.drop_device_token(null)') $$, array['authenticated'], 'and drop them');
select is_empty($$ select tests.who_may('select app.keep_newest_device_tokens(null)') $$, 'no role drops those of somebody else');

select * from finish();
