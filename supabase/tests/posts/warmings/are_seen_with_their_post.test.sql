select plan(6);

select tests.elm();
select tests.post('public', 'jonas');
select tests.discussion('locked', 'jonas', 'elm');
insert into app.warmings (post_id, trending_before) select tests.id(name), app.now() from unnest(array['public', 'locked']) as name;
select tests.act_as('maya');
select set_eq('select post_id from app.warmings', tests.ids('public', 'locked'), 'whoever sees a post sees how warm it was');
select tests.act_as('lena');
select results_eq('select post_id from app.warmings', tests.ids('public'), 'and of no other');
select tests.act_as_guest();
select results_eq('select post_id from app.warmings', tests.ids('public'), 'guests too');
reset role;
select is_empty($$ select tests.who_may('insert into app.warmings default values') $$, 'no role writes one');
select is_empty($$ select tests.who_may('update app.warmings set warmed_at = warmed_at') $$, 'changes one');
select is_empty($$ select tests.who_may('delete from app.warmings') $$, 'or removes one');

select * from finish();
