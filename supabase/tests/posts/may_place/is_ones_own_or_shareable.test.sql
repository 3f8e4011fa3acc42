select plan(13);

select tests.elm();
select tests.post('his', 'jonas', 'private_locked_hub');
select tests.post('hers', 'lena');
select tests.post('hidden', 'lena', 'private_locked_hub');
select tests.post('locked', 'maya', 'private_locked_hub');
select tests.placed('locked', 'elm');
update app.posts set is_shareable = false where thought_text in ('his', 'locked');

select tests.act_as('jonas');
select ok(app.may_place(tests.id('his'), 'targeted'), 'one targets with one''s own');
select ok(not app.may_place(tests.id('his'), 'shared'), 'and shares it where it can be shared');
select ok(not app.may_place(tests.id('hers'), 'targeted'), 'with those of others nobody targets');
select ok(app.may_place(tests.id('hers'), 'shared'), 'those are shared');
select ok(not app.may_place(tests.id('locked'), 'shared'), 'if they are not for one Hub alone');
select ok(not app.may_place(tests.id('hidden'), 'shared'), 'or hidden');
select ok(not app.may_place(tests.id('unknown'), 'shared'), 'or unknown');
select ok(not app.may_place(tests.id('unknown'), 'targeted'), 'either way');
reset role;
select tests.placed('his', 'elm');
select tests.act_as('jonas');
select ok(not app.may_place(tests.id('his'), 'targeted'), 'later one targets no more');
select ok(app.may_place(tests.id('hers'), 'shared'), 'while anything is shared at any time');
reset role;
select tests.block('lena', 'jonas');
select tests.act_as('jonas');
select ok(not app.may_place(tests.id('hers'), 'shared'), 'nor across a block');
reset role;
select set_eq($$ select tests.who_may('select app.may_place(null, null)') $$, array['authenticated'], 'the policy asks for members');
delete from app.blocks;
select app.end_user(tests.id('lena'));
select tests.act_as('jonas');
select ok(not app.may_place(tests.id('hers'), 'shared'), 'nor is what an ended account wrote');

select * from finish();
