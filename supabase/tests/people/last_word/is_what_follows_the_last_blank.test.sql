select plan(5);

select is(app.last_word('maya van der berg'), 'berg', 'mostly a family name');
select is(app.last_word('maya'), 'maya', 'of one word it is the word');
select is(app.last_word(E'maya\tberg'), 'berg', 'whatever the blank');
select is(app.last_word('maya '), '', 'behind a blank at the end is nothing');
select is(app.last_word(null), null, 'as of nothing');

select * from finish();
