select plan(4);

select tests.person(name, 3) from unnest(array['maya', 'jonas']) as name;
select tests.asset(name, 'maya') from unnest(array['shown', 'locked', 'in a draft']) as name;
select tests.illustrated_post('public post', 'maya', 'shown');
select tests.illustrated_post('locked post', 'maya', 'locked');
update app.posts set visibility = 'private_locked_hub' where id = tests.id('locked post');
select tests.article('draft', 'maya');
select tests.illustrate('draft', 'in a draft');

select tests.act_as_guest();
select results_eq('select asset_id from app.article_assets', array[tests.id('shown')], 'a guest sees those of public posts');
select tests.act_as('jonas');
select results_eq('select asset_id from app.article_assets', array[tests.id('shown')], 'and so does a member');
select tests.act_as('maya');
select is(count(*)::integer, 3, 'an author sees all of their own') from app.article_assets;
reset role;
select tests.block('maya', 'jonas');
select tests.act_as('jonas');
select is_empty('select from app.article_assets', 'whoever is blocked sees none');

select * from finish();
