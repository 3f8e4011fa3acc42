select plan(5);

select tests.person(name, 4) from unnest(array['maya', 'jonas', 'lena', 'ann', 'ben']) as name;
select tests.notification('of jonas', 'maya', p_actor => 'jonas'), tests.notification('of lena', 'maya', p_actor => 'lena');
select tests.notification('of ann', 'maya', p_actor => 'ann'), tests.notification('of a post of jonas', 'maya', p_actor => 'ann', p_author => 'jonas');
select tests.notification('of a post of lena', 'maya', p_actor => 'ann', p_author => 'lena');
select tests.notification('of nobody', 'maya'), tests.notification('of all', 'maya', p_actor => 'jonas', p_author => 'lena');
select tests.notification('to ben', 'ben', p_actor => 'jonas');
create function pg_temp.withheld()
returns setof uuid
language sql
as $$ select n.id from app.judged_notifications as n where n.is_withheld $$;

select is_empty('select pg_temp.withheld()', 'nothing is withheld where no block stands');
select tests.block('maya', 'jonas');
select bag_eq('select pg_temp.withheld()', tests.ids('of jonas', 'of a post of jonas', 'of all'), 'whom they blocked they hear nothing of, nor of their posts');
select tests.block('lena', 'maya');
select bag_eq(
  'select pg_temp.withheld()', tests.ids('of jonas', 'of a post of jonas', 'of all', 'of lena', 'of a post of lena'), 'nor of who blocked them; each once'
);
update app.notifications set read_at = app.now();
select bag_eq(
  'select pg_temp.withheld()', tests.ids('of jonas', 'of a post of jonas', 'of all', 'of lena', 'of a post of lena'), 'whether they have read it or not'
);
delete from app.blocks;
select is_empty('select pg_temp.withheld()', 'and when it has gone, all is there again');

select * from finish();
