select plan(3);

select tests.person('maya');
select tests.act_as('maya');
select is(api.check_handle('{}') ->> 'reason', 'invalid', 'no text is no handle');
select is(api.check_handle('{"username": null}') ->> 'available', 'false', 'nor is null');
select is(
  length(api.check_handle(jsonb_build_object('username', repeat('é', 100000))) ->> 'username'), 200, 'of a long one the start is read'
);

select * from finish();
