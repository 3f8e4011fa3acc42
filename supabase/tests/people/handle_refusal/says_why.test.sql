select plan(7);

select tests.person('maya');
select tests.person('jonas');
select tests.act_as('maya');
select is(app.handle_refusal('free'), null, 'a free handle is not refused');
select is(app.handle_refusal('jonas'), 'taken', 'that of somebody else is');
select is(app.handle_refusal('maya'), null, 'one''s own is not');
select is(app.handle_refusal('ad_min'), 'reserved', 'one that is reserved is');
select is(app.handle_refusal('me'), 'invalid', 'and one that is no handle, before all else');
select is(app.handle_refusal(repeat('a', 31)), 'invalid', 'as it is too long');
select is(app.handle_refusal('ma ya'), 'invalid', 'or holds what none may hold');

select * from finish();
