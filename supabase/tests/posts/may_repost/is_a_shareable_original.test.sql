select plan(7);

select tests.elm();
select tests.post('trams', 'lena');
select tests.repost('again', 'jonas', 'trams');
select tests.discussion('locked', 'jonas', 'elm');
update app.posts set is_shareable = false where id = tests.id('locked');
select tests.discussion('for two', 'jonas', 'elm');
select tests.act_as('maya');
select ok(app.may_repost(tests.id('trams')), 'an original');
select ok(app.may_repost(tests.id('for two')), 'private or not');
select ok(not app.may_repost(tests.id('again')), 'no repost');
select ok(not app.may_repost(tests.id('locked')), 'nothing that is for one Hub');
select ok(not app.may_repost(tests.id('unknown')), 'nothing unknown');
select tests.act_as('lena');
select ok(not app.may_repost(tests.id('for two')), 'or hidden');
reset role;
select set_eq($$ select tests.who_may('select app.may_repost(null)') $$, array['anon', 'authenticated'], 'details ask for everybody');

select * from finish();
