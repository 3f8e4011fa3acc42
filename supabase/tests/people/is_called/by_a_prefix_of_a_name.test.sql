select plan(10);

select tests.named('mberg_77', 'Maya van der Berg');

create function pg_temp.is_called(p_query text)
returns boolean
language sql
stable
return (select app.is_called(p, p_query) from app.profiles as p);

select ok(pg_temp.is_called('mberg'), 'by the beginning of the username');
select ok(not pg_temp.is_called('berg_77'), 'not by its inside');
select ok(pg_temp.is_called('ma'), 'by the beginning of the name');
select ok(pg_temp.is_called('be'), 'of any word of it');
select ok(pg_temp.is_called('van der'), 'or of several');
select ok(not pg_temp.is_called('aya'), 'not by the inside of a word');
select ok(not pg_temp.is_called('maya berg'), 'nor by words that do not follow each other');
select ok(not pg_temp.is_called(''), 'nor by nothing');
select ok(not pg_temp.is_called('%'), 'and no character stands for others');
select ok(not pg_temp.is_called('m_'), 'none');

select * from finish();
