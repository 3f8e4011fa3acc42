select plan(4);

select is_empty(format('select tests.who_may(%L)', statement), 'no role may: ' || statement)
from unnest(array[
  'select from app.trending_scores', 'insert into app.trending_scores default values', 'update app.trending_scores set score = score', 'delete from app.trending_scores'
]) as statement;

select * from finish();
