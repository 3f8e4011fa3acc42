select plan(1);

select tests.person(name) from unnest(array['maya', 'lena', 'ann', 'ben', 'cleo', 'dora', 'other']) as name;
-- Blocks that move meet follows that were there, both ways.
select tests.block('lena', 'ann');
select tests.block('ben', 'lena');
select tests.follow('maya', 'ann');
select tests.follow('ann', 'maya');
select tests.follow('maya', 'ben');
select tests.follow('ben', 'maya');
-- Follows that move meet blocks that were there, both ways.
select tests.block('maya', 'cleo');
select tests.block('dora', 'maya');
select tests.follow('lena', 'cleo');
select tests.follow('cleo', 'lena');
select tests.follow('lena', 'dora');
select tests.follow('dora', 'lena');
-- What no block is between stays.
select tests.follow('ann', 'ben');
select tests.follow('lena', 'other');
select tests.follow('other', 'maya');
select app.move_relations(tests.id('lena'), tests.id('maya'));
select set_eq('select tests.follows()', array['ann > ben', 'maya > other', 'other > maya'], 'no two follow between whom there is a block');

select * from finish();
