select plan(4);

select tests.elm();
select tests.slider('locked', 'jonas', 'private_locked_hub');
select tests.placed('locked', 'elm');
select tests.slider('public', 'jonas');
select tests.post('no slider', 'jonas');

select tests.act_as('maya');
select is((app.require_slider(tests.id('locked'))).id, tests.id('locked'), 'a private post');
select is((app.require_slider(tests.id('public'))).visibility, 'public', 'or a public one');
select throws_ok($$ select app.require_slider(tests.id('no slider')) $$, 'PT409', 'POST_NOT_VOTABLE', 'that has a slider');
select tests.act_as('lena');
select throws_ok($$ select app.require_slider(tests.id('locked')) $$, 'PT404', 'POST_NOT_FOUND', 'and that one sees');

select * from finish();
