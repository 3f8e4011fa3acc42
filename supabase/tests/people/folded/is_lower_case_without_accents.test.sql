select plan(7);

select is(app.folded('Zoë ÅNGSTRÖM'), 'zoe angstrom', 'accents and capitals are gone');
select is(app.folded(U&'Zoe\0308'), 'zoe', 'however an accent is written');
select is(app.folded('Ｍａｙａ'), 'maya', 'wide letters are letters');
select is(app.folded('Łukasz Straße'), 'lukasz strasse', 'letters that not every keyboard has are written as one would');
select is(app.folded('ÆØŒÞĐÐĦŦı'), 'aeooethddhti', 'all that are Latin');
select is(app.folded('محمد Мая'), 'محمد мая', 'others stay');
select is(app.folded(null), null, 'nothing stays nothing');

select * from finish();
