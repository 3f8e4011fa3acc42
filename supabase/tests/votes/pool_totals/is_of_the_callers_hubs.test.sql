select plan(8);

select tests.elm();
select tests.hub('ash', 'lena');
select tests.slider('trams', 'maya', 'public_hub');
select tests.placed('trams', 'elm');
select tests.placed('trams', 'ash');
select tests.vote('jonas', 'trams', 'left');
select tests.vote('lena', 'trams', 'right');

select tests.act_as('jonas');
select is(tests.counts('trams'), '(0,1,0,1,0)', 'everybody''s for a member');
select is(tests.counts('trams', 'elm'), '(0,1,0,0,0)', 'that of their Hub');
select is(tests.counts('trams', 'ash'), null, 'none of another Hub');
select tests.act_as_guest();
select is(tests.counts('trams'), '(0,1,0,1,0)', 'everybody''s for a guest');
select is(tests.counts('trams', 'elm'), null, 'no Hub''s for a guest');
reset role;
delete from app.memberships where user_id = tests.id('jonas');
select tests.act_as('jonas');
select is(tests.counts('trams', 'elm'), null, 'none of a Hub that they have left');
reset role;
select app.fold_pools(app.slot_generation());
select tests.act_as('jonas');
select is(tests.counts('trams', 'elm'), null, 'nor when it is folded');
select tests.act_as('lena');
select is(tests.counts('trams', 'ash'), '(0,0,0,1,0)', 'and theirs is as before');

select * from finish();
